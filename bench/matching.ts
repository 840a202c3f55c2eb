// How well and how fast conversations find ad groups.
//   npm run bench -- matching [quality | speed] [set]
// SIDELIGHT_DATA=<folder with context/*.json.gz> judges on those as well as on our own
// conversations; MISTAKES=<set or kind> lists what went wrong.
import { readMatchingLists } from '../src/platform/catalogue/read-matching-lists.js';
import { createReader } from '../src/platform/embedding/create-reader.js';
import { growth, modelCost } from './matching/growth.js';
import { judgeSets, reliability } from './matching/judge-sets.js';
import { readJudgedSets } from './matching/judged-sets.js';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

export const summary =
  'quality of matching through HTTP on judged conversations; cost of a reading and of a decision';

export async function run([only, chosen]: readonly string[]): Promise<void> {
  const folder = process.env['SIDELIGHT_DATA'];
  if (folder === undefined)
    print('SIDELIGHT_DATA is not set: judged on our own conversations only');
  const sets = readJudgedSets(folder).filter(({ name }) => chosen === undefined || name === chosen);
  // Open before the first app and until after the last: a process can load the runtime of the
  // model again only while somebody holds it.
  const reader = createReader({
    workers: 1,
    cacheSize: 10_000,
    log: { info() {}, warn: (details, message) => print(`${message} ${JSON.stringify(details)}`) },
  });
  await reader.ready;
  try {
    if (reader.status !== 'ready') return print('there is no model on this machine');
    if (only !== 'speed') reliability(await judgeSets(sets));
    if (only === 'quality') return;
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
