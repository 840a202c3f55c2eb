// `npm run test:faults [-- NAME…]`: every fault we know against servers as they are built, each with
// people who use them, and a table of what came of it. Names choose; a name that ends in `-` chooses
// all that begin so; `list` lists. `EARLIER=COMMIT` runs that release beside this one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
await ensureInstalled('full');
await ensureBuilt();
const { allFaults } = await import('../build/test/faults/all-faults.js');
const { runFaults } = await import('../build/test/faults/run-faults.js');

/** Builds an earlier commit in a folder of its own. */
function buildEarlier(commit) {
  const folder = join(mkdtempSync(join(tmpdir(), 'sidelight-earlier-')), 'release');
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  git('worktree', 'add', '--detach', folder, commit);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: folder, stdio: 'ignore' });
  const name = git('log', '-1', '--format=%h (%cs)', commit);
  return {
    name,
    main: join(folder, 'build/server/main.js'),
    remove() {
      git('worktree', 'remove', '--force', folder);
      rmSync(join(folder, '..'), { recursive: true, force: true });
    },
  };
}

const wanted = process.argv.slice(2);
const commit = process.env.EARLIER;
const isNamed = ({ name }) =>
  wanted.length === 0 ||
  wanted.some((one) => (one.endsWith('-') ? name.startsWith(one) : name === one));
if (wanted[0] === 'list') {
  for (const { name, what } of allFaults({ name: 'EARLIER', main: '' }))
    process.stdout.write(`${name.padEnd(24)} ${what}\n`);
  process.exit(0);
}
const earlier = commit === undefined ? null : buildEarlier(commit);
const faults = allFaults(earlier).filter(isNamed);
if (faults.length === 0) {
  process.stderr.write(`no fault is named ${wanted.join(', ')}; try "list"\n`);
  process.exit(2);
}
const columns = [
  ['fault', 24, ({ name }) => name],
  ['requests', 9, ({ requests }) => requests],
  ['failed', 7, ({ failed }) => failed],
  [
    'back after',
    11,
    ({ recoveredMs }) => (recoveredMs === null ? '–' : `${(recoveredMs / 1000).toFixed(1)} s`),
  ],
  ['acknowledged', 13, ({ verdict }) => verdict.acknowledged],
  ['stored', 8, ({ verdict }) => verdict.stored],
  ['lost', 6, ({ verdict }) => verdict.lost],
  ['budgets', 8, ({ verdict }) => (verdict.overBudget === 0 ? 'ok' : verdict.overBudget)],
  ['verify', 7, ({ verdict }) => (verdict.isVerified ? 'ok' : 'DIFFERS')],
];
const line = (cells) => cells.map((cell, at) => String(cell).padEnd(columns[at][1])).join(' ');
process.stdout.write(`${line(columns.map(([title]) => title))}\n`);
const rows = await runFaults(faults, (row) => {
  process.stdout.write(`${line(columns.map(([, , read]) => read(row)))}\n`);
  const told = [row.reasons, row.note].filter((text) => text !== '').join('; ');
  process.stdout.write(`    ${row.what}${told === '' ? '' : ` (${told})`}, ${row.seconds} s\n`);
  for (const problem of row.problems) process.stdout.write(`    WRONG: ${problem}\n`);
});
earlier?.remove();
if (process.env.FAULTS_TABLE)
  writeFileSync(process.env.FAULTS_TABLE, JSON.stringify(rows, null, 2));
const wrong = rows.filter(({ problems }) => problems.length > 0);
process.stdout.write(`${rows.length - wrong.length} faults withstood, ${wrong.length} not\n`);
process.exit(wrong.length === 0 ? 0 : 1);
