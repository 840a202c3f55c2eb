import { termsOf } from '../text/terms.js';
import { identifiersIn, tokenize } from '../text/tokenize.js';
import { stem } from '../text/stem.js';
import { isStopWord } from '../text/stop-words.js';
import { negativePhrases } from './match-document.js';
import type { MatchDocument } from './match-document.js';
import { TermIndex } from './term-index.js';
import { topicTexts } from './topic-catalogue.js';
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

/**
 * `meaning` from `documentVector`; `whole` of the first of `documentTexts`; `negatives` belong to
 * `negativePhrases`, in that order.
 */
export type DocumentVectors = {
  meaning: Float32Array | null;
  whole?: Float32Array;
  negatives: readonly Float32Array[];
};

/** Ordinary words that companies like to be named by. */
const ordinaryNames = new Set(
  `
ally amazon apple away bloom blue box brand brave bright business capital casper chase chime circle classic clear company current dash delta demo digit direct discover dove echo edge example express fair first
focus forward fresh future gap general global gold green hopper ideal impact insight jet key lemonade liberty lift light link live loop major mango meta mint modern monday motion native next notion now oscar orange
peak pilot pioneer plus prime progressive pulse purple quest ready red ring rise robin root sample scout select shell simple slack smart spark spirit square stripe subway sun sweet swift target test tide trend true
trust unity universal up value vision visa wave wise wonder zoom`
    .trim()
    .split(/\s+/),
);

export function createMatchIndex(): MatchIndex {
  const ordinary = sharesOfOrdinaryTerms();
  const terms = new TermIndex((term) => ordinary.get(term) ?? 0);
  const vectors = new VectorClusters();
  const brands: MatchIndex['brands'] = new Map();
  const negatives: MatchIndex['negatives'] = new Map();
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
    isOrdinaryWord: (word) =>
      ordinary.has(stem(word)) || ordinaryNames.has(word) || isStopWord(word),
    get size() {
      return terms.size;
    },
    get version() {
      return version;
    },
    upsert(slot, document, given) {
      forgetWords(slot);
      terms.set(slot, {
        brand: termsOf(document.brand),
        context: [...termsOf(document.context), ...identifiersIn(document.context)],
        adText: [...termsOf(document.adText), ...identifiersIn(document.adText)],
        landing: termsOf(document.landingTerms),
      });
      if (given?.meaning === null) vectors.delete(slot);
      else if (given !== null) vectors.set(slot, given.meaning);
      const words = tokenize(document.brand);
      const first = words[0];
      if (first !== undefined && words.join('').length >= 3) {
        brandOf.set(slot, first);
        brands.set(first, [...(brands.get(first) ?? []), { words, slot }]);
      }
      const phrases = negativePhrases(document.negativeContext);
      if (phrases.length > 0) {
        const offered = new Set(termsOf(document.context));
        negatives.set(
          slot,
          phrases.map((phrase, at) => {
            const wanted = termsOf(phrase);
            return {
              terms: wanted,
              words: tokenize(phrase),
              vector: given?.negatives[at] ?? null,
              offer: wanted.some((term) => offered.has(term)) ? (given?.whole ?? null) : null,
            };
          }),
        );
      }
    },
    remove(slot) {
      forgetWords(slot);
      vectors.delete(slot);
    },
  };
}

/** The share of everyday requests that hold each term. */
function sharesOfOrdinaryTerms(): Map<string, number> {
  const shares = new Map<string, number>();
  for (const text of topicTexts) {
    for (const term of new Set(termsOf(text)))
      shares.set(term, (shares.get(term) ?? 0) + 1 / topicTexts.length);
  }
  return shares;
}
