// Asks the registry whether every npm package the tool index tells agents to install exists.
// Needs the network; not part of the tests.   node scripts/check-tool-packages.mjs [--parallel 8]
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { npmCommand } from './bootstrap.mjs';

const { command, args, shell } = npmCommand(['config', 'get', 'registry']);
const registry = execFileSync(command, args, { encoding: 'utf8', shell })
  .trim()
  .replace(/\/*$/, '/');
const folder = new URL('../catalog/tools/', import.meta.url);
const parallel = Number(process.argv[process.argv.indexOf('--parallel') + 1]) || 8;
const installs = /\b(?:npm (?:install|i|add)|pnpm add|yarn add|bun add)\s+([^&|;#\n`]+)/g;
const runners = /\b(?:npx|npm create|npm exec)\s+(?:-y\s+|--yes\s+)?(\S+)/g;

/** Package names in a shell command, without versions and options. */
function packagesIn(command) {
  const names = [];
  for (const [, rest] of command.matchAll(installs))
    names.push(
      ...rest
        .trim()
        .split(/\s+/)
        .filter((word) => !word.startsWith('-')),
    );
  for (const [found, name] of command.matchAll(runners))
    if (!name.startsWith('-')) names.push(found.startsWith('npm create') ? createName(name) : name);
  return names
    .map((name) => name.replace(/^['"]|['"]$/g, '').replace(/(?<=.)@[^/]*$/, ''))
    .filter((name) => /^(@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/.test(name));
}

/** `npm create x` runs `create-x`, `npm create @scope/x` runs `@scope/create-x`. */
function createName(name) {
  const bare = name.replace(/(?<=.)@[^/]*$/, '');
  const [scope, rest] = bare.startsWith('@') ? bare.split('/') : [null, bare];
  return scope === null
    ? `create-${rest}`
    : `${scope}/create${rest === undefined ? '' : `-${rest}`}`;
}

const usedBy = new Map();
for (const file of readdirSync(folder)) {
  for (const tool of JSON.parse(readFileSync(new URL(file, folder), 'utf8'))) {
    for (const step of tool.install.flatMap((variant) => variant.steps)) {
      for (const name of packagesIn(step.command ?? ''))
        usedBy.set(name, [...(usedBy.get(name) ?? []), tool.slug]);
    }
  }
}
const names = [...usedBy.keys()].sort();
const missing = [];
let next = 0;
await Promise.all(
  Array.from({ length: parallel }, async () => {
    while (next < names.length) {
      const name = names[next++];
      const status = await fetch(new URL(name.replace('/', '%2f'), registry), {
        method: 'HEAD',
        headers: { accept: 'application/vnd.npm.install-v1+json' },
        signal: AbortSignal.timeout(30_000),
      }).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status !== 200)
        missing.push({
          name,
          why: status === 404 ? 'does not exist' : `could not be asked for (${status})`,
        });
    }
  }),
);
for (const { name, why } of missing)
  process.stdout.write(`${name} ${why} (${[...new Set(usedBy.get(name))].join(', ')})\n`);
process.stdout.write(`${names.length} packages, ${missing.length} problems\n`);
process.exitCode = missing.length === 0 ? 0 : 1;
