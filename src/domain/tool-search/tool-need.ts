import { stem } from '../text/stem.js';
import { readStack } from './read-stack.js';

/** Learned by `npm run train:needs` from `reader/needs/examples.txt` and what that names. */
export interface NeedWeights {
  /** The model whose vectors these belong to. */
  model: string;
  bias: number;
  /** Words, pairs of words and how a message begins: in hundredths. */
  words: Readonly<Record<string, number>>;
  /** For each dimension of the message's vector. */
  meaning: readonly number[];
}

/** Tells a need that a tool answers from a chore, a question and other people's trades. */
export interface NeedReader {
  readonly model: string;
  /**
   * How likely the message is such a need, as the logarithm of the odds: above 0 more likely than
   * not. `meaning` is the vector of what it is about.
   */
  oddsOf(message: string, meaning: Float32Array): number;
}

const word = /[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu;
/** Of a long message this many words at both ends are read. */
const endWords = 16;
/** What words say weighs less the more there are of them, and never more than this many do. */
const fewFeatures = 8;

/**
 * How a message begins, its words and pairs of words, as stems. A language or framework is no word
 * of it: "compare React and Vue" is "compare and".
 */
export function needFeatures(message: string): string[] {
  const words = (readStack(message).rest.toLowerCase().replaceAll('’', "'").match(word) ?? [])
    .filter((_, at, all) => at < endWords || at >= all.length - endWords)
    .map((each) => (/^\d/.test(each) ? '#' : stem(each)));
  const [first = '<', second = '<', third = '<'] = words;
  return [
    ...new Set([
      `1 ${first}`,
      `2 ${first} ${second}`,
      `3 ${first} ${second} ${third}`,
      ...words.map((each) => `w ${each}`),
      ...words.slice(1).map((each, at) => `g ${words[at]} ${each}`),
    ]),
  ];
}

/** By how much each of so many features counts. */
export function featureShare(count: number): number {
  return 1.5 / Math.sqrt(Math.max(fewFeatures, count));
}

/** A linear head over words and meaning. */
export function createNeedReader({ model, bias, words, meaning: rows }: NeedWeights): NeedReader {
  const known = new Map(Object.entries(words));
  return {
    model,
    oddsOf(message, meaning) {
      const features = needFeatures(message);
      let said = 0;
      for (const feature of features) said += (known.get(feature) ?? 0) / 100;
      let odds = bias + said * featureShare(features.length);
      for (const [at, weight] of rows.entries()) odds += weight * (meaning[at] ?? 0);
      return odds;
    },
  };
}
