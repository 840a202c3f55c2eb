import { createBoundedCache } from '../../../platform/bounded-cache.js';
import type { Clock } from '../../../platform/clock.js';
import { createTokenBuckets } from '../../../platform/http/token-buckets.js';

/** New topics a second one caller may have read, and all callers together; saved up for ten. */
const newPerCaller = 10;
const newAltogether = 40;
const keptTopics = 2000;

/**
 * What excluded topics mean. Each is read once and kept for everybody: a caller who names new ones
 * with every request gets those that are too many excluded by their words alone, and the model
 * works no more for it.
 */
export function createExcludedTopics(options: {
  read: (name: string) => Promise<Float32Array>;
  clock?: Clock;
}) {
  const { clock = () => performance.now() } = options;
  const ofCaller = createTokenBuckets(newPerCaller, clock);
  const ofAll = createTokenBuckets(newAltogether, clock);
  const kept = createBoundedCache<string, Promise<Float32Array | null>>(keptTopics);

  function meaningOf(topic: string, caller: string): Promise<Float32Array | null> {
    const name = topic.trim().toLowerCase();
    const known = kept.get(name);
    if (known !== undefined) return known;
    if (!ofCaller.take(caller).isAllowed || !ofAll.take('').isAllowed) return Promise.resolve(null);
    const reading = options.read(name).catch(() => {
      // Asked for again by the next who names it.
      kept.delete(name);
      return null;
    });
    kept.set(name, reading);
    return reading;
  }

  /** In the order asked for; null where only words can be compared for now. */
  return (topics: readonly string[], caller: string): Promise<(Float32Array | null)[]> =>
    Promise.all(topics.map((topic) => meaningOf(topic, caller)));
}
