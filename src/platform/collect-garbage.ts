import { Session } from 'node:inspector';
import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';

/**
 * Frees what is no longer used and shrinks the heap, at once. V8 keeps both until it has reason to
 * look, which on a server that nobody asks anything may be never. Everybody waits for it, so only
 * where nobody is.
 */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  await new Promise((resolve) => session.post('HeapProfiler.collectGarbage', resolve));
  session.disconnect();
}

/** A young heap of this size is filled again by every bit of work. */
const usualYoungBytes = 16 * 1024 * 1024;

/** How much of the heap does not come back by itself: a crowd makes the young one grow, too. */
function settledBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  return getHeapStatistics().total_heap_size - Math.min(usualYoungBytes, young?.space_size ?? 0);
}

const lookEveryMs = 15_000;
/** Of the time between two looks, as much at the most was spent working: after the start, later. */
const quiet = 0.1;
const veryQuiet = 0.03;
/** Less is not worth that somebody might wait for it. */
const worthBytes = 40 * 1024 * 1024;

/**
 * A start makes much that serving does not need, and so does a crowd: what waits in line outlives
 * the young heap, and a server that is left alone afterwards has no reason to look at the old one.
 * It goes in the first quiet moment, and again whenever as much came together.
 */
export function collectWhenQuiet({
  collect = collectGarbage,
  everyMs = lookEveryMs,
  measure = settledBytes,
} = {}): void {
  let before = performance.eventLoopUtilization();
  /** What was left the last time; null before the first. */
  let left: number | null = null;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > (left === null ? quiet : veryQuiet)) return;
    if (left !== null && measure() - left < worthBytes) return;
    // Until it is done it is not worth it either.
    left = Infinity;
    void collect().then(() => {
      left = measure();
    });
  }, everyMs);
  timer.unref();
}
