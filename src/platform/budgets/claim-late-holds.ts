import type { EventRecord } from '../events/event.js';

/**
 * What waited in the spool longer than its hold was kept must not be paid from it: the node that
 * served the ad saw no payment and has
 * promised the money to other ads since.
 */
export function claimLateHolds(events: readonly EventRecord[], now: number): EventRecord[] {
  return events.map((event) => {
    if (event.holds === undefined || event.holdsUntil === undefined || now <= event.holdsUntil)
      return event;
    const { holds: _holds, holdsUntil: _until, ...rest } = event;
    return { ...rest, node: null, claimsBudget: true };
  });
}
