import { type Calibration, chance, relevanceOf } from '../reading/calibration.js';
import type { MatchIndex, NegativePhrase } from './match-index.js';
import type { MatchQuery } from './match-query.js';
import { TopSlots } from './top-slots.js';
import { dot } from './vectors.js';

export type Match = {
  slot: number;
  /** Calibrated chance that somebody would call the ad helpful, 0 to 1. */
  relevance: number;
  /** Nearness in meaning, or null while either side has no vector. */
  cosine: number | null;
  /** Share of the telling words of the conversation that the ad group holds. */
  lexical: number;
  /** Its brand or model number was said. */
  named: boolean;
};

/** Words alone know no need: only what plainly matches is served. */
const byWords = { constant: -1.1, lexical: 3.2, behind: -4.3 };
const namedByWords = 0.95;
/**
 * A phrase about the very thing an ad group offers is near to everybody who wants it: it vetoes
 * unless they are this much nearer to the offer.
 */
const offerLead = 0.1;

/**
 * The ad groups that fit the conversation best: those named, then by relevance. Each is judged by
 * itself: more offers do not make any of them fit better. Same index and query, same answer.
 */
export function match(
  index: MatchIndex,
  query: MatchQuery,
  { limit, calibration }: { limit: number; calibration: Calibration },
): Match[] {
  if (query.refusal !== null) return [];
  const { reading } = query;
  const weighed = index.terms.weigh(query.terms);
  const named = brandsNamed(index, query);
  const found = new Set<number>(named.keys());
  const byWordsFound = new TopSlots(limit);
  index.terms.holding(weighed, (slot, score) => byWordsFound.offer(slot, score));
  for (const slot of byWordsFound.slots) found.add(slot);
  if (reading !== null)
    for (const slot of index.vectors.nearest(reading.vector, limit).slots) found.add(slot);

  const terms = new Set(query.terms.map(({ term }) => term));
  const slots = withoutExcluded(
    index,
    query,
    [...found].filter((slot) => !isVetoed(index.negatives.get(slot), query, terms, calibration)),
    calibration,
  );
  const near = reading === null ? [] : index.vectors.nearness(slots, reading.vector);
  const overlaps = slots.map((slot) => index.terms.overlap(slot, weighed));
  const most = Math.max(0, ...overlaps);
  return slots
    .map((slot, at): Match => {
      const cosine = near[at] ?? null;
      const lexical = overlaps[at] ?? 0;
      // The name of an ordinary thing is a brand only where something else fits as well.
      const isNamed =
        named.get(slot) === 'certain' || (named.has(slot) && (cosine ?? lexical) > 0.3);
      const fit = fitOf(calibration, cosine, lexical, isNamed);
      const relevance =
        reading === null || fit === null
          ? wordsRelevance(lexical, most - lexical, isNamed)
          : relevanceOf(calibration, reading, fit);
      return { slot, relevance, cosine, lexical, named: isNamed };
    })
    .sort(
      (a, b) =>
        Number(b.named) - Number(a.named) ||
        b.relevance - a.relevance ||
        b.lexical - a.lexical ||
        a.slot - b.slot,
    )
    .slice(0, limit);
}

/** A vector blurs what a word says outright ("direct deposit"): both count. */
function fitOf(
  { wordsNearness, namedNearness }: Calibration,
  cosine: number | null,
  lexical: number,
  isNamed: boolean,
): number | null {
  if (cosine === null) return isNamed ? namedNearness : null;
  const fit = cosine + wordsNearness * lexical;
  return isNamed ? Math.max(fit, namedNearness) : fit;
}

function wordsRelevance(lexical: number, behind: number, isNamed: boolean): number {
  const relevance = chance(byWords.constant + byWords.lexical * lexical + byWords.behind * behind);
  return isNamed ? Math.max(relevance, namedByWords) : relevance;
}

function brandsNamed(index: MatchIndex, { said }: MatchQuery): Map<number, 'certain' | 'likely'> {
  const named = new Map<number, 'certain' | 'likely'>();
  for (const words of said) {
    words.forEach((word, at) => {
      for (const brand of index.brands.get(word) ?? []) {
        if (!brand.words.every((part, offset) => words[at + offset] === part)) continue;
        named.set(
          brand.slot,
          brand.words.length === 1 && index.isOrdinaryWord(word) ? 'likely' : 'certain',
        );
      }
    });
  }
  return named;
}

/**
 * Leaves out ad groups about a topic or category the publisher excluded: by its words in the ad
 * group, or by meaning.
 */
function withoutExcluded(
  index: MatchIndex,
  { excluded, excludedCategories }: MatchQuery,
  slots: readonly number[],
  { excludedNearness }: Calibration,
): readonly number[] {
  const categories = new Set(excludedCategories.map(({ id }) => id));
  let left =
    categories.size === 0
      ? slots
      : slots.filter((slot) => !categories.has(index.categories.get(slot) ?? ''));
  for (const { terms, vector } of excluded) {
    left = left.filter((slot) => !index.terms.holds(slot, terms));
    if (vector === null) continue;
    const near = index.vectors.nearness(left, vector);
    left = left.filter((_, at) => (near[at] ?? -1) < excludedNearness);
  }
  return left;
}

function isVetoed(
  phrases: readonly NegativePhrase[] | undefined,
  { said, reading }: MatchQuery,
  terms: ReadonlySet<string>,
  { excludedNearness }: Calibration,
): boolean {
  if (phrases === undefined) return false;
  return phrases.some(({ terms: wanted, words, vector, offer }) => {
    if (
      wanted.length > 0
        ? wanted.every((term) => terms.has(term))
        : said.some((message) => containsRun(message, words))
    )
      return true;
    if (vector === null || reading === null) return false;
    const near = dot(vector, reading.vector);
    return (
      near >= excludedNearness && (offer === null || near > dot(offer, reading.vector) - offerLead)
    );
  });
}

function containsRun(words: readonly string[], run: readonly string[]): boolean {
  if (run.length === 0) return false;
  return words.some((_, at) => run.every((word, offset) => words[at + offset] === word));
}
