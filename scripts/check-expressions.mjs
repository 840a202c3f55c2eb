// Asks the checker about every expression of the source it was not asked about yet, and keeps the
// answers in test/expressions/verdicts.json. `--all` asks about all of them again (minutes).
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const { checkerVerdict, verdictFile } = await import('../build/test/expressions/checker.js');
const { sourceExpressions } = await import('../build/test/expressions/source-expressions.js');

const asksAll = process.argv.includes('--all');
const known =
  asksAll || !existsSync(verdictFile) ? {} : JSON.parse(readFileSync(verdictFile, 'utf8'));
const { expressions } = await sourceExpressions();
const answers = {};
for (const entry of expressions) {
  const name = `/${entry.source}/${entry.flags}`;
  answers[name] = known[name] ?? checkerVerdict(entry, 3000);
  if (answers[name] === 'vulnerable') process.stdout.write(`${entry.file}: ${name}\n`);
}
const sorted = Object.fromEntries(Object.entries(answers).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(verdictFile, `${JSON.stringify(sorted, null, 2)}\n`);
const count = (verdict) => Object.values(answers).filter((each) => each === verdict).length;
process.stdout.write(
  `${expressions.length} expressions: ${count('safe')} safe, ${count('unknown')} undecided, ${count('vulnerable')} vulnerable\n`,
);
process.exit(0);
