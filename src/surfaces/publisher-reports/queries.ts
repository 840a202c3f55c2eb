import { type DayRange, fallsOnHours } from '../../domain/time/day-range.js';
import { DAY_MS } from '../../domain/time/zone.js';
import type { Db } from '../../platform/db/db.js';
import { timestampArray } from '../../platform/db/timestamp-array.js';
import type { UserSort } from './schema.js';

const hourMs = 3_600_000;

const dayColumns = {
  requests: 'requests',
  wins: 'wins',
  impressions: 'impressions',
  viewable: 'viewable',
  clicks: 'clicks',
  conversions: 'conversions',
  filteredImpressions: 'invalid_impressions',
  filteredClicks: 'invalid_clicks',
  revenueMicros: 'revenue_micros',
} as const;

export type DayMeasure = keyof typeof dayColumns;
/** `day` 1 is the first day of the range; measures that were not asked for are absent. */
export type PublisherDay = { day: number } & Partial<Record<DayMeasure, number>>;

/** Only the measures a report shows, from the coarsest totals that have them: over ten years both are felt. */
export function sumPublisherDays(db: Db, publisherId: string, range: DayRange, measures: readonly DayMeasure[]): Promise<PublisherDay[]> {
  const isUtc = range.boundaries.every((boundary) => boundary % DAY_MS === 0);
  return isUtc && measures.every((measure) => utcMeasures.has(measure)) ? sumUtcDays(db, publisherId, range, measures) : sumHours(db, publisherId, range, measures);
}

const utcMeasures = new Set<DayMeasure>(['impressions', 'clicks', 'revenueMicros']);

/** Every counted event has a device row, so that dimension holds all of a UTC day. */
function sumUtcDays(db: Db, publisherId: string, range: DayRange, measures: readonly DayMeasure[]): Promise<PublisherDay[]> {
  return db.query<PublisherDay>(
    `select day - $2::date + 1 as day, ${measures.map((measure) => `add_up(${dayColumns[measure]}) as "${measure}"`).join(', ')}
     from publisher_days where publisher_id = $1 and dimension = 'device' and day >= $2::date and day <= $3::date group by 1 order by 1`,
    [publisherId, range.startDate, range.endDate],
  );
}

function sumHours(db: Db, publisherId: string, range: DayRange, measures: readonly DayMeasure[]): Promise<PublisherDay[]> {
  const [first = 0, end = 0] = [range.boundaries[0], range.boundaries.at(-1)];
  const columns = measures.map((measure) => dayColumns[measure]);
  const sums = measures.map((measure) => `add_up(${dayColumns[measure]}) as "${measure}"`).join(', ');
  const days = [publisherId, timestampArray(range.boundaries)];
  const hours = `select width_bucket(bucket, $2::timestamptz[]) as day, ${columns.join(', ')} from publisher_hours where publisher_id = $1 and bucket >= $3 and bucket < $4`;
  if (fallsOnHours(range)) return db.query<PublisherDay>(`select day, ${sums} from (${hours}) h group by 1 order by 1`, [...days, new Date(first), new Date(end)]);
  // Whole hours go to the day they begin in; what lies in the hour after a midnight then moves from the old day to the new one.
  return db.query<PublisherDay>(
    `select day, ${sums} from (
       ${hours}
       union all
       select m.day, ${columns.map((column) => `m.sign * t.${column}`).join(', ')}
       from unnest($2::timestamptz[]) with ordinality as b (at, day)
       join lateral (select * from publisher_totals t where t.publisher_id = $1 and t.bucket >= b.at and t.bucket < date_trunc('hour', b.at, 'UTC') + interval '1 hour') t on b.at <> date_trunc('hour', b.at, 'UTC')
       cross join lateral (values (b.day, 1), (b.day - 1, -1)) as m (day, sign)
     ) d where day >= 1 and day <= $5 group by 1 order by 1`,
    [...days, new Date(Math.floor(first / hourMs) * hourMs), new Date(end), range.dates.length],
  );
}

/** Every counted event has a device row here too. */
export async function sumLifetime(db: Db, publisherId: string): Promise<{ impressions: number; clicks: number }> {
  const [row] = await db.query<{ impressions: number; clicks: number }>(
    `select coalesce(sum(impressions), 0)::bigint as impressions, coalesce(sum(clicks), 0)::bigint as clicks from publisher_days where publisher_id = $1 and dimension = 'device'`,
    [publisherId],
  );
  return row ?? { impressions: 0, clicks: 0 };
}

export interface SliceDay {
  value: string;
  date: string;
  impressions: number;
  clicks: number;
  revenueMicros: number;
}

/** Days here are UTC days: these reports take no zone. */
export function listSliceDays(db: Db, publisherId: string, dimension: 'placement' | 'device' | 'country', range: DayRange): Promise<SliceDay[]> {
  return db.query<SliceDay>(
    `select value, day as date, impressions, clicks, revenue_micros as "revenueMicros" from publisher_days
     where publisher_id = $1 and dimension = $2 and day >= $3 and day <= $4 and (impressions <> 0 or clicks <> 0 or revenue_micros <> 0)
     order by day, value`,
    [publisherId, dimension, range.startDate, range.endDate],
  );
}

export interface UserRow {
  pub_user_id: string;
  requests: number;
  ads_served: number;
  impressions: number;
  clicks: number;
  revenue_microdollars: number;
  first_seen: Date;
  last_seen: Date;
}

const sortColumns: Record<UserSort, string> = {
  requests: 'requests',
  ads_served: 'ads_served',
  impressions: 'impressions',
  clicks: 'clicks',
  revenue_microdollars: 'revenue_micros',
  first_seen: 'first_seen',
  last_seen: 'last_seen',
};

export async function countUsers(db: Db, publisherId: string, search: string | null): Promise<number> {
  const [row] = await db.query<{ count: number }>(`select count(*) as count from publisher_users where publisher_id = $1${search === null ? '' : ' and user_id ilike $2'}`, search === null ? [publisherId] : [publisherId, containing(search)]);
  return row?.count ?? 0;
}

/** The page is found in the index of its column alone; only its rows are then fetched. */
export function listUsers(db: Db, publisherId: string, page: { sort: UserSort; order: 'asc' | 'desc'; search: string | null; offset: number; limit: number }): Promise<UserRow[]> {
  const column = sortColumns[page.sort];
  const order = page.order === 'asc' ? 'asc' : 'desc';
  return db.query<UserRow>(
    `select u.user_id as pub_user_id, u.requests, u.ads_served, u.impressions, u.clicks, u.revenue_micros as revenue_microdollars, u.first_seen, u.last_seen
     from (
       select user_id, ${column} from publisher_users where publisher_id = $1${page.search === null ? '' : ' and user_id ilike $4'}
       order by ${column} ${order}, user_id ${order} offset $2 limit $3
     ) found
     join publisher_users u on u.publisher_id = $1 and u.user_id = found.user_id
     order by found.${column} ${order}, found.user_id ${order}`,
    [publisherId, page.offset, page.limit, ...(page.search === null ? [] : [containing(page.search)])],
  );
}

export interface UserCountry {
  country: string;
  requests: number;
  adsServed: number;
  uniqueUsers: number;
  allRequests: number;
}

export function listUserCountries(db: Db, publisherId: string, limit: number): Promise<UserCountry[]> {
  return db.query<UserCountry>(
    `select country, sum(requests)::bigint as requests, sum(ads_served)::bigint as "adsServed", count(*) as "uniqueUsers", (sum(sum(requests)) over ())::bigint as "allRequests"
     from publisher_user_countries where publisher_id = $1 group by 1 order by 4 desc, 2 desc, 1 limit $2`,
    [publisherId, limit],
  );
}

function containing(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
