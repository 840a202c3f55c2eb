// How well and how fast conversations find ad groups.
//   npm run bench -- matching [quality | speed] [set]
// SIDELIGHT_DATA=<folder with context/*.json.gz> judges on those as well as on our own
// conversations; MISTAKES=<set or kind> lists what went wrong.
import { readMatchingLists } from '../src/platform/catalog-folder/read-matching-lists.js';
import { createReader } from '../src/platform/embedding/create-reader.js';
import { growth, modelCost } from './matching/growth.js';
import { judgeSets, judgeVariant, reliability } from './matching/judge-sets.js';
import { readJudgedSets } from './matching/judged-sets.js';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

export const summary =
  'quality of matching through HTTP on judged conversations; cost of a reading and of a decision';

export async function run([only, chosen, variant]: readonly string[]): Promise<void> {
  const folder = process.env['SIDELIGHT_DATA'];
  if (only === 'judge' && variant !== undefined) {
    const set = readJudgedSets(folder).find(({ name }) => name === chosen);
    if (set !== undefined) await judgeVariant(set, variant);
    process.exit(0);
  }
  if (folder === undefined)
    print('SIDELIGHT_DATA is not set: judged on our own conversations only');
  const sets = readJudgedSets(folder).filter(({ name }) => chosen === undefined || name === chosen);
  if (only !== 'speed') reliability(await judgeSets(sets));
  if (only === 'quality') return;
  const reader = createReader({
    workers: 1,
    cacheSize: 10_000,
    log: { info() {}, warn: (details, message) => print(`${message} ${JSON.stringify(details)}`) },
  });
  await reader.ready;
  try {
    if (reader.status !== 'ready') return print('there is no model on this machine');
    await modelCost(reader);
    await growth(
      reader,
      readMatchingLists(),
      sets
        .flatMap(({ cases }) => cases)
        .slice(0, 200)
        .map(({ messages }) => messages),
    );
  } finally {
    await reader.close();
  }
}
