// `node scripts/record-release.mjs COMMIT`: writes down every statement that release sends to its
// database while it is used through all its doors, for `test/structure/earlier-release.test.ts`.
// Run it when a release is cut, with the commit of the release.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, ensureInstalled } from './bootstrap.mjs';
import { buildEarlier, commitHere } from './build-earlier.mjs';

const commit = commitHere(process.argv[2] ?? 'HEAD');
if (commit === null) {
  process.stderr.write('usage: node scripts/record-release.mjs COMMIT\n');
  process.exit(2);
}
await ensureInstalled('full');
await ensureBuilt();
const { recordStatements } = await import('../build/bench/support/record-statements.js');
const release = buildEarlier(commit);
try {
  const statements = await recordStatements(release.main);
  const newest = readdirSync(join(release.folder, 'migrations'))
    .filter((name) => /^\d{4}_/.test(name))
    .sort()
    .at(-1);
  const file = fileURLToPath(new URL('../test/fixtures/earlier-release.json', import.meta.url));
  const recorded = { commit, newest_migration: newest, statements };
  writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`);
  process.stdout.write(`${statements.length} statements of ${release.name}, schema ${newest}\n`);
} finally {
  release.remove();
}
