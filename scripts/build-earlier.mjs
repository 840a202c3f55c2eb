// Another commit of this repository, built in a folder of its own with the packages of this one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

function git(...args) {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}

/** The commit, if this clone has it: one without history has not. */
export function commitHere(name) {
  try {
    return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  } catch {
    return null;
  }
}

export function buildEarlier(commit) {
  const folder = join(mkdtempSync(join(tmpdir(), 'sidelight-earlier-')), 'release');
  git('worktree', 'add', '--detach', folder, commit);
  // A junction is what Windows lets anybody make; elsewhere the word means nothing.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  // Its server alone: what people install needs the compiler and packages it was written with.
  const build = "const { buildAll } = await import('./scripts/build.mjs'); await buildAll();";
  execFileSync(process.execPath, ['--input-type=module', '-e', build], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    name: git('log', '-1', '--format=%h (%cs)', commit),
    main: join(folder, 'build/server/main.js'),
    folder,
    remove() {
      git('worktree', 'remove', '--force', folder);
      rmSync(join(folder, '..'), { recursive: true, force: true });
    },
  };
}
