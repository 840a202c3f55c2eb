// `npm run train:mentions`: learns from reader/mentions/examples.txt what a text says about a tool
// it names, writes reader/mentions/weights.json, and says how often the head is right about
// examples it was not shown. Each example is read alone and beside needs of the tool index, with
// the shipped sentence model. After `npm run build`; minutes on one core; the same weights each
// time.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { shares } from './shares.mjs';

const folder = new URL('../reader/mentions/', import.meta.url);
const folds = 5;
const rounds = 10;
const step = 0.03;
const decay = 1e-4;
/** Vectors have length one: what they say weighs as much as some words do. */
const meaningScale = 8;
/** Hundredths: words that say less than this are left out. */
const leastWord = 12;
const letters = 'ULHBW';
const mark = /\[([ULHBW])\]/g;

/** The same numbers in every run. */
function createDice(seed) {
  let state = seed;
  const roll = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return { roll, pick: (list) => list[Math.floor(roll() * list.length)] };
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** An example alone, and before and behind a need that somebody could have. */
function variantsOf(line, needs, { pick }) {
  const need = () => pick(needs);
  const wish = () => pick(['', 'we need ', 'I need ', 'now we need ', 'looking for ', 'who can ']);
  return [
    line,
    line,
    `${capital(line)}.`,
    `${need()}, ${line}`,
    `${need()}, ${line}`,
    `${capital(need())}. ${capital(line)}.`,
    `${line}, ${wish()}${need()}`,
    `${line}, ${need()}`,
    `${capital(line)}. ${capital(wish() + need())}`,
    `${line} and ${pick(['we need ', 'want ', 'still need '])}${need()}`,
    `${need()} but ${line}`,
    `${need()} ${line}`,
  ];
}

function readSpots(text, spotsOf) {
  const places = [];
  const roles = [];
  let bare = '';
  let at = 0;
  for (const match of text.matchAll(mark)) {
    bare += text.slice(at, match.index);
    places.push({ start: bare.length, end: bare.length + 4 });
    roles.push(letters.indexOf(match[1]));
    bare += 'Acme';
    at = match.index + match[0].length;
  }
  return spotsOf(bare + text.slice(at), places).map((spot, n) => ({ ...spot, role: roles[n] }));
}

function sumsOf({ bias, words, meaning }, { ids, vector }) {
  const sums = Float64Array.from(bias);
  for (const id of ids) for (let role = 0; role < 5; role++) sums[role] += words[id * 5 + role];
  for (let at = 0; at < vector.length; at++)
    for (let role = 0; role < 5; role++)
      sums[role] += meaningScale * vector[at] * meaning[at * 5 + role];
  return sums;
}

/** Logistic regression, one spot at a time, with steps that shrink where much was learned. */
function train(spots, size) {
  const { roll } = createDice(99);
  const width = spots[0].vector.length;
  const head = {
    bias: new Float64Array(5),
    words: new Float64Array(size * 5),
    meaning: new Float64Array(width * 5),
  };
  const learned = {
    words: new Float64Array(size * 5).fill(1e-6),
    meaning: new Float64Array(width * 5).fill(1e-6),
  };
  const often = new Float64Array(5);
  for (const { role } of spots) often[role] += 1;
  const move = (name, at, slope) => {
    const whole = slope + decay * head[name][at];
    learned[name][at] += whole * whole;
    head[name][at] -= (step * whole) / Math.sqrt(learned[name][at]);
  };
  const order = [...spots];
  for (let round = 0; round < rounds; round++) {
    for (let last = order.length - 1; last > 0; last--) {
      const other = Math.floor(roll() * (last + 1));
      [order[last], order[other]] = [order[other], order[last]];
    }
    for (const spot of order) {
      const told = shares(sumsOf(head, spot));
      const weight = Math.sqrt(spots.length / 5 / often[spot.role]);
      for (let role = 0; role < 5; role++) {
        const slope = (told[role] - (role === spot.role ? 1 : 0)) * weight;
        head.bias[role] -= 0.01 * slope;
        for (const id of spot.ids) move('words', id * 5 + role, slope);
        for (let at = 0; at < width; at++)
          move('meaning', at * 5 + role, slope * meaningScale * spot.vector[at]);
      }
    }
  }
  return head;
}

const isOut = (role) => role < 2;

function judge(examples, size) {
  let [right, sideRight, count] = [0, 0, 0];
  const wrong = new Map();
  for (let fold = 0; fold < folds; fold++) {
    const isHeld = (at) => (at * 7919) % folds === fold;
    const head = train(
      examples.flatMap(({ spots }, at) => (isHeld(at) ? [] : spots)),
      size,
    );
    for (const [at, { line, spots }] of examples.entries()) {
      if (!isHeld(at)) continue;
      for (const spot of spots) {
        const told = shares(sumsOf(head, spot));
        const best = told.indexOf(Math.max(...told));
        count += 1;
        right += best === spot.role ? 1 : 0;
        sideRight += isOut(best) === isOut(spot.role) ? 1 : 0;
        if (isOut(best) !== isOut(spot.role)) wrong.set(line, letters[best]);
      }
    }
  }
  const share = (part) => (part / count).toFixed(3);
  process.stdout.write(
    `held back: ${share(right)} right of five roles, ${share(sideRight)} of in or out\n`,
  );
  if (process.argv.includes('--show'))
    for (const [line, letter] of wrong) process.stdout.write(`  ${letter}  ${line}\n`);
}

const { spotsOf } = await import('../build/src/domain/tool-search/mention-roles.js');
const { readTools } = await import('../build/src/platform/catalog-folder/read-tools.js');
const { createEmbedder } = await import('../build/src/platform/embedding/create-embedder.js');
const needs = (await readTools()).flatMap((tool) => tool.needs);
const lines = readFileSync(new URL('examples.txt', folder), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const dice = createDice(12345);
const numbers = new Map();
const numberOf = (feature) => {
  if (!numbers.has(feature)) numbers.set(feature, numbers.size);
  return numbers.get(feature);
};
const embedder = createEmbedder({ workers: 1, cacheSize: 50_000, log: { info() {}, warn() {} } });
await embedder.ready;
const examples = [];
for (const line of lines) {
  const spots = variantsOf(line, needs, dice).flatMap((text) => readSpots(text, spotsOf));
  const vectors = await embedder.embed(spots.map(({ clause }) => clause));
  examples.push({
    line,
    spots: spots.map(({ features, role }, at) => ({
      role,
      ids: features.map(numberOf),
      vector: vectors[at],
    })),
  });
}
if (!process.argv.includes('--quick')) judge(examples, numbers.size);
const head = train(
  examples.flatMap(({ spots }) => spots),
  numbers.size,
);
const rowOf = (list, at, scale) =>
  Array.from({ length: 5 }, (_, role) => Math.round(list[at * 5 + role] * scale));
const words = Object.fromEntries(
  [...numbers]
    .map(([feature, at]) => [feature, rowOf(head.words, at, 100)])
    .filter(([, row]) => row.some((weight) => Math.abs(weight) >= leastWord))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);
const meaning = Array.from({ length: head.meaning.length / 5 }, (_, at) =>
  rowOf(head.meaning, at, 100 * meaningScale).map((weight) => weight / 100),
);
const weights = {
  model: embedder.modelId,
  bias: [...head.bias].map((weight) => Math.round(weight * 100) / 100),
  words,
  meaning,
};
writeFileSync(
  new URL('weights.json', folder),
  `${JSON.stringify(weights).replaceAll('],"', '],\n"').replaceAll('],[', '],\n[')}\n`,
);
process.stdout.write(
  `${lines.length} examples, ${Object.keys(words).length} of ${numbers.size} words kept: ${fileURLToPath(folder)}weights.json\n`,
);
await embedder.close();
