import { stem } from '../text/stem.js';
import { readStack } from './read-stack.js';
import { toolCategories, type ToolCategory } from './tool.js';

/** Learned by `npm run train:categories` from the example needs of the tool index. */
export interface CategoryWeights {
  /** The model whose vectors these belong to. */
  model: string;
  /** In the order of all lists below. */
  categories: readonly ToolCategory[];
  bias: readonly number[];
  /** A row of hundredths for each dimension of the vector. */
  meaning: readonly (readonly number[])[];
  /** For words and pairs of words: a category, what they say for it in hundredths, and so on. */
  words: Readonly<Record<string, readonly number[]>>;
}

/** Tells the category of a need by its words and what it means, together. */
export interface CategoryHead {
  readonly model: string;
  /** How likely each category is, by its place; they add up to 1. */
  sharesOf(text: string, meaning: Float32Array): Float64Array;
}

const word = /[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu;
/** Of a long text this many words are read. */
const mostWords = 80;
/** So many words or fewer say as much each as so many do. */
const fewFeatures = 4;

/**
 * The words of a need and what stands side by side, as stems. Languages and frameworks are none:
 * they choose among tools, and say no category.
 */
export function categoryFeatures(text: string): string[] {
  const words = (readStack(text).rest.toLowerCase().replaceAll('’', "'").match(word) ?? [])
    .slice(0, mostWords)
    .map((each) => (/^\d/.test(each) ? '#' : stem(each)));
  return [...new Set([...words, ...words.slice(1).map((each, at) => `${words[at]} ${each}`)])];
}

/** By how much each of so many features counts. */
export function wordShare(count: number): number {
  return 4 / Math.sqrt(Math.max(fewFeatures, count));
}

export function createCategoryHead(weights: CategoryWeights): CategoryHead {
  const size = toolCategories.length;
  const places = weights.categories.map((name) => toolCategories.indexOf(name));
  const known = new Map(Object.entries(weights.words));
  return {
    model: weights.model,
    sharesOf(text, meaning) {
      const sums = new Float64Array(size);
      for (const [at, place] of places.entries()) sums[place] = weights.bias[at] ?? 0;
      const features = categoryFeatures(text);
      const share = wordShare(features.length) / 100;
      for (const feature of features) {
        const said = known.get(feature) ?? [];
        for (let at = 0; at < said.length; at += 2) {
          const place = places[said[at] ?? 0] ?? 0;
          sums[place] = (sums[place] ?? 0) + share * (said[at + 1] ?? 0);
        }
      }
      for (const [at, row] of weights.meaning.entries()) {
        const value = (meaning[at] ?? 0) / 100;
        for (const [of, weight] of row.entries()) {
          const place = places[of] ?? 0;
          sums[place] = (sums[place] ?? 0) + value * weight;
        }
      }
      return softmax(sums);
    },
  };
}

function softmax(sums: Float64Array): Float64Array {
  const most = Math.max(...sums);
  const powers = sums.map((sum) => Math.exp(sum - most));
  const total = powers.reduce((whole, power) => whole + power, 0);
  return powers.map((power) => power / total);
}
