import { createBoundedCache } from '../bounded-cache.js';
import type { Clock } from '../clock.js';

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

/**
 * So many calls a second for each caller, saved up for ten seconds. In memory of this node: nothing
 * is asked or written for a call.
 */
export function createTokenBuckets(perSecond: number, clock: Clock): TokenBuckets {
  const windowSeconds = 10;
  const quota = perSecond * windowSeconds;
  const buckets = createBoundedCache<string, Bucket>(mostCallers);
  return {
    quota,
    windowSeconds,
    take(caller) {
      const now = clock();
      let bucket = buckets.get(caller);
      if (bucket === undefined) {
        bucket = { tokens: quota, at: now };
        buckets.set(caller, bucket);
      }
      const back = (Math.max(0, now - bucket.at) / 1000) * perSecond;
      bucket.tokens = Math.min(quota, bucket.tokens + back);
      bucket.at = now;
      const isAllowed = bucket.tokens >= 1;
      if (isAllowed) bucket.tokens -= 1;
      return {
        isAllowed,
        remaining: Math.floor(bucket.tokens),
        resetSeconds: Math.ceil((quota - bucket.tokens) / perSecond),
        retrySeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / perSecond)),
      };
    },
  };
}
