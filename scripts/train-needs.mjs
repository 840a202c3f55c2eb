// `npm run train:needs`: learns whether a message is a need that a tool for developers answers, and
// writes reader/needs/weights.json. It says so of messages it was not shown: one conversation, one
// tool and one line in six is held back first. Examples: reader/needs/examples.txt, the example
// needs and keywords of catalog/tools, what people say beside them (reader/mentions), and how the
// conversations of reader/examples begin. After `npm run build`; minutes on one core; the same
// weights each time.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../reader/needs/', import.meta.url);
const [rounds, step, decay] = [12, 0.03, 1e-4];
/** Vectors have length one: what they say weighs as much as some words do. */
const meaningScale = 8;
/** Hundredths: words that say less than this are left out. */
const leastWord = 40;
/** Like what the server keeps of a long message. */
const longestText = 600;
/** How much an example counts, by where it is from. */
const weightOf = {
  own: 6,
  trade: 4,
  need: 1,
  keyword: 0.5,
  beside: 0.7,
  code: 2,
  talk: 1,
  wrapped: 2,
};

const linesOf = (name) => readFileSync(new URL(name, folder), 'utf8').split('\n');
const isHeld = ({ group }) => createHash('md5').update(group).digest()[0] % 6 === 0;

/** The same choices in every run. */
function createDice(seed) {
  let state = seed;
  const roll = (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  return { roll, pick: (list) => list[roll(list.length)] };
}

function readOwn() {
  const trades = new Map();
  const examples = [];
  const frames = [];
  for (const line of linesOf('examples.txt')) {
    if (/^[+?]/.test(line)) for (const one of line.split(' ')) trades.set(one.slice(1), one[0]);
    if (/^[TN] /.test(line))
      examples.push({ text: line.slice(2), isNeed: line[0] === 'T', from: 'own', group: line });
    if (line.startsWith('F ')) frames.push(line.slice(2));
  }
  return { trades, examples, frames };
}

/** The same messages as agents, tickets and chatty people put them. */
function wrap(examples, frames) {
  const { roll, pick } = createDice(4711);
  const wrapped = examples
    .filter(({ from, isNeed }) => from !== 'own' || !isNeed || roll(2) === 0)
    .map((one) => ({ ...one, text: pick(frames).replace('*', one.text), from: 'wrapped' }));
  return wrapped.filter(({ text }) => text.length < longestText);
}

/** How each conversation of a file begins, with what its label says. */
function* openingsOf(file) {
  const text = readFileSync(new URL(`../examples/${file}`, folder), 'utf8');
  for (const part of text.split(/\n\n+/)) {
    const lines = part.split('\n').filter((line) => !line.startsWith('#'));
    const at = lines.findIndex((line) => line.startsWith('> '));
    if (at < 1) continue;
    const rest = lines.slice(at + 1);
    const end = rest.findIndex((line) => !line.startsWith('  '));
    const more = end < 0 ? rest : rest.slice(0, end);
    const label = lines.slice(0, at).findLast((line) => /^(?:need|none|never)\b/.test(line)) ?? '';
    const [kind, trade] = label.split('|')[0].trim().split(' ');
    const message = [lines[at].slice(2), ...more.map((line) => line.slice(2))].join('\n');
    yield { message, trade: kind === 'need' ? trade : null };
  }
}

function readTalks(trades) {
  const examples = [];
  for (const file of readdirSync(new URL('../examples/', folder))) {
    if (file === 'languages.txt') continue;
    for (const { message, trade } of openingsOf(file)) {
      const sign = trades.get(trade);
      if (sign === '?') continue;
      const from = sign === '+' ? 'trade' : file === 'code.txt' ? 'code' : 'talk';
      examples.push({ text: message, isNeed: sign === '+', from, group: message });
    }
  }
  return examples;
}

function readCatalog(tools) {
  const { pick } = createDice(12345);
  const examples = tools.flatMap(({ slug, needs, keywords }) => [
    ...needs.map((text) => ({ text, isNeed: true, from: 'need', group: slug })),
    ...keywords.map((text) => ({ text, isNeed: true, from: 'keyword', group: slug })),
  ]);
  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  for (const line of linesOf('../mentions/examples.txt')) {
    if (line === '' || line.startsWith('#')) continue;
    const said = line.replace(/\[[A-Z]\]/g, () => pick(tools).name);
    const tool = pick(tools);
    const need = pick(tool.needs);
    const text = pick([
      `${need}, ${said}`,
      `${said}, ${need}`,
      `${capital(said)}. ${capital(need)}`,
      `${said} and we need ${need}`,
      `${need} but ${said}`,
    ]);
    examples.push({ text, isNeed: true, from: 'beside', group: tool.slug });
  }
  return examples;
}

/** Words get a number when they are met twice. */
function numberWords(examples, featuresOf) {
  const met = new Map();
  for (const example of examples) {
    example.features = featuresOf(example.text);
    for (const feature of example.features) met.set(feature, (met.get(feature) ?? 0) + 1);
  }
  const known = [...met].filter(([, times]) => times > 1).map(([feature]) => feature);
  const numbers = new Map(known.map((feature, at) => [feature, at]));
  for (const example of examples)
    example.ids = example.features.flatMap((feature) => numbers.get(feature) ?? []);
  return numbers;
}

function oddsOf({ bias, words, meaning }, { ids, share, vector }) {
  let odds = bias;
  for (const id of ids) odds += share * words[id];
  for (let at = 0; at < vector.length; at++) odds += meaningScale * vector[at] * meaning[at];
  return odds;
}

/** Logistic regression, one example at a time, with steps that shrink where much was learned. */
function train(examples, size) {
  const { roll } = createDice(7);
  const width = examples[0].vector.length;
  const head = { bias: 0, words: new Float64Array(size), meaning: new Float64Array(width) };
  const learned = {
    words: new Float64Array(size).fill(1e-6),
    meaning: new Float64Array(width).fill(1e-6),
  };
  const move = (name, at, slope, speed) => {
    const whole = slope + decay * head[name][at];
    learned[name][at] += whole * whole;
    head[name][at] -= (speed * whole) / Math.sqrt(learned[name][at]);
  };
  const sum = (list) => list.reduce((total, { from }) => total + weightOf[from], 0);
  const even =
    sum(examples.filter(({ isNeed }) => isNeed)) / sum(examples.filter(({ isNeed }) => !isNeed));
  const order = [...examples];
  for (let round = 0; round < rounds; round++) {
    for (let last = order.length - 1; last > 0; last--) {
      const other = roll(last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    for (const example of order) {
      const { isNeed, from, ids, share, vector } = example;
      const told = 1 / (1 + Math.exp(-oddsOf(head, example)));
      const slope = (told - (isNeed ? 1 : 0)) * weightOf[from] * (isNeed ? 1 : even);
      head.bias -= 0.01 * slope;
      for (const id of ids) move('words', id, slope * share, 3 * step);
      for (let at = 0; at < width; at++)
        move('meaning', at, slope * meaningScale * vector[at], step);
    }
  }
  return head;
}

/** How often the head is right about what was held back, by where it is from. */
function judge(examples, size) {
  const head = train(
    examples.filter((one) => !isHeld(one)),
    size,
  );
  const held = examples.filter(isHeld).map((one) => ({ ...one, odds: oddsOf(head, one) }));
  for (const from of Object.keys(weightOf))
    for (const isNeed of [true, false]) {
      const part = held.filter((one) => one.from === from && one.isNeed === isNeed);
      if (part.length === 0) continue;
      const [half, least] = [0, -1].map((edge) => part.filter(({ odds }) => odds > edge).length);
      process.stdout.write(
        `held back, ${from}, ${isNeed ? 'needs' : 'none'}: taken for a need ${half} of ${part.length} (odds above 0), ${least} (above -1)\n`,
      );
    }
  if (process.argv.includes('--show'))
    for (const { isNeed, odds, text } of held)
      if (isNeed ? odds < -1 : odds > 0)
        process.stdout.write(`  ${isNeed ? 'T' : 'N'} ${odds.toFixed(1)}  ${text.slice(0, 120)}\n`);
}

const { needFeatures, featureShare } = await import('../build/src/domain/tool-search/tool-need.js');
const { readTools } = await import('../build/src/platform/catalog-folder/read-tools.js');
const { createEmbedder } = await import('../build/src/platform/embedding/create-embedder.js');
const own = readOwn();
const tools = await readTools();
const needs = tools.map(({ slug, needs: [text] }) => ({ text, isNeed: true, group: slug }));
const all = [
  ...own.examples,
  ...readCatalog(tools),
  ...readTalks(own.trades),
  ...wrap([...own.examples, ...needs], own.frames),
];
const examples = [...new Map(all.map((one) => [one.text.toLowerCase(), one])).values()];
const embedder = createEmbedder({ workers: 1, cacheSize: 10, log: { info() {}, warn() {} } });
await embedder.ready;
for (const one of examples) [one.vector] = await embedder.embed([one.text.slice(-longestText)]);
const numbers = numberWords(examples, needFeatures);
for (const one of examples) one.share = featureShare(one.features.length);
if (!process.argv.includes('--quick')) judge(examples, numbers.size);
const head = train(examples, numbers.size);
const words = Object.fromEntries(
  [...numbers]
    .map(([feature, at]) => [feature, Math.round(100 * head.words[at])])
    .filter(([, weight]) => Math.abs(weight) >= leastWord)
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);
const weights = {
  model: embedder.modelId,
  bias: Number(head.bias.toFixed(3)),
  meaning: Array.from(head.meaning, (weight) => Number((meaningScale * weight).toFixed(3))),
  words,
};
writeFileSync(
  new URL('weights.json', folder),
  `${JSON.stringify(weights).replaceAll(',"', ',\n"')}\n`,
);
process.stdout.write(
  `${examples.length} examples, ${Object.keys(words).length} of ${numbers.size} words kept: ${fileURLToPath(folder)}weights.json\n`,
);
await embedder.close();
