import type { Clock } from './clock.js';
import type { Db } from './db/db.js';
import { AppError } from './errors.js';

/** Exact over any rolling window and across nodes: the times of accepted calls are kept, at most `limit` of them. */
export interface RateLimit {
  /** Throws `rate_limited` with the seconds to wait when `limit` calls were accepted within the window. */
  take(key: string, limit: number, windowMs: number): Promise<void>;
  forget(key: string): Promise<void>;
  sweep(): Promise<void>;
}

export function createRateLimit(db: Db, clock: Clock): RateLimit {
  return {
    async take(key, limit, windowMs) {
      const now = new Date(clock());
      const [row] = await db.query<{ accepted: boolean; oldest: Date }>(
        `insert into rate_limits as r (key, hits, expires_at) values ($1, array[$2::timestamptz], $4)
         on conflict (key) do update set
           hits = case when cardinality(array(select h from unnest(r.hits) h where h > $3)) < $5
                       then array(select h from unnest(r.hits) h where h > $3 order by h) || $2::timestamptz
                       else array(select h from unnest(r.hits) h where h > $3 order by h) || 'infinity'::timestamptz end,
           expires_at = $4
         returning r.hits[cardinality(r.hits)] <> 'infinity' as accepted, r.hits[1] as oldest`,
        [key, now, new Date(clock() - windowMs), new Date(clock() + windowMs), limit],
      );
      if (row?.accepted === true) return;
      await db.query(`update rate_limits set hits = array_remove(hits, 'infinity') where key = $1`, [key]);
      const wait = (row?.oldest.getTime() ?? now.getTime()) + windowMs - now.getTime();
      throw new AppError('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)) });
    },
    async forget(key) {
      await db.query(`delete from rate_limits where key = $1`, [key]);
    },
    async sweep() {
      await db.query(`delete from rate_limits where expires_at < $1`, [new Date(clock())]);
    },
  };
}
