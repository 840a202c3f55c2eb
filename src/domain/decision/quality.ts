// What people make of an ad, as a factor on its rank. Money offered still counts; a better ad needs
// less of it.

/**
 * Votes that a new ad is given: three good, one bad, so that the first thumbs down does not sink
 * it.
 */
const GOOD = 3;
const BAD = 1;

/**
 * 1 without votes, down to 0.3 for an ad that people reject. Approval earns nothing beyond 1: it
 * already shows in clicks.
 */
export function feedbackQuality(thumbsUp: number, thumbsDown: number): number {
  const rejected = (thumbsDown + BAD) / (thumbsUp + thumbsDown + GOOD + BAD);
  return Math.min(1, Math.max(0.3, 1 - 1.2 * (rejected - BAD / (GOOD + BAD))));
}

/** Mild in relevance: the click estimate holds most of its effect already. */
export function quality(relevance: number, feedback: number): number {
  return (0.8 + 0.2 * relevance) * feedback;
}
