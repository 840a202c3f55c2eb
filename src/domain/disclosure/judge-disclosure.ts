import { rateBounds } from '../traffic/rate-bounds.js';

/** What a publisher showed lately, and of how much its pages proved the label to be seen. */
export interface Shown {
  impressions: number;
  viewable: number;
  disclosed: number;
}

/**
 * - `unknown`: too little to say.
 * - `disclosed`: the label is seen as often as asked.
 * - `label_hidden`: pages measured what people saw, and mostly it was no label.
 * - `no_proof`: pages measure too little to know.
 */
export type DisclosureState = 'unknown' | 'disclosed' | 'label_hidden' | 'no_proof';

const fewestImpressions = 200;

/** Judged by the most that could be true: few impressions prove nothing. */
export function judgeDisclosure(shown: Shown, leastShare: number): DisclosureState {
  if (shown.impressions < fewestImpressions) return 'unknown';
  const isBelow = (hits: number, trials: number): boolean =>
    rateBounds(Math.min(hits, trials), trials).high < leastShare;
  // Not every ad that comes into view stays for the second a proof takes.
  if (shown.viewable >= fewestImpressions / 2 && isBelow(shown.disclosed, shown.viewable))
    return 'label_hidden';
  return isBelow(shown.viewable, shown.impressions / 2) ? 'no_proof' : 'disclosed';
}

/** Whether operators should look at it. */
export function isHidden(state: DisclosureState): boolean {
  return state === 'label_hidden' || state === 'no_proof';
}
