import { createBoundedCache } from '../bounded-cache.js';
import type { Clock } from '../clock.js';
import { countedAlone, type SharedCounts } from '../shared-counts.js';

/** What is left to a caller: `resetSeconds` until it has everything again. */
export interface Allowance {
  readonly isAllowed: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
  /** Until one more call is let through. */
  readonly retrySeconds: number;
}

export interface TokenBuckets {
  /** Calls a caller may make at once; as many come back within `windowSeconds`. */
  readonly quota: number;
  readonly windowSeconds: number;
  take(caller: string): Allowance;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** Callers remembered; one not seen for longest is forgotten and starts with a full bucket. */
const mostCallers = 50_000;

/** Nodes tell each other of a caller that took this part of its quota within a window. */
const toldPart = 64;

/**
 * So many calls a second for each caller, saved up for ten seconds. In memory of this node: nothing
 * is asked or written for a call. With a `name` what other nodes let through is taken off here too,
 * a moment later, so that all nodes together keep to the rate.
 */
export function createTokenBuckets(
  perSecond: number,
  clock: Clock,
  {
    shared = countedAlone,
    name = '',
  }: { shared?: Pick<SharedCounts, 'space'>; name?: string } = {},
): TokenBuckets {
  const windowSeconds = 10;
  const quota = perSecond * windowSeconds;
  const buckets = createBoundedCache<string, Bucket>(mostCallers);
  const space = shared.space(name, {
    periodMs: windowSeconds * 1000,
    worth: ([calls = 0]) => calls >= quota / toldPart,
    heard(caller, [calls = 0]) {
      const bucket = refilled(caller);
      bucket.tokens = Math.max(-quota, bucket.tokens - calls);
    },
  });

  function refilled(caller: string): Bucket {
    const now = clock();
    let bucket = buckets.get(caller);
    if (bucket === undefined) {
      bucket = { tokens: quota, at: now };
      buckets.set(caller, bucket);
    }
    const back = (Math.max(0, now - bucket.at) / 1000) * perSecond;
    bucket.tokens = Math.min(quota, bucket.tokens + back);
    bucket.at = now;
    return bucket;
  }

  return {
    quota,
    windowSeconds,
    take(caller) {
      const bucket = refilled(caller);
      const isAllowed = bucket.tokens >= 1;
      if (isAllowed) {
        bucket.tokens -= 1;
        space.add(caller, 1);
      }
      return {
        isAllowed,
        remaining: Math.max(0, Math.floor(bucket.tokens)),
        resetSeconds: Math.ceil((quota - bucket.tokens) / perSecond),
        retrySeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)),
      };
    },
  };
}
