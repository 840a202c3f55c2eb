import { type DayRange, fallsOnHours } from '../../domain/time/day-range.js';
import { utcDay } from '../../domain/time/utc-day.js';
import { nilUuid } from '../../domain/uuid.js';
import { readNumbers } from '../../fast/number-text.js';
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
  day: `width_bucket(t.bucket, $3::timestamptz[])`,
  campaign: 't.campaign_id',
  ad_group: 't.ad_group_id',
  ad: 't.ad_id',
  country: 't.country',
  device: 't.device',
  placement: 't.placement',
  publisher: 't.publisher_id',
  advertiser: 't.advertiser_id',
};

/** What totals are made of, by the name it has here. */
const columns = {
  impressions: 'impressions',
  clicks: 'clicks',
  conversions: 'conversions',
  viewConversions: 'view_conversions',
  spendMicros: 'spend_micros',
  payoutMicros: 'revenue_micros',
  valueMicros: 'value_micros',
  wins: 'wins',
} as const;
export type Summed = keyof typeof columns;

/**
 * Sums key by key, as lists: an object for each of ten thousand keys would take longer to make and
 * to clear away than they take to add.
 */
export interface Parts {
  keys: readonly string[];
  /** For each key whether it is of the period asked for (1), how many rows, and its `sums`. */
  numbers: readonly number[];
  sums: readonly Summed[];
}

/** Both periods as one; what began at `now` or later belongs to the one asked for. */
export interface Periods {
  range: DayRange;
  now: number;
}

/**
 * Adds up `source`, which reads totals as `t`, key by key. Comes back as one list of keys and one
 * text of numbers: the driver makes an object of every row and parses every column of it, which for
 * ten thousand rows takes longer than adding up a hundred thousand. `sum` and not `add_up`: the
 * embedded engine hands every bigint on by its address, so that `add_up` copies one a row and
 * column. Parameters 1 to 4 are the stretch of time, the starts of the days and that of the period
 * asked for.
 */
async function addUp(
  db: Db,
  source: string,
  { by, sums }: { by: TotalsDimension; sums: readonly Summed[] },
  { range, now, from, to }: Periods & { from: number; to: number },
  values: readonly unknown[],
): Promise<Parts> {
  // Where all of it lies in one of the periods, rows need not be told apart.
  const isMixed = from < now && to > now;
  const numbers = ['n', ...sums.map((name) => columns[name])].map((name) => `s.${name}`).join(', ');
  const [found] = await db.query<Lists>(
    `select json_agg(s.key) as keys, string_agg(
         concat_ws(',', ${isMixed ? 's.is_now' : '($1 >= $4::timestamptz)::int'}, ${numbers}), ';'
       ) as numbers
     from (
         select ${keys[by]} as key, ${isMixed ? '(t.bucket >= $4)::int as is_now,' : ''}
           count(*) as n,
           ${sums.map((name) => `sum(t.${columns[name]}) as ${columns[name]}`).join(', ')}
         from ${source} and cardinality($3::timestamptz[]) > 0
         group by 1${isMixed ? ', 2' : ''}
       ) s`,
    [new Date(from), new Date(to), timestampArray(range.boundaries), new Date(now), ...values],
  );
  return partsOf(found, sums);
}

interface Lists {
  keys: unknown[] | null;
  numbers: string | null;
}

function partsOf(found: Lists | undefined, sums: readonly Summed[]): Parts {
  const numbers: number[] = [];
  readNumbers(found?.numbers ?? null, numbers);
  return { keys: (found?.keys ?? []).map(String), numbers, sums };
}

/** Campaigns of everybody or one account. */
export async function listCampaignIds(
  db: Db,
  filters: Pick<Filters, 'advertiserId' | 'campaignId'>,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id
     from campaigns
     where ($1::uuid is null or advertiser_id = $1) and ($2::uuid is null or id = $2)
     order by id`,
    [filters.advertiserId, filters.campaignId],
  );
  return rows.map((row) => row.id);
}

/** Those of an advertiser that did anything in the range, with their first and last hour in it. */
export function listBusyCampaigns(
  db: Db,
  advertiserId: string,
  range: DayRange,
): Promise<{ id: string; first: Date; last: Date }[]> {
  const hour = (order: 'asc' | 'desc'): string => `(
         select h.bucket
         from campaign_hours h
         where h.advertiser_id = $1 and h.campaign_id = c.id
           and h.bucket >= date_trunc('hour', $2::timestamptz, 'UTC') and h.bucket < $3
         order by h.bucket ${order}
         limit 1
       )`;
  return db.query(
    `select c.id, f.bucket as first, l.bucket as last
     from campaigns c
     cross join lateral ${hour('asc')} f
     cross join lateral ${hour('desc')} l
     where c.advertiser_id = $1
     order by c.id`,
    [advertiserId, new Date(range.boundaries[0] ?? 0), new Date(range.boundaries.at(-1) ?? 0)],
  );
}

/** Of some campaigns, from the totals that know campaigns and nothing finer. */
export function sumWholeCampaigns(
  db: Db,
  campaignIds: readonly string[],
  periods: Periods,
  asked: { by: 'day' | 'campaign' | 'advertiser'; sums: readonly Exclude<Summed, 'wins'>[] },
): Promise<Parts> {
  return addUp(
    db,
    `campaigns c
         join ${fallsOnHours(periods.range) ? 'campaign_hours' : 'campaign_totals'} t
           on t.advertiser_id = c.advertiser_id and t.campaign_id = c.id
         where t.bucket >= $1 and t.bucket < $2 and c.id = any($5::uuid[])`,
    asked,
    { ...periods, ...whole(periods.range) },
    [campaignIds],
  );
}

const filterColumns: readonly (readonly [keyof Filters, column: string, type: string])[] = [
  ['campaignId', 'campaign_id', 'uuid'],
  ['adGroupId', 'ad_group_id', 'uuid'],
  ['adId', 'ad_id', 'uuid'],
  ['country', 'country', 'text'],
  ['device', 'device', 'text'],
  ['placement', 'placement', 'text'],
  ['publisherId', 'publisher_id', 'uuid'],
  ['advertiserId', 'advertiser_id', 'uuid'],
];

/**
 * Only what is filtered by: every condition is looked at once a row. An empty text stands for what
 * an event did not say. Parameters begin at 5.
 */
function filtered(filters: Filters): { sql: string; values: unknown[] } {
  const wanted = filterColumns.filter(([name]) => filters[name] !== null);
  return {
    sql: wanted
      .map(([, column, type], index) => ` and t.${column} = $${index + 5}::${type}`)
      .join(''),
    values: wanted.map(([name]) => filters[name]),
  };
}

/** Of some campaigns of one advertiser. */
export function sumCampaigns(
  db: Db,
  { advertiserId, campaignIds }: { advertiserId: string; campaignIds: readonly string[] },
  periods: Periods,
  asked: { by: TotalsDimension; sums: readonly Summed[] },
  filters: Filters,
): Promise<Parts> {
  const { sql, values } = filtered({ ...filters, advertiserId });
  return addUp(
    db,
    `totals t
         where t.bucket >= $1 and t.bucket < $2${sql}
           and t.campaign_id = any($${values.length + 5}::uuid[])`,
    asked,
    { ...periods, ...whole(periods.range) },
    [...values, campaignIds],
  );
}

/** Of everybody or one account, in a stretch of time that is cut out of the pages. */
export function sumStretch(
  db: Db,
  stretch: { from: number; to: number },
  periods: Periods,
  asked: { by: TotalsDimension; sums: readonly Summed[] },
  filters: Filters,
): Promise<Parts> {
  const { sql, values } = filtered(filters);
  return addUp(
    db,
    `totals t
         where t.bucket >= $1 and t.bucket < $2${sql}`,
    asked,
    { ...periods, ...stretch },
    values,
  );
}

/** What is known of an ad group's UTC days. */
const ofAdGroupDays = ['impressions', 'clicks', 'spendMicros'] as const;

/** Of an advertiser's ad groups on whole UTC days: a row a group and day, however busy it was. */
export async function sumAdGroupDays(
  db: Db,
  advertiserId: string,
  { from, to }: { from: number; to: number },
  { now }: Periods,
): Promise<Parts> {
  const names = ofAdGroupDays.map((name) => columns[name]);
  const [found] = await db.query<Lists>(
    `select json_agg(s.key) as keys, string_agg(
         concat_ws(',', $4::int, s.n, ${names.map((name) => `s.${name}`).join(', ')}), ';'
       ) as numbers
     from (
         select t.ad_group_id as key, count(*) as n,
           ${names.map((name) => `sum(t.${name}) as ${name}`).join(', ')}
         from ad_group_days t
         where t.advertiser_id = $1 and t.day >= $2::date and t.day < $3::date
         group by 1
       ) s`,
    [advertiserId, utcDay(from), utcDay(to), from >= now ? 1 : 0],
  );
  return partsOf(found, ofAdGroupDays);
}

/**
 * What an ad group's days do not know: what was sold, and all that belongs to no group. Each is
 * asked for in the words of an index that has only those rows.
 */
export async function sumBesideAdGroupDays(
  db: Db,
  advertiserId: string,
  stretch: { from: number; to: number },
  periods: Periods,
): Promise<readonly Parts[]> {
  const rest = (which: string, sums: readonly Summed[]): Promise<Parts> =>
    addUp(
      db,
      `totals t
         where t.advertiser_id = $5 and t.bucket >= $1 and t.bucket < $2 and ${which}`,
      { by: 'ad_group', sums },
      { ...periods, ...stretch },
      [advertiserId],
    );
  return [
    await rest(`(t.conversions <> 0 or t.view_conversions <> 0 or t.value_micros <> 0)`, [
      'conversions',
      'viewConversions',
      'valueMicros',
    ]),
    await rest(`t.ad_group_id = '${nilUuid}'`, ofAdGroupDays),
  ];
}

/** All that is counted by publisher: everything but what advertisers spent and sold. */
export function sumPublishers(
  db: Db,
  range: DayRange,
  by: 'day' | 'publisher',
  publisherId: string | null,
): Promise<Omit<Sums, 'viewConversions' | 'spendMicros' | 'valueMicros'>[]> {
  const table = fallsOnHours(range) ? 'publisher_hours' : 'publisher_totals';
  return db.query(
    `select ${keys[by]}::text as key, add_up(t.requests) as requests, add_up(t.wins) as wins,
       add_up(t.impressions) as impressions, add_up(t.clicks) as clicks,
       add_up(t.conversions) as conversions, add_up(t.revenue_micros) as "payoutMicros"
     from publishers p
     join ${table} t on t.publisher_id = p.id and t.bucket >= $1 and t.bucket < $2
     where ($4::uuid is null or p.id = $4) and cardinality($3::timestamptz[]) > 0
     group by 1`,
    [...bounds(range), publisherId],
  );
}

const whole = ({ boundaries }: DayRange): { from: number; to: number } => ({
  from: boundaries[0] ?? 0,
  to: boundaries.at(-1) ?? 0,
});

/** Requests and the ads returned, which are counted by publisher only. */
export function sumRequests(
  db: Db,
  range: DayRange,
  by: 'day' | 'publisher',
  publisherId: string | null,
): Promise<Pick<Sums, 'key' | 'requests' | 'wins'>[]> {
  const table = fallsOnHours(range) ? 'publisher_hours' : 'publisher_totals';
  return db.query(
    `select ${keys[by]}::text as key, add_up(t.requests) as requests, add_up(t.wins) as wins
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

/** The first UTC day of which single events are kept. */
export async function findFirstKeptDay(db: Db): Promise<string | null> {
  const [first] = await db.query<{ day: string }>(
    `select day::text as day from events order by events.day limit 1`,
  );
  return first?.day ?? null;
}

/**
 * What ads served on one UTC day did, by the topic of the conversation they were served in. An ad's
 * beacons that count, and what took them back, are stored under its own day and id.
 */
export function sumTopics(db: Db, day: string, filters: Filters): Promise<Sums[]> {
  return db.query<Sums>(
    `select coalesce(t.data ->> 'topic', '') as key, count(*) as wins, 0 as requests,
       add_up(b.impressions) as impressions, add_up(b.clicks) as clicks, 0 as conversions,
       0 as "viewConversions", add_up(b.spend) as "spendMicros",
       add_up(b.payout) as "payoutMicros", 0 as "valueMicros"
     from events t
     cross join lateral (
         select
           coalesce(sum(case e.kind when 'impression' then 1 when 'impression_reversal' then -1
             else 0 end), 0)::bigint
             as impressions,
           coalesce(sum(case e.kind when 'click' then 1 when 'click_reversal' then -1 else 0 end),
             0)::bigint as clicks,
           coalesce(sum(e.spend_micros), 0)::bigint as spend,
           coalesce(sum(e.revenue_micros), 0)::bigint as payout
         from events e
         where e.day = t.day and e.id = t.id and e.invalid is null and e.day = $1::date
           and e.kind in (
             'impression', 'viewable', 'click', 'impression_reversal', 'viewable_reversal',
             'click_reversal'
           )
       ) b
     where t.day = $1::date and t.kind = 'win' and not t.test and t.invalid is null
       and ($2::uuid is null or t.advertiser_id = $2) and ($3::uuid is null or t.campaign_id = $3)
       and ($4::uuid is null or t.ad_group_id = $4) and ($5::uuid is null or t.ad_id = $5)
       and ($6::text is null or coalesce(t.country, '') = $6)
       and ($7::text is null or coalesce(t.device, '') = $7)
       and ($8::text is null or coalesce(t.placement, '') = $8)
       and ($9::uuid is null or t.publisher_id = $9)
     group by 1`,
    [
      day,
      filters.advertiserId,
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

export const bounds = (range: DayRange): unknown[] => [
  new Date(range.boundaries[0] ?? 0),
  new Date(range.boundaries.at(-1) ?? 0),
  timestampArray(range.boundaries),
];
