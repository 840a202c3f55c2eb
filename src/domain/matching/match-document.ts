import { addScaled, normalise } from './vectors.js';
import type { TopicSpace } from './topic-space.js';

/** What an ad group says about itself. */
export type MatchDocument = {
  context: string;
  brand: string;
  adText: string;
  landingTerms: string;
  negativeContext: string;
};

const mostClauses = 6;
const shareOfClauses = 0.5;

/**
 * The texts of an ad group to embed: the whole context first, then its clauses and the ad, since
 * one long sentence blurs what it lists.
 */
export function documentTexts({ context, brand, adText }: MatchDocument): string[] {
  const whole = context.trim() || adText.trim() || brand.trim();
  const clauses = clausesOf(context);
  const ad = adText.trim();
  return [
    whole,
    ...(clauses.length > 1 ? clauses.slice(0, mostClauses) : []),
    ...(ad !== '' && ad !== whole ? [ad] : []),
  ].filter((text) => text !== '');
}

/** One vector for the ad group, from the vectors of `documentTexts`. */
export function documentVector(
  vectors: readonly Float32Array[],
  space: TopicSpace,
): Float32Array | null {
  const [whole, ...parts] = vectors;
  if (whole === undefined) return null;
  const pooled = whole.slice();
  if (parts.length > 0) {
    const mean = new Float32Array(whole.length);
    for (const part of parts) addScaled(mean, part, 1);
    addScaled(pooled, normalise(mean), shareOfClauses);
  }
  return space.placeOffer(normalise(pooled));
}

/** What the ad must not stand beside, phrase by phrase. */
export function negativePhrases(negativeContext: string): string[] {
  return negativeContext
    .split(/[,;.\n|]| or (?=\S)/)
    .map((phrase) =>
      phrase
        .trim()
        .replace(
          /^(no|not|avoid|never|exclude|excluding|anything about|do not show (?:for|on|next to|beside))\s+/i,
          '',
        ),
    )
    .filter((phrase) => phrase !== '')
    .slice(0, 32);
}

function clausesOf(context: string): string[] {
  return context
    .split(/[,:;.\n]| and | with | for /)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');
}
