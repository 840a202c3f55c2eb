/** Epoch milliseconds. Passed in everywhere, so that tests can move time. */
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** A clock that is off by less is left alone: correcting it would only add noise. */
const leftAloneMs = 1_000;

/**
 * The clock of the database where there is a server: leases, holds and windows of all nodes are then
 * measured by one clock, whatever those of the machines say.
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
