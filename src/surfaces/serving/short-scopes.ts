import { createBoundedCache } from '../../platform/bounded-cache.js';
import type { Clock } from '../../platform/clock.js';
import type { SharedCounts } from '../../platform/shared-counts.js';

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
