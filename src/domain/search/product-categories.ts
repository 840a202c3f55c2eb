// Sorts listings onto fifteen shelves, from the merchant's own category path and the title.
import { gap, productTokens, type ProductTokens } from './product-tokens.js';
import { stemOf } from './term-dictionary.js';
import { pairsOf, wordsOf } from '../text/read-words.js';
import { wordLists } from './word-lists.js';

export const productCategories = [
  'apparel',
  'footwear',
  'furniture_decor',
  'home_kitchen',
  'beauty_personal_care',
  'electronics_computing',
  'jewelry_watches',
  'sports_outdoors',
  'tools_hardware',
  'toys_kids',
  'baby',
  'pets',
  'auto',
  'books_media',
  'other',
] as const;
export type ProductCategory = (typeof productCategories)[number];

const cues = pairsOf(wordLists.shelves);

/** A shelf named in the files of `catalog/`, which are checked when they are written down. */
function categoryNamed(name: string): ProductCategory {
  return productCategories.find((category) => category === name) ?? 'other';
}

function readCues(): ReadonlyMap<string, readonly ProductCategory[]> {
  const shelves = new Map<string, ProductCategory[]>();
  for (const [name, named] of cues) {
    const category = categoryNamed(name);
    for (const cue of named) {
      const key = cue.split(/\s+/).map(stemOf).join(' ');
      const known = shelves.get(key);
      if (known === undefined) shelves.set(key, [category]);
      else if (!known.includes(category)) known.push(category);
    }
  }
  return shelves;
}

/** Stems joined by a space, to the shelves they speak for. */
const shelvesByCue = readCues();
const firstStems: ReadonlySet<string> = new Set(
  [...shelvesByCue.keys()].filter((cue) => cue.includes(' ')).map((cue) => cue.split(' ')[0] ?? ''),
);

const cueWords: ReadonlySet<string> = new Set(
  [...shelvesByCue.keys()].flatMap((cue) => cue.split(' ')),
);

/** A word that names a kind of product, whether or not any catalog has one. */
export function isProductWord(word: string): boolean {
  return cueWords.has(stemOf(word));
}

/** A word that by itself names a kind of product ("jacket", not "leather"). */
export function namesProductKind(word: string): boolean {
  return shelvesByCue.has(stemOf(word));
}

/** Whether the words name a kind of product, one by itself or two together ("motor oil"). */
export function nameProductKind(words: readonly string[]): boolean {
  const stems = words.map(stemOf);
  return stems.some(
    (stem, at) =>
      shelvesByCue.has(stem) ||
      (firstStems.has(stem) && shelvesByCue.has(`${stem} ${stems[at + 1] ?? ''}`)),
  );
}

/** Department names in a path that settle the matter unless a later one disagrees. */
const departments: ReadonlyMap<string, ProductCategory> = new Map(
  pairsOf(wordLists.departments).map(([name, [shelf = '']]) => [name, categoryNamed(shelf)]),
);
const departmentWeight = 6;

const endsTheThing = new Set(wordsOf(wordLists.thingEnds));
const lettered = /[a-z]/;

type Scores = Float64Array;

function addCues(stems: readonly string[], weight: number, scores: Scores): void {
  for (let at = 0; at < stems.length; at++) {
    const one = stems[at] ?? '';
    const pair =
      firstStems.has(one) && at + 1 < stems.length
        ? shelvesByCue.get(`${one} ${stems[at + 1] ?? ''}`)
        : undefined;
    const shelves = pair ?? shelvesByCue.get(one);
    if (shelves !== undefined)
      for (const shelf of shelves)
        scores[productCategories.indexOf(shelf)]! +=
          (weight * (pair === undefined ? 1 : 2)) / shelves.length;
    if (pair !== undefined) at += 1;
  }
}

/**
 * Words of the title up to "for", "with" and the like: what the thing is, not what it goes with.
 */
function thing({ words, gaps }: ProductTokens): string[] {
  let end = words.length;
  for (let at = 1; at < words.length; at++) {
    if (!endsTheThing.has(words[at] ?? '') && !(at > 2 && (gaps[at] ?? 0) >= gap.phrase)) continue;
    end = at;
    break;
  }
  return words.slice(0, end).filter((word) => lettered.test(word));
}

/** What a category path says about the shelf. Paths repeat; callers keep the answer. */
export function pathScores(category: string, stem: (word: string) => string = stemOf): Scores {
  const scores = new Float64Array(productCategories.length);
  const segments = category
    .split(/>|\/|\||»/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const [at, segment] of segments.entries()) {
    addCues(productTokens(segment).words.map(stem), 1.5 + (3 * (at + 1)) / segments.length, scores);
    const department = departments.get(segment.toLowerCase());
    if (department !== undefined)
      scores[productCategories.indexOf(department)]! += departmentWeight;
  }
  return scores;
}

/**
 * The shelf of a listing. The leaf of the merchant's path speaks loudest; the end of the title's
 * first phrase names the thing.
 */
export function categorizeTokens(
  path: Scores | null,
  title: ProductTokens,
  stem: (word: string) => string = stemOf,
): ProductCategory {
  const scores = path === null ? new Float64Array(productCategories.length) : path.slice();
  const named = thing(title).map(stem);
  addCues(named, 1, scores);
  addCues(named.slice(-3), 1.5, scores);
  if (scores.every((score) => score === 0)) addCues(title.words.map(stem), 1, scores);
  let best: ProductCategory = 'other';
  let most = 0;
  for (const [at, shelf] of productCategories.entries()) {
    const score = scores[at] ?? 0;
    if (score <= most) continue;
    best = shelf;
    most = score;
  }
  return best;
}

export function categorize(category: string | null, title: string): ProductCategory {
  return categorizeTokens(category === null ? null : pathScores(category), productTokens(title));
}
