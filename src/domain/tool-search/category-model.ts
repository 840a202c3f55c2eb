import { type Tool, toolCategories } from './tool.js';

const smoothing = 0.4;
/** Of a category, whatever the words say: an unheard-of combination stays possible. */
const floor = 0.01;

/** Which category a text is about, as shares that add up to 1. */
export interface CategoryModel {
  byWords(terms: Iterable<string>): Float64Array;
}

export const categoryPlace: ReadonlyMap<string, number> = new Map(
  toolCategories.map((category, place) => [category, place]),
);

/** The words of a tool, field by field. */
export interface ToolWords {
  name: readonly string[];
  keywords: readonly string[];
  description: readonly string[];
  category: readonly string[];
  needs: readonly (readonly string[])[];
}

/** How likely each word is in the texts of a category, learned from the tool index. */
export function createCategoryModel(
  tools: readonly Tool[],
  wordsOf: readonly ToolWords[],
): CategoryModel {
  const size = toolCategories.length;
  const counts = new Map<string, Float64Array>();
  const totals = new Float64Array(size);
  const learn = (place: number, terms: readonly string[], weight: number): void => {
    for (const term of terms) {
      const row = counts.get(term) ?? new Float64Array(size);
      counts.set(term, row);
      row[place] = (row[place] ?? 0) + weight;
      totals[place] = (totals[place] ?? 0) + weight;
    }
  };
  for (const [at, words] of wordsOf.entries()) {
    const place = categoryPlace.get(tools[at]?.category ?? '') ?? 0;
    for (const need of words.needs) learn(place, need, 1);
    learn(place, words.description, 1);
    learn(place, words.keywords, 2);
    learn(place, words.category, 2);
  }
  const likelihoods = new Map<string, Float64Array>();
  for (const [term, row] of counts)
    likelihoods.set(
      term,
      row.map((count, place) =>
        Math.log((count + smoothing) / ((totals[place] ?? 0) + smoothing * counts.size)),
      ),
    );
  return {
    byWords(terms) {
      const sums = new Float64Array(size);
      for (const term of terms) {
        const row = likelihoods.get(term);
        if (row !== undefined)
          for (let place = 0; place < size; place++)
            sums[place] = (sums[place] ?? 0) + (row[place] ?? 0);
      }
      return sharesOf(sums);
    },
  };
}

function sharesOf(logs: Float64Array): Float64Array {
  let most = -Infinity;
  for (let place = 0; place < logs.length; place++) most = Math.max(most, logs[place] ?? 0);
  let sum = 0;
  for (let place = 0; place < logs.length; place++) {
    logs[place] = Math.exp((logs[place] ?? 0) - most);
    sum += logs[place] ?? 0;
  }
  for (let place = 0; place < logs.length; place++) logs[place] = (logs[place] ?? 0) / sum;
  return logs;
}

/** What an opinion is worth: 0 for a category it is sure of, below for the rest. */
export function weighShares(shares: Float64Array, weight: number): Float64Array {
  return shares.map((share) => weight * Math.log((share + floor) / (1 + floor)));
}
