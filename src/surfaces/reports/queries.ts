import { type DayRange, fallsOnHours } from '../../domain/time/day-range.js';
import type { Db } from '../../platform/db/db.js';
import { timestampArray } from '../../platform/db/timestamp-array.js';
import type { Filters } from './schema.js';

/** What is summed, in whole numbers; what a source does not count is zero. */
export interface Sums {
  key: string;
  requests: number;
  wins: number;
  impressions: number;
  clicks: number;
  conversions: number;
  viewConversions: number;
  spendMicros: number;
  payoutMicros: number;
  valueMicros: number;
}

export type TotalsDimension =
  | 'day'
  | 'campaign'
  | 'ad_group'
  | 'ad'
  | 'country'
  | 'device'
  | 'placement'
  | 'publisher'
  | 'advertiser';

const keys: Record<TotalsDimension, string> = {
  day: `width_bucket(t.bucket, $3::timestamptz[])::text`,
  campaign: 't.campaign_id::text',
  ad_group: 't.ad_group_id::text',
  ad: 't.ad_id::text',
  country: 't.country',
  device: 't.device',
  placement: 't.placement',
  publisher: 't.publisher_id::text',
  advertiser: 't.advertiser_id::text',
};

const delivery = `add_up(t.impressions) as impressions, add_up(t.clicks) as clicks,
  add_up(t.conversions) as conversions, add_up(t.spend_micros) as "spendMicros",
  add_up(t.revenue_micros) as "payoutMicros", add_up(t.value_micros) as "valueMicros",
  add_up(t.view_conversions) as "viewConversions", 0 as requests`;

/** Parameters 4 to 10; an empty text stands for what an event did not say. */
const filtered = `($4::uuid is null or t.campaign_id = $4)
  and ($5::uuid is null or t.ad_group_id = $5)
  and ($6::uuid is null or t.ad_id = $6) and ($7::text is null or t.country = $7)
  and ($8::text is null or t.device = $8) and ($9::text is null or t.placement = $9)
  and ($10::uuid is null or t.publisher_id = $10)`;

function parameters(from: number, to: number, range: DayRange, filters: Filters): unknown[] {
  return [
    new Date(from),
    new Date(to),
    timestampArray(range.boundaries),
    filters.campaignId,
    filters.adGroupId,
    filters.adId,
    filters.country,
    filters.device,
    filters.placement,
    filters.publisherId,
  ];
}

/** Campaigns of an advertiser that did anything in the range. */
export async function listBusyCampaigns(
  db: Db,
  advertiserId: string,
  range: DayRange,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select c.id
     from campaigns c
     where c.advertiser_id = $1
       and exists (
         select 1
         from campaign_hours h
         where h.advertiser_id = $1 and h.campaign_id = c.id
           and h.bucket >= date_trunc('hour', $2::timestamptz, 'UTC') and h.bucket < $3
       )
     order by c.id`,
    [advertiserId, new Date(range.boundaries[0] ?? 0), new Date(range.boundaries.at(-1) ?? 0)],
  );
  return rows.map((row) => row.id);
}

/**
 * Of some campaigns of one advertiser. Where only campaigns and days are asked for, the totals that
 * know nothing finer do.
 */
export function sumCampaigns(
  db: Db,
  { advertiserId, campaignIds }: { advertiserId: string; campaignIds: readonly string[] },
  range: DayRange,
  by: TotalsDimension,
  filters: Filters,
): Promise<Sums[]> {
  const isCoarse =
    (by === 'day' || by === 'campaign') &&
    [
      filters.adGroupId,
      filters.adId,
      filters.country,
      filters.device,
      filters.placement,
      filters.publisherId,
    ].every((value) => value === null);
  const table = !isCoarse ? 'totals' : fallsOnHours(range) ? 'campaign_hours' : 'campaign_totals';
  const wanted = isCoarse
    ? `($4::uuid is null or t.campaign_id = $4)
         and num_nonnulls($5::uuid, $6::uuid, $7::text, $8::text, $9::text, $10::uuid) = 0`
    : filtered;
  return db.query<Sums>(
    `select ${keys[by]} as key, ${delivery}, ${isCoarse ? '0' : 'add_up(t.wins)'} as wins
     from ${table} t
     where t.advertiser_id = $11 and t.campaign_id = any($12::uuid[]) and t.bucket >= $1
       and t.bucket < $2 and cardinality($3::timestamptz[]) > 0 and ${wanted}
     group by 1`,
    [
      ...parameters(range.boundaries[0] ?? 0, range.boundaries.at(-1) ?? 0, range, filters),
      advertiserId,
      campaignIds,
    ],
  );
}

/** Of everybody or one account, in a stretch of time that is cut out of the pages. */
export function sumStretch(
  db: Db,
  stretch: { from: number; to: number },
  range: DayRange,
  by: TotalsDimension,
  filters: Filters,
): Promise<Sums[]> {
  return db.query<Sums>(
    `select ${keys[by]} as key, ${delivery}, add_up(t.wins) as wins
     from totals t
     where t.bucket >= $1 and t.bucket < $2 and cardinality($3::timestamptz[]) > 0
       and ${filtered} and ($11::uuid is null or t.advertiser_id = $11)
     group by 1`,
    [...parameters(stretch.from, stretch.to, range, filters), filters.advertiserId],
  );
}

/** Of everybody by day, from the totals that know campaigns and nothing finer. */
export function sumDays(
  db: Db,
  stretch: { from: number; to: number },
  range: DayRange,
): Promise<Omit<Sums, 'wins'>[]> {
  const table = fallsOnHours(range) ? 'campaign_hours' : 'campaign_totals';
  return db.query(
    `select ${keys.day} as key, ${delivery}
     from campaigns c
     join ${table} t on t.advertiser_id = c.advertiser_id and t.campaign_id = c.id
       and t.bucket >= $1 and t.bucket < $2
     where cardinality($3::timestamptz[]) > 0
     group by 1`,
    [new Date(stretch.from), new Date(stretch.to), timestampArray(range.boundaries)],
  );
}

/** Requests and the ads returned, which are counted by publisher only. */
export function sumRequests(
  db: Db,
  range: DayRange,
  by: 'day' | 'publisher',
  publisherId: string | null,
): Promise<Pick<Sums, 'key' | 'requests' | 'wins'>[]> {
  const table = fallsOnHours(range) ? 'publisher_hours' : 'publisher_totals';
  return db.query(
    `select ${keys[by]} as key, add_up(t.requests) as requests, add_up(t.wins) as wins
     from publishers p
     join ${table} t on t.publisher_id = p.id and t.bucket >= $1 and t.bucket < $2
     where ($4::uuid is null or p.id = $4) and cardinality($3::timestamptz[]) > 0
     group by 1`,
    [...bounds(range), publisherId],
  );
}

/** Requests and the ads returned by country or kind of device, by UTC day. */
export function sumAsked(
  db: Db,
  range: DayRange,
  by: 'country' | 'device',
  filters: Pick<Filters, 'publisherId' | 'country' | 'device'>,
): Promise<Pick<Sums, 'key' | 'requests' | 'wins'>[]> {
  return db.query(
    `select ${by} as key, sum(requests)::bigint as requests, sum(wins)::bigint as wins
     from request_days
     where day >= $1::date and day <= $2::date and ($3::uuid is null or publisher_id = $3)
       and ($4::text is null or country = $4) and ($5::text is null or device = $5)
     group by 1`,
    [range.startDate, range.endDate, filters.publisherId, filters.country, filters.device],
  );
}

/** What became of requests, by UTC day: `served`, or why there was no ad. */
export function sumOutcomes(
  db: Db,
  range: DayRange,
  publisherId: string | null,
): Promise<Pick<Sums, 'key' | 'requests'>[]> {
  return db.query(
    `select outcome as key, sum(requests)::bigint as requests
     from reading_days
     where day >= $1::date and day <= $2::date and ($3::uuid is null or publisher_id = $3)
     group by 1`,
    [range.startDate, range.endDate, publisherId],
  );
}

/**
 * What ads served on one UTC day did, by the topic of the conversation they were served in. An ad's
 * beacons that count, and what took them back, are stored under its own day and id.
 */
export function sumTopics(
  db: Db,
  advertiserId: string,
  day: string,
  filters: Filters,
): Promise<Sums[]> {
  return db.query<Sums>(
    `select coalesce(t.data ->> 'topic', '') as key, count(*) as wins, 0 as requests,
       add_up(b.impressions) as impressions, add_up(b.clicks) as clicks, 0 as conversions,
       0 as "viewConversions", add_up(b.spend) as "spendMicros", 0 as "payoutMicros",
       0 as "valueMicros"
     from events t
     cross join lateral (
         select
           coalesce(sum(case e.kind when 'impression' then 1 when 'impression_reversal' then -1
             else 0 end), 0)::bigint
             as impressions,
           coalesce(sum(case e.kind when 'click' then 1 when 'click_reversal' then -1 else 0 end),
             0)::bigint as clicks,
           coalesce(sum(e.spend_micros), 0)::bigint as spend
         from events e
         where e.day = t.day and e.id = t.id and e.invalid is null
           and e.kind in (
             'impression', 'viewable', 'click', 'impression_reversal', 'viewable_reversal',
             'click_reversal'
           )
       ) b
     where t.day = $1::date and t.kind = 'win' and t.advertiser_id = $2 and not t.test
       and t.invalid is null and ($3::uuid is null or t.campaign_id = $3)
       and ($4::uuid is null or t.ad_group_id = $4) and ($5::uuid is null or t.ad_id = $5)
       and ($6::text is null or coalesce(t.country, '') = $6)
       and ($7::text is null or coalesce(t.device, '') = $7)
       and ($8::text is null or coalesce(t.placement, '') = $8)
       and ($9::uuid is null or t.publisher_id = $9)
     group by 1`,
    [
      day,
      advertiserId,
      filters.campaignId,
      filters.adGroupId,
      filters.adId,
      filters.country,
      filters.device,
      filters.placement,
      filters.publisherId,
    ],
  );
}

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

const bounds = (range: DayRange): unknown[] => [
  new Date(range.boundaries[0] ?? 0),
  new Date(range.boundaries.at(-1) ?? 0),
  timestampArray(range.boundaries),
];
