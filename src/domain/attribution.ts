// Which ad a conversion is credited to.

/** Strongest evidence first: an earlier one wins whatever its age, within its window. */
export const evidenceOrder = [
  'click_id',
  'visitor',
  'session',
  'person',
  'viewer_click',
  'viewer_view',
] as const;
export type Evidence = (typeof evidenceOrder)[number];

export interface Touchpoint {
  readonly evidence: Evidence;
  /** The served ad that was clicked or seen. */
  readonly serveId: string;
  /** When it was clicked or seen. */
  readonly at: number;
}

export interface AttributionWindows {
  readonly clickMs: number;
  readonly viewMs: number;
}

/**
 * Advertisers' clocks are off by minutes, and event times are whole seconds: a click may seem to
 * follow its conversion.
 */
export const clockToleranceMs = 10 * 60_000;

export function isCreditable(
  touchpoint: Touchpoint,
  conversionAt: number,
  windows: AttributionWindows,
): boolean {
  const age = conversionAt - touchpoint.at;
  switch (touchpoint.evidence) {
    case 'click_id':
      // Only the click itself hands out its id, so the conversion cannot really be the older one.
      return age <= windows.clickMs;
    case 'viewer_view':
      return windows.viewMs > 0 && age >= -clockToleranceMs && age <= windows.viewMs;
    default:
      return age >= -clockToleranceMs && age <= windows.clickMs;
  }
}

/**
 * The strongest evidence inside its window and, of equal evidence, the latest. Null: nobody is
 * credited.
 */
export function creditedTo(
  touchpoints: readonly Touchpoint[],
  conversionAt: number,
  windows: AttributionWindows,
): Touchpoint | null {
  let best: Touchpoint | null = null;
  for (const touchpoint of touchpoints) {
    if (!isCreditable(touchpoint, conversionAt, windows)) continue;
    if (best === null || isBetter(touchpoint, best)) best = touchpoint;
  }
  return best;
}

function isBetter(a: Touchpoint, b: Touchpoint): boolean {
  const rank = evidenceOrder.indexOf(a.evidence) - evidenceOrder.indexOf(b.evidence);
  if (rank !== 0) return rank < 0;
  return a.at === b.at ? a.serveId > b.serveId : a.at > b.at;
}
