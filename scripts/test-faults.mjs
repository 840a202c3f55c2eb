// `npm run test:faults [-- NAME…]`: every fault we know against servers as they are built, each
// with people who use them, and a table of what came of it. Names choose; a name that ends in `-`
// chooses all that begin so; `list` lists. The release that runs beside this one is the one last
// recorded (`record-release.mjs`), or `EARLIER=COMMIT`; a clone without history goes without.
// `FAULTS_TABLE` names a file for the table, .md or .json.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';
import { buildEarlier, commitHere } from './build-earlier.mjs';

await ensureInstalled('full');
await ensureBuilt();

// Packets can be lost for real where the loopback interface is ours alone.
const ownNetwork = [
  '-n',
  'sh',
  '-c',
  'ip link set lo up && tc qdisc show dev lo >/dev/null && exec "$@"',
  'sh',
];
const canOwn = () =>
  spawnSync('unshare', [...ownNetwork, 'true'], { stdio: 'ignore' }).status === 0;
if (process.env.FAULTS_NETWORK === undefined && process.getuid?.() === 0 && canOwn()) {
  const self = [process.execPath, fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const env = { ...process.env, FAULTS_NETWORK: 'own' };
  const { status } = spawnSync('unshare', [...ownNetwork, ...self], { env, stdio: 'inherit' });
  process.exit(status ?? 1);
}
const { allFaults } = await import('../build/test/faults/all-faults.js');
const { runFaults } = await import('../build/test/faults/run-faults.js');

const wanted = process.argv.slice(2);
const recorded = new URL('../test/fixtures/earlier-release.json', import.meta.url);
const commit = commitHere(process.env.EARLIER ?? JSON.parse(readFileSync(recorded, 'utf8')).commit);
const needsEarlier = ({ name }) => name === 'two-releases';
const isNamed = ({ name }) =>
  wanted.length === 0 ||
  wanted.some((one) => (one.endsWith('-') ? name.startsWith(one) : name === one));
if (wanted[0] === 'list') {
  for (const { name, what } of allFaults({ name: 'EARLIER', main: '' }))
    process.stdout.write(`${name.padEnd(24)} ${what}\n`);
  process.exit(0);
}
const isAsked = allFaults({ name: '', main: '' }).filter(isNamed).some(needsEarlier);
if (isAsked && commit === null)
  process.stdout.write('two-releases is left out: this clone has no history to build one from\n');
const earlier = isAsked && commit !== null ? buildEarlier(commit) : null;
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
  ['twice', 6, ({ verdict }) => verdict.twice],
  ['budgets', 8, ({ verdict }) => (verdict.overBudget === 0 ? 'ok' : verdict.overBudget)],
  ['verify', 7, ({ verdict }) => (verdict.isVerified ? 'ok' : 'DIFFERS')],
];
const line = (cells) => cells.map((cell, at) => String(cell).padEnd(columns[at][1])).join(' ');
process.stdout.write(`${line(columns.map(([title]) => title))}\n`);
const rows = [];
await runFaults(faults, (row) => {
  rows.push(row);
  writeTable();
  process.stdout.write(`${line(columns.map(([, , read]) => read(row)))}\n`);
  const told = [row.reasons, row.note].filter((text) => text !== '').join('; ');
  process.stdout.write(`    ${row.what}${told === '' ? '' : ` (${told})`}, ${row.seconds} s\n`);
  for (const problem of row.problems) process.stdout.write(`    WRONG: ${problem}\n`);
});
earlier?.remove();

/** The table as `docs/faults.md` shows it. */
function inMarkdown() {
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model.trim() ?? '?'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`;
  const row = (cells) => `| ${cells.join(' | ')} |`;
  return [
    `${new Date().toISOString().slice(0, 10)}, ${machine}`,
    '',
    row([...columns.map(([title]) => title), 'what happens; what failed and how']),
    row(Array.from({ length: columns.length + 1 }, () => '---')),
    ...rows.map((one) =>
      row([
        ...columns.map(([, , read]) => read(one)),
        [one.what, one.reasons, one.note, ...one.problems.map((text) => `WRONG: ${text}`)]
          .filter((text) => text !== '')
          .join('; ')
          .replaceAll('|', '/'),
      ]),
    ),
    '',
  ].join('\n');
}

/** After each fault: the whole run takes long, and what is known by then is worth keeping. */
function writeTable() {
  const table = process.env.FAULTS_TABLE;
  if (table)
    writeFileSync(table, table.endsWith('.md') ? inMarkdown() : JSON.stringify(rows, null, 2));
}
const wrong = rows.filter(({ problems }) => problems.length > 0);
process.stdout.write(`${rows.length - wrong.length} faults withstood, ${wrong.length} not\n`);
process.exit(wrong.length === 0 ? 0 : 1);
