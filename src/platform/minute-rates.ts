import { createBoundedCache } from './bounded-cache.js';
import type { SharedCounts } from './shared-counts.js';

const minuteMs = 60_000;
/** From this part of a limit on nodes tell each other what they counted. */
export const toldPart = 32;

/**
 * Counts by minute, on all nodes together, and says whether a caller is over its limit. `limitOf`
 * reads from the key what may come in a minute.
 */
export function createMinuteRates(
  shared: Pick<SharedCounts, 'space'>,
  name: string,
  limitOf: (key: string) => number,
): (key: string, at: number) => boolean {
  const rates = createBoundedCache<string, { minute: number; count: number }>(100_000);
  function add(key: string, minute: number, amount: number): number {
    const rate = rates.get(key);
    const count = (rate !== undefined && rate.minute === minute ? rate.count : 0) + amount;
    rates.set(key, { minute, count });
    return count;
  }
  const space = shared.space(name, {
    periodMs: minuteMs,
    worth: ([count = 0], key) => count >= limitOf(key) / toldPart,
    heard: (key, [count = 0], minute) => void add(key, minute, count),
  });
  return (key, at) => {
    space.add(key, 1);
    return add(key, Math.floor(at / minuteMs), 1) > limitOf(key);
  };
}
