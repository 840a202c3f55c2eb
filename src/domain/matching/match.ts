import type { MatchIndex, NegativePhrase } from './match-index.js';
import type { MatchQuery } from './prepare-query.js';
import { relevanceOf } from './relevance.js';
import { TopSlots } from './top-slots.js';

export type Match = {
  slot: number;
  /** Calibrated chance that the ad is right for the conversation, 0 to 1. */
  relevance: number;
  cosine: number | null;
  lexical: number;
  branded: boolean;
};

/** Served at this relevance and above unless the publisher asks for more or less. */
export const defaultRelevance = 0.5;

/** Weight of shared words beside nearness in meaning when ad groups are compared. */
const lexicalShare = 0.15;
/**
 * As near as a paraphrase. An ad too few beside what an advertiser ruled out costs less than one
 * too many.
 */
const negativeNearness = 0.38;
/**
 * A phrase about the very thing an ad group offers is near to everybody who wants it: it vetoes
 * unless they are this much nearer to the offer.
 */
const offerLead = 0.1;
/** An ad group this near to the name of a topic is about it. */
const topicNearness = 0.4;

/**
 * The ad groups that fit the conversation best, best first: those named by their brand, then by
 * relevance. Same index and query, same answer.
 */
export function match(index: MatchIndex, query: MatchQuery, { limit }: { limit: number }): Match[] {
  if (query.refusal !== null) return [];
  const { placement } = query;
  const weighed = index.terms.weigh(query.terms);
  const brandSlots = brandsNamed(index, query);

  const found = new Set<number>(brandSlots.keys());
  const byWords = new TopSlots(limit);
  index.terms.candidates(weighed, (slot, score) => byWords.offer(slot, score));
  for (const slot of byWords.slots) found.add(slot);
  if (placement !== null)
    for (const slot of index.vectors.nearest(placement.vector, limit).slots) found.add(slot);

  const candidates: Match[] = [];
  const best = { meaning: -Infinity, words: -Infinity };
  const terms = new Set(query.terms.map(({ term }) => term));
  const slots = withoutExcluded(
    index,
    query,
    [...found].filter((slot) => !isVetoed(index.negatives.get(slot), query, terms)),
  );
  const near = placement === null ? [] : index.vectors.nearness(slots, placement.vector);
  for (const [at, slot] of slots.entries()) {
    const cosine =
      near[at] === undefined || near[at] === null || placement === null
        ? null
        : placement.scale(near[at]);
    const lexical = index.terms.overlap(slot, weighed);
    // The name of an ordinary thing is a brand only where something else fits as well.
    const branded =
      brandSlots.get(slot) === 'certain' || (brandSlots.has(slot) && (cosine ?? lexical) > 0.3);
    const candidate = { slot, relevance: 0, cosine, lexical, branded };
    const side = cosine === null ? 'words' : 'meaning';
    best[side] = Math.max(best[side], strengthOf(candidate));
    candidates.push(candidate);
  }
  const need = placement?.need ?? 1;
  for (const each of candidates) {
    const behind = best[each.cosine === null ? 'words' : 'meaning'] - strengthOf(each);
    const ahead =
      each.cosine === null || placement === null ? 0 : each.cosine - placement.nearestOffer;
    each.relevance = relevanceOf({
      cosine: each.cosine,
      ahead,
      lexical: each.lexical,
      behind,
      need,
      asksToKnow: query.asksToKnow,
      branded: each.branded,
    });
  }
  return candidates
    .sort(
      (a, b) =>
        Number(b.branded) - Number(a.branded) || b.relevance - a.relevance || a.slot - b.slot,
    )
    .slice(0, limit);
}

/** What candidates are compared by. Those not embedded yet are compared among themselves only. */
function strengthOf({ cosine, lexical }: Match): number {
  return cosine === null ? lexical : cosine + lexicalShare * lexical;
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
 * Leaves out ad groups about a topic the publisher excluded: by its words in the ad group, or by
 * meaning.
 */
function withoutExcluded(
  index: MatchIndex,
  { excluded, placement }: MatchQuery,
  slots: readonly number[],
): readonly number[] {
  let left = slots;
  for (const { terms, vector } of excluded) {
    left = left.filter((slot) => !index.terms.holds(slot, terms));
    if (vector === null || placement === null) continue;
    const near = index.vectors.nearness(left, vector);
    left = left.filter(
      (_, at) =>
        near[at] === undefined || near[at] === null || placement.scale(near[at]) < topicNearness,
    );
  }
  return left;
}

function isVetoed(
  phrases: readonly NegativePhrase[] | undefined,
  query: MatchQuery,
  terms: ReadonlySet<string>,
): boolean {
  if (phrases === undefined) return false;
  return phrases.some(({ terms: wanted, words, vector, offer }) => {
    if (
      wanted.length > 0
        ? wanted.every((term) => terms.has(term))
        : query.said.some((said) => containsRun(said, words))
    )
      return true;
    if (vector === null || query.placement === null) return false;
    const near = query.placement.nearnessTo(vector);
    return (
      near >= negativeNearness &&
      (offer === null || near > query.placement.nearnessTo(offer) - offerLead)
    );
  });
}

function containsRun(words: readonly string[], run: readonly string[]): boolean {
  if (run.length === 0) return false;
  return words.some((_, at) => run.every((word, offset) => words[at + offset] === word));
}
