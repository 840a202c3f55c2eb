import { Session } from 'node:inspector';
import { performance } from 'node:perf_hooks';

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

const lookEveryMs = 15_000;
/** Of the time between two looks, as much at the most was spent working. */
const quiet = 0.1;

/** A start makes much that serving does not need: it goes in the first quiet moment, once. */
export function collectOnceQuiet(collect = collectGarbage, everyMs = lookEveryMs): void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > quiet) return;
    clearInterval(timer);
    void collect();
  }, everyMs).unref();
}
