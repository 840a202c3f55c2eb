/** What a person did with an ad. `hidden` is a thumbs down, for whatever reason. */
export type AdSignal =
  | { kind: 'helpful' | 'hidden' }
  /** With the chance of a click that was expected. */
  | { kind: 'seen' | 'clicked'; expected: number };

/**
 * Slow: a hundred people who hide what was stated as .7 halve the odds. Fewer ads are learned
 * readily, more ads hardly: clicks are cheap to make for whoever is paid by them.
 */
const rate = 0.02;
const clickShare = 0.25;
export const offsetBounds = { least: -1.5, most: 0.25 };

/**
 * How far one signal moves the log-odds of a place. Nothing on average where ads are as helpful as
 * stated and clicked as often as expected.
 */
export function stepOf(signal: AdSignal, stated: number): number {
  switch (signal.kind) {
    case 'helpful':
      return rate * (1 - stated);
    case 'hidden':
      return -rate * stated;
    case 'clicked':
      return rate * clickShare;
    case 'seen':
      return -rate * clickShare * signal.expected;
  }
}

export function withinBounds(offset: number): number {
  return Math.max(offsetBounds.least, Math.min(offsetBounds.most, offset));
}
