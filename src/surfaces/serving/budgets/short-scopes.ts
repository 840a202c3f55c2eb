import { roundsToWait } from '../../../domain/decision/hold-policy.js';
import { createBoundedCache } from '../../../platform/bounded-cache.js';
import type { Clock } from '../../../platform/clock.js';
import type { SharedCounts } from '../../../platform/shared-counts.js';

/** So long after a refusal nodes keep only what they need. */
const shortMs = 10_000;
/** A scope that stays short is told of again after this time. */
const tellAgainMs = 3_000;

/** Budgets of which some node was refused what it needs, by this node or told by another. */
export function createShortScopes(shared: Pick<SharedCounts, 'space'>, clock: Clock) {
  const since = createBoundedCache<string, number>(50_000);
  const toldAt = createBoundedCache<string, number>(50_000);
  const space = shared.space('short', {
    periodMs: 60_000,
    worth: () => true,
    heard: (key) => since.set(key, clock()),
  });
  return {
    has: (key: string): boolean => clock() - (since.get(key) ?? -Infinity) < shortMs,
    tell(key: string): void {
      const now = clock();
      since.set(key, now);
      if (now - (toldAt.get(key) ?? -Infinity) < tellAgainMs) return;
      toldAt.set(key, now);
      space.add(key, 1);
    },
  };
}

/**
 * Budgets that had nothing for this node lately, and for how many more rounds they are left alone.
 */
export function createRefusals() {
  const known = new Map<string, { times: number; rounds: number }>();
  return {
    /** Counts a round. */
    isWaiting(key: string): boolean {
      const refusal = known.get(key);
      if (refusal === undefined || refusal.rounds === 0) return false;
      refusal.rounds -= 1;
      return true;
    },
    answered(key: string, amountMicros: number): void {
      if (amountMicros > 0) return void known.delete(key);
      const times = (known.get(key)?.times ?? 0) + 1;
      known.set(key, { times, rounds: roundsToWait(times) });
    },
    /** Forgets those that are not asked any more. */
    keepOnly(live: { has(key: string): boolean }): void {
      for (const key of known.keys()) if (!live.has(key)) known.delete(key);
    },
  };
}
