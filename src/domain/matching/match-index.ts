import { termsOf } from '../text/terms.js';
import { identifiersIn, tokenize } from '../text/tokenize.js';
import { stem } from '../text/stem.js';
import { isStopWord } from '../text/stop-words.js';
import { negativePhrases } from './match-document.js';
import type { MatchDocument } from './match-document.js';
import { TermIndex } from './term-index.js';
import { VectorClusters } from './vector-clusters.js';

/**
 * `offer` is the meaning of the ad group's own context, kept where the phrase speaks of the same
 * thing ("harp repair" of a shop for harps).
 */
export type NegativePhrase = {
  terms: readonly string[];
  words: readonly string[];
  vector: Float32Array | null;
  offer: Float32Array | null;
};

/**
 * Everything matching keeps in memory about ad groups. Each has a slot, a small whole number the
 * caller gives out and may give out again.
 */
export type MatchIndex = {
  readonly terms: TermIndex;
  readonly vectors: VectorClusters;
  /** First word of a brand → the brands that begin with it. */
  readonly brands: Map<string, { words: readonly string[]; slot: number }[]>;
  readonly negatives: Map<number, readonly NegativePhrase[]>;
  /** Content category of each slot that was read. */
  readonly categories: Map<number, string>;
  /** A brand such as "Target" is also an ordinary word. */
  isOrdinaryWord(word: string): boolean;
  readonly size: number;
  /** Changes with every edit: what was matched at one version holds until the next. */
  readonly version: number;
  /**
   * Without vectors, because the text is yet to be read, what the slot meant before holds until it
   * is: an edit is no pause.
   */
  upsert(slot: number, document: MatchDocument, vectors: DocumentVectors | null): void;
  remove(slot: number): void;
};

/** `meaning` of `documentText`; `negatives` belong to `negativePhrases`, in that order. */
export type DocumentVectors = {
  meaning: Float32Array | null;
  negatives: readonly Float32Array[];
  category?: string | null;
};

/** `everyday` are texts of ordinary talk: they tell how common a word is. */
export function createMatchIndex(everyday: readonly string[] = []): MatchIndex {
  const ordinary = sharesOfTerms(everyday);
  const terms = new TermIndex((term) => ordinary.get(term) ?? 0);
  const vectors = new VectorClusters();
  const brands: MatchIndex['brands'] = new Map();
  const negatives: MatchIndex['negatives'] = new Map();
  const categories: MatchIndex['categories'] = new Map();
  const brandOf = new Map<number, string>();
  let version = 0;

  function forgetWords(slot: number): void {
    version++;
    terms.delete(slot);
    negatives.delete(slot);
    const first = brandOf.get(slot);
    if (first === undefined) return;
    brandOf.delete(slot);
    const rest = (brands.get(first) ?? []).filter((brand) => brand.slot !== slot);
    if (rest.length > 0) brands.set(first, rest);
    else brands.delete(first);
  }

  return {
    terms,
    vectors,
    brands,
    negatives,
    categories,
    isOrdinaryWord: (word) => ordinary.has(stem(word)) || isStopWord(word),
    get size() {
      return terms.size;
    },
    get version() {
      return version;
    },
    upsert(slot, document, given) {
      forgetWords(slot);
      terms.set(slot, termsIn(document));
      if (given?.meaning === null) vectors.delete(slot);
      else if (given !== null) vectors.set(slot, given.meaning);
      if (given?.category) categories.set(slot, given.category);
      else if (given !== null) categories.delete(slot);
      const words = tokenize(document.brand);
      const first = words[0];
      if (first !== undefined && words.join('').length >= 3) {
        brandOf.set(slot, first);
        brands.set(first, [...(brands.get(first) ?? []), { words, slot }]);
      }
      const unwanted = negativesOf(document, given);
      if (unwanted.length > 0) negatives.set(slot, unwanted);
    },
    remove(slot) {
      forgetWords(slot);
      vectors.delete(slot);
      categories.delete(slot);
    },
  };
}

function termsIn({ brand, context, adText, landingTerms }: MatchDocument) {
  return {
    brand: termsOf(brand),
    context: [...termsOf(context), ...identifiersIn(context)],
    adText: [...termsOf(adText), ...identifiersIn(adText)],
    landing: termsOf(landingTerms),
  };
}

function negativesOf(document: MatchDocument, given: DocumentVectors | null): NegativePhrase[] {
  const phrases = negativePhrases(document.negativeContext);
  if (phrases.length === 0) return [];
  const offered = new Set(termsOf(document.context));
  return phrases.map((phrase, at) => {
    const wanted = termsOf(phrase);
    return {
      terms: wanted,
      words: tokenize(phrase),
      vector: given?.negatives[at] ?? null,
      offer: wanted.some((term) => offered.has(term)) ? (given?.meaning ?? null) : null,
    };
  });
}

/** The share of texts that hold each term. */
function sharesOfTerms(texts: readonly string[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const text of texts) {
    for (const term of new Set(termsOf(text)))
      shares.set(term, (shares.get(term) ?? 0) + 1 / texts.length);
  }
  return shares;
}
