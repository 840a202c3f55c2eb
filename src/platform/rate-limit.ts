import type { Clock } from './clock.js';
import type { Db } from './db/db.js';
import { AppError } from './errors.js';

/**
 * Exact over any rolling window and across nodes: the times of accepted calls are kept, at most
 * `limit` of them.
 */
export interface RateLimit {
  /**
   * Throws `rate_limited` with the seconds to wait when `limit` calls were accepted within the
   * window.
   */
  take(key: string, limit: number, windowMs: number): Promise<void>;
  forget(key: string): Promise<void>;
  /** Takes back the newest call: it turned out not to be one of those that are limited. */
  giveBack(key: string): Promise<void>;
  sweep(): Promise<void>;
}

export function createRateLimit(db: Db, clock: Clock): RateLimit {
  return {
    async take(key, limit, windowMs) {
      const now = clock();
      await db.transaction(async (tx) => {
        await tx.query(
          `insert into rate_limits (key, hits, expires_at)
           values ($1, '{}', $2)
           on conflict (key) do nothing`,
          [key, new Date(now + windowMs)],
        );
        // Calls with the same key wait here for each other.
        const [row] = await tx.query<{ count: number; oldest: Date | null }>(
          `select (select count(*) from unnest(r.hits) h where h > $2) as count,
             (select min(h) from unnest(r.hits) h where h > $2) as oldest
           from rate_limits r
           where r.key = $1
           for update`,
          [key, new Date(now - windowMs)],
        );
        if ((row?.count ?? 0) >= limit) {
          const wait = (row?.oldest?.getTime() ?? now) + windowMs - now;
          throw new AppError('rate_limited', {
            retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)),
          });
        }
        await tx.query(
          `update rate_limits r
           set hits = array(select h from unnest(r.hits) h where h > $3 order by h) ||
               $2::timestamptz, expires_at = $4
           where r.key = $1`,
          [key, new Date(now), new Date(now - windowMs), new Date(now + windowMs)],
        );
      });
    },
    async forget(key) {
      await db.query(`delete from rate_limits where key = $1`, [key]);
    },
    async giveBack(key) {
      await db.query(
        `update rate_limits set hits = trim_array(hits, 1) where key = $1 and hits <> '{}'`,
        [key],
      );
    },
    async sweep() {
      await db.query(`delete from rate_limits where expires_at < $1`, [new Date(clock())]);
    },
  };
}
