import type { Db } from '../../platform/db/db.js';

export interface FeedRecord {
  id: string;
  merchantId: string;
  merchantSlug: string;
  url: string;
  format: string;
  currency: string | null;
  storeUrl: string;
  everyMinutes: number;
  maxMissingPercent: number;
}

const feedColumns = `f.id, f.merchant_id as "merchantId", m.slug as "merchantSlug", f.url,
  m.store_url as "storeUrl", f.format, f.currency, f.every_minutes as "everyMinutes",
  f.max_missing_percent as "maxMissingPercent"`;

/**
 * Takes the feeds that are due; each is due again only after its interval, so no two nodes read one
 * at the same time.
 */
export async function claimDueFeeds(db: Db, now: Date): Promise<FeedRecord[]> {
  return db.query<FeedRecord>(
    `with due as (
         update feeds
         set next_run_at = $1::timestamptz + make_interval(mins => every_minutes)
         where is_active and next_run_at <= $1
         returning *
       )
     select ${feedColumns}
     from due f
     join merchants m on m.id = f.merchant_id`,
    [now],
  );
}

export function listFeeds(
  db: Db,
): Promise<(FeedRecord & { merchant: string; isActive: boolean; nextRunAt: Date })[]> {
  return db.query(
    `select ${feedColumns}, m.name as merchant, f.is_active as "isActive",
       f.next_run_at as "nextRunAt"
     from feeds f
     join merchants m on m.id = f.merchant_id
     order by m.name, f.url`,
  );
}

export async function saveFeed(
  tx: Db,
  feed: {
    id: string;
    merchantId: string;
    url: string;
    format: string;
    currency: string | null;
    everyMinutes: number;
    maxMissingPercent: number;
    at: Date;
  },
): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    `insert into feeds (
         id, merchant_id, url, format, currency, every_minutes, max_missing_percent, next_run_at,
         created_at
       )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     on conflict (merchant_id, url) do update set format = excluded.format,
       currency = excluded.currency, every_minutes = excluded.every_minutes,
       max_missing_percent = excluded.max_missing_percent, is_active = true,
       next_run_at = excluded.next_run_at
     returning id`,
    [
      feed.id,
      feed.merchantId,
      feed.url,
      feed.format,
      feed.currency,
      feed.everyMinutes,
      feed.maxMissingPercent,
      feed.at,
    ],
  );
  return row?.id ?? feed.id;
}

export async function stopFeed(db: Db, id: string): Promise<boolean> {
  const rows = await db.query(`update feeds set is_active = false where id = $1 returning 1`, [id]);
  return rows.length > 0;
}
