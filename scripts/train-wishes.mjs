// `npm run train:wishes`: learns from reader/wishes/examples.txt what a part of a sentence asks of
// any tool, writes reader/wishes/weights.json, and says how often the head is right about examples
// it was not shown. Needs of tools that nobody can run alone stand for all that asks nothing of the
// kind. After `npm run build`; a minute on one core; the same weights each time.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { shares } from './shares.mjs';

const folder = new URL('../reader/wishes/', import.meta.url);
const folds = 5;
const rounds = 60;
const step = 0.05;
const decay = 2e-4;
/** Vectors have length one. */
const scale = 8;
const letters = 'NSMFOCHV';

function sumsOf({ bias, meaning }, vector) {
  const sums = [...bias];
  for (let at = 0; at < vector.length; at++)
    for (let wish = 0; wish < letters.length; wish++)
      sums[wish] += scale * vector[at] * meaning[at * letters.length + wish];
  return sums;
}

/** Logistic regression, one example at a time, with steps that shrink where much was learned. */
function train(examples) {
  const kinds = letters.length;
  const width = examples[0].vector.length;
  const head = {
    bias: Array.from({ length: kinds }, () => 0),
    meaning: new Float64Array(width * kinds),
  };
  const learned = new Float64Array(width * kinds).fill(1e-6);
  const often = Array.from({ length: kinds }, () => 0);
  for (const { wish } of examples) often[wish] += 1;
  let state = 7;
  const order = [...examples];
  for (let round = 0; round < rounds; round++) {
    for (let last = order.length - 1; last > 0; last--) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const other = state % (last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    for (const { vector, wish: right } of order) {
      const told = shares(sumsOf(head, vector));
      const weight = Math.sqrt(examples.length / kinds / often[right]);
      for (let wish = 0; wish < kinds; wish++) {
        const slope = (told[wish] - (wish === right ? 1 : 0)) * weight;
        head.bias[wish] -= 0.005 * slope;
        for (let at = 0; at < width; at++) {
          const place = at * kinds + wish;
          const whole = slope * scale * vector[at] + decay * head.meaning[place];
          learned[place] += whole * whole;
          head.meaning[place] -= (step * whole) / Math.sqrt(learned[place]);
        }
      }
    }
  }
  return head;
}

/** How many wishes are found at a share of `sure`, and how many are seen where none is. */
function judge(examples, sure) {
  const counts = { found: 0, wrong: 0, asked: 0, seen: 0, none: 0 };
  for (let fold = 0; fold < folds; fold++) {
    const isHeld = (at) => (at * 7919) % folds === fold;
    const head = train(examples.filter((_, at) => !isHeld(at)));
    for (const [at, { line, vector, wish }] of examples.entries()) {
      if (!isHeld(at)) continue;
      const told = shares(sumsOf(head, vector));
      const best = told.indexOf(Math.max(...told));
      const said = best > 0 && told[best] >= sure ? best : 0;
      if (wish === 0) {
        counts.none += 1;
        counts.seen += said === 0 ? 0 : 1;
      } else {
        counts.asked += 1;
        counts.found += said === wish ? 1 : 0;
        counts.wrong += said !== 0 && said !== wish ? 1 : 0;
      }
      if (process.argv.includes('--show') && said !== wish)
        process.stdout.write(`  ${letters[wish]} as ${letters[said]}  ${line}\n`);
    }
  }
  const { found, wrong, asked, seen, none } = counts;
  process.stdout.write(
    `held back, sure at ${sure}: ${found} of ${asked} wishes found, ${wrong} taken for another, ${seen} of ${none} parts that ask nothing misread\n`,
  );
}

const { readTools } = await import('../build/src/platform/catalog-folder/read-tools.js');
const { readWishes } = await import('../build/src/domain/tool-search/read-wishes.js');
const { createEmbedder } = await import('../build/src/platform/embedding/create-embedder.js');
const written = readFileSync(new URL('examples.txt', folder), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ line: line.slice(2), wish: letters.indexOf(line[0]) }));
const asksNothing = (need) => {
  const { wanted, cheap } = readWishes(need);
  return Object.keys(wanted).length === 0 && !cheap;
};
const needs = (await readTools())
  .filter(({ facts }) => !facts.self_hostable)
  .flatMap((tool) => tool.needs.filter(asksNothing).slice(0, 8))
  .map((line) => ({ line, wish: 0 }));
const embedder = createEmbedder({ workers: 1, cacheSize: 10_000, log: { info() {}, warn() {} } });
await embedder.ready;
const lines = [...written, ...needs];
const examples = [];
for (const one of lines) {
  const [vector] = await embedder.embed([one.line.toLowerCase()]);
  examples.push({ ...one, vector });
}
if (!process.argv.includes('--quick')) judge(examples, 0.6);
const head = train(examples);
const rows = Array.from({ length: head.meaning.length / letters.length }, (_, at) =>
  Array.from({ length: letters.length }, (__, wish) =>
    Number((scale * head.meaning[at * letters.length + wish]).toFixed(2)),
  ),
);
const weights = {
  model: embedder.modelId,
  bias: head.bias.map((weight) => Number(weight.toFixed(2))),
  meaning: rows,
};
writeFileSync(
  new URL('weights.json', folder),
  `${JSON.stringify(weights).replaceAll('],[', '],\n[')}\n`,
);
process.stdout.write(
  `${written.length} examples and ${needs.length} needs: ${fileURLToPath(folder)}weights.json\n`,
);
await embedder.close();
