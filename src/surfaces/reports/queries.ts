import { type DayRange, fallsOnHours } from '../../domain/time/day-range.js';
import type { Db } from '../../platform/db/db.js';
import { bounds } from './sum-queries.js';

/**
 * Names of what is shown; of campaigns and what is in them only the advertiser's, where one asks.
 */
export async function findNames(
  db: Db,
  kind: 'campaign' | 'ad_group' | 'ad' | 'publisher' | 'advertiser',
  ids: readonly string[],
  advertiserId: string | null,
): Promise<ReadonlyMap<string, string>> {
  const own = `($2::uuid is null or advertiser_id = $2)`;
  const sources: Record<typeof kind, string> = {
    campaign: `select id, name from campaigns where id = any($1::uuid[]) and ${own}`,
    ad_group: `select id, name from ad_groups where id = any($1::uuid[]) and ${own}`,
    ad: `select id, name from ads where id = any($1::uuid[]) and ${own}
         union all
         select id, name from ad_units where id = any($1::uuid[]) and ${own}`,
    publisher: `select id, name from publishers where id = any($1::uuid[])
      and $2::uuid is not distinct from $2`,
    advertiser: `select id, name from advertisers where id = any($1::uuid[])
      and $2::uuid is not distinct from $2`,
  };
  const rows = await db.query<{ id: string; name: string }>(sources[kind], [ids, advertiserId]);
  return new Map(rows.map((row) => [row.id, row.name]));
}

export interface SavedView {
  id: string;
  name: string;
  path: string;
  search: string;
  createdAt: Date;
}

export function listViews(db: Db, accountId: string | null): Promise<SavedView[]> {
  return db.query<SavedView>(
    `select id, name, path, search, created_at as "createdAt"
     from saved_views
     where account_id is not distinct from $1
     order by name, id`,
    [accountId],
  );
}

export async function insertView(db: Db, accountId: string | null, view: SavedView): Promise<void> {
  await db.query(
    `insert into saved_views (id, account_id, name, path, search, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [view.id, accountId, view.name, view.path, view.search, view.createdAt],
  );
}

export async function deleteView(db: Db, accountId: string | null, id: string): Promise<boolean> {
  const rows = await db.query(
    `delete from saved_views where id = $1 and account_id is not distinct from $2 returning id`,
    [id, accountId],
  );
  return rows.length > 0;
}

/** Money and clicks of one thing on one day; days are counted from 1. */
export interface DayOf {
  id: string;
  day: number;
  micros: number;
  clicks: number;
}

/** What some campaigns of an advertiser did, day by day. */
export function sumCampaignDays(
  db: Db,
  advertiserId: string,
  campaignIds: readonly string[],
  range: DayRange,
): Promise<DayOf[]> {
  const table = fallsOnHours(range) ? 'campaign_hours' : 'campaign_totals';
  return db.query<DayOf>(
    `select t.campaign_id as id, width_bucket(t.bucket, $3::timestamptz[]) as day,
       add_up(t.spend_micros) as micros, add_up(t.clicks) as clicks
     from ${table} t
     where t.advertiser_id = $4 and t.campaign_id = any($5::uuid[]) and t.bucket >= $1
       and t.bucket < $2
     group by 1, 2`,
    [...bounds(range), advertiserId, campaignIds],
  );
}

/** What some accounts or campaigns of the network did, day by day. */
export function sumDaysOf(
  db: Db,
  of: 'advertiser' | 'publisher' | 'campaign',
  ids: readonly string[],
  range: DayRange,
): Promise<DayOf[]> {
  const size = fallsOnHours(range) ? 'hours' : 'totals';
  const sources: Record<typeof of, string> = {
    advertiser: `campaign_${size} t where t.advertiser_id = any($4::uuid[])`,
    publisher: `publisher_${size} t where t.publisher_id = any($4::uuid[])`,
    campaign: `campaigns c join campaign_${size} t
       on t.advertiser_id = c.advertiser_id and t.campaign_id = c.id where c.id = any($4::uuid[])`,
  };
  return db.query<DayOf>(
    `select t.${of}_id as id, width_bucket(t.bucket, $3::timestamptz[]) as day,
       add_up(t.${of === 'publisher' ? 'revenue' : 'spend'}_micros) as micros,
       add_up(t.clicks) as clicks
     from ${sources[of]} and t.bucket >= $1 and t.bucket < $2
     group by 1, 2`,
    [...bounds(range), ids],
  );
}
