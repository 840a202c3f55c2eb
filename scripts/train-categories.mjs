// `npm run train:categories`: learns which category of tools a need asks for, from the example
// needs and keywords of catalog/tools, and writes reader/categories/weights.json. It says how often
// it is right about needs of which it was not shown any, and about the judged needs of
// test/fixtures. After `npm run build`; a minute or two on one core; the same weights each time.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { shares } from './shares.mjs';

const folder = new URL('../reader/categories/', import.meta.url);
const [rounds, step, decay] = [14, 0.04, 2e-4];
/** Vectors have length one. */
const scale = 6;
/** Hundredths: what words say less than this is left out. */
const leastWord = 25;
/** Keywords are said about needs; needs are what people say. */
const weightOf = { need: 1, keyword: 0.4 };

const linesOf = (name) =>
  readFileSync(new URL(`../reader/${name}`, import.meta.url), 'utf8').split('\n');

/** The same choices in every run. */
function createDice(seed) {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

function readExamples(tools, categories) {
  return tools.flatMap(({ slug, category, needs, keywords }) => {
    const of = { category: categories.indexOf(category), group: slug };
    return [
      ...needs.map((text) => ({ ...of, text, from: 'need' })),
      ...keywords.map((text) => ({ ...of, text, from: 'keyword' })),
    ];
  });
}

/** Conditions and what messages are wrapped in say no category: each need is told beside some. */
function besideOthers(examples) {
  const roll = createDice(2024);
  const pick = (list) => list[roll(list.length)];
  const wishes = linesOf('wishes/examples.txt')
    .filter((line) => /^[SMFOCHVN] /.test(line))
    .map((line) => line.slice(2));
  const frames = linesOf('needs/examples.txt')
    .filter((line) => line.startsWith('F '))
    .map((line) => line.slice(2));
  return examples
    .filter(({ from }) => from === 'need')
    .map((one) => ({
      ...one,
      text: pick([
        () => `${one.text}, ${pick(wishes)}`,
        () => `${pick(wishes)}, ${one.text}`,
        () => pick(frames).replace('*', one.text),
      ])(),
    }));
}

/** Words get a number when they are met twice. */
function numberWords(examples, featuresOf) {
  const met = new Map();
  for (const example of examples) {
    example.features = featuresOf(example.text);
    for (const feature of example.features) met.set(feature, (met.get(feature) ?? 0) + 1);
  }
  const known = [...met].filter(([, times]) => times > 1).map(([feature]) => feature);
  return new Map(known.map((feature, at) => [feature, at]));
}

function sumsOf({ bias, words, meaning }, { ids, share, vector }, size) {
  const sums = [...bias];
  for (const id of ids) for (let of = 0; of < size; of++) sums[of] += share * words[id * size + of];
  for (let at = 0; at < vector.length; at++)
    for (let of = 0; of < size; of++) sums[of] += scale * vector[at] * meaning[at * size + of];
  return sums;
}

/** Logistic regression, one example at a time, with steps that shrink where much was learned. */
function train(examples, count, size) {
  const roll = createDice(7);
  const width = examples[0].vector.length;
  const head = {
    bias: new Float64Array(size),
    words: new Float64Array(count * size),
    meaning: new Float64Array(width * size),
  };
  const learned = {
    words: new Float64Array(count * size).fill(1e-4),
    meaning: new Float64Array(width * size).fill(1e-4),
  };
  const move = (name, place, slope) => {
    const whole = slope + decay * head[name][place];
    learned[name][place] += whole * whole;
    head[name][place] -= (step * whole) / Math.sqrt(learned[name][place]);
  };
  const order = [...examples];
  for (let round = 0; round < rounds; round++) {
    for (let last = order.length - 1; last > 0; last--) {
      const other = roll(last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    for (const example of order) {
      const told = shares(sumsOf(head, example, size));
      for (let of = 0; of < size; of++) {
        const slope = (told[of] - (of === example.category ? 1 : 0)) * weightOf[example.from];
        if (Math.abs(slope) < 1e-4) continue;
        head.bias[of] -= 0.002 * slope;
        for (const id of example.ids) move('words', id * size + of, slope * example.share);
        for (let at = 0; at < width; at++)
          move('meaning', at * size + of, slope * scale * example.vector[at]);
      }
    }
  }
  return head;
}

const { categoryFeatures, wordShare } =
  await import('../build/src/domain/tool-search/category-head.js');
const { toolCategories: categories } = await import('../build/src/domain/tool-search/tool.js');
const { readTools } = await import('../build/src/platform/catalog-folder/read-tools.js');
const { createEmbedder } = await import('../build/src/platform/embedding/create-embedder.js');
const size = categories.length;
const plain = readExamples(await readTools(), categories);
const examples = [...plain, ...besideOthers(plain)];
const embedder = createEmbedder({ workers: 1, cacheSize: 10, log: { info() {}, warn() {} } });
await embedder.ready;
for (const one of examples) [one.vector] = await embedder.embed([one.text]);
const numbers = numberWords(examples, categoryFeatures);
const read = (one) => {
  const features = one.features ?? categoryFeatures(one.text);
  one.ids = features.flatMap((feature) => numbers.get(feature) ?? []);
  one.share = wordShare(features.length);
};
for (const one of examples) read(one);

function judge(name, head, judged) {
  const right = judged.filter((one) => {
    const sums = sumsOf(head, one, size);
    return one.right.includes(sums.indexOf(Math.max(...sums)));
  });
  process.stdout.write(`${name}: ${right.length} of ${judged.length} right\n`);
}

if (!process.argv.includes('--quick')) {
  const isHeld = ({ group, text }) =>
    createHash('md5').update(`${group} ${text}`).digest()[0] % 6 === 0;
  const held = plain.filter((one) => one.from === 'need' && isHeld(one));
  const shown = new Set(held.map(({ text }) => text));
  const rest = examples.filter(({ text }) => ![...shown].some((each) => text.includes(each)));
  const head = train(rest, numbers.size, size);
  judge(
    'needs held back',
    head,
    held.map((one) => ({ ...one, right: [one.category] })),
  );
}
const head = train(examples, numbers.size, size);
const hundredths = (weight) => Math.round(100 * weight);
const words = Object.fromEntries(
  [...numbers]
    .map(([feature, id]) => [
      feature,
      categories.flatMap((_, of) => {
        const weight = hundredths(head.words[id * size + of]);
        return Math.abs(weight) < leastWord ? [] : [of, weight];
      }),
    ])
    .filter(([, said]) => said.length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);
const weights = {
  model: embedder.modelId,
  categories,
  bias: Array.from(head.bias, (weight) => Number(weight.toFixed(2))),
  meaning: Array.from({ length: head.meaning.length / size }, (_, at) =>
    categories.map((__, of) => hundredths(scale * head.meaning[at * size + of])),
  ),
  words,
};
writeFileSync(
  new URL('weights.json', folder),
  `${JSON.stringify(weights).replaceAll('],', '],\n')}\n`,
);
process.stdout.write(
  `${examples.length} examples, ${Object.keys(words).length} of ${numbers.size} words kept: ${fileURLToPath(folder)}weights.json\n`,
);
await embedder.close();
