/** Epoch milliseconds. Passed in everywhere, so that tests can move time. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/**
 * How far our clock is ahead of one that said `told` between `sent` and `received`. That leaves a
 * range as wide as the answer took; within it what was believed before stays.
 */
export function measureAhead(before: number, sent: number, told: number, received: number): number {
  return Math.min(Math.max(before, sent - told), received - told);
}

/** A clock that is off by less is left alone: correcting it would only add noise. */
const leftAloneMs = 1_000;

/**
 * The clock of the database where there is a server: leases, holds and windows of all nodes are
 * then measured by one clock, whatever those of the machines say.
 */
export function sharedClock(
  contact: { readonly clockAheadMs: number } | undefined,
  own: Clock = systemClock,
): Clock {
  if (contact === undefined) return own;
  return () => {
    const ahead = Math.round(contact.clockAheadMs);
    return Math.abs(ahead) < leftAloneMs ? own() : own() - ahead;
  };
}
