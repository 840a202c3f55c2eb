import type { DayEdges, EdgeRun } from '../../domain/time/day-edges.js';
import { type DayRange, fallsOnHours } from '../../domain/time/day-range.js';
import { formatDate } from '../../domain/time/zone.js';
import type { Db } from '../../platform/db/db.js';
import { timestampArray } from '../../platform/db/timestamp-array.js';
import { utcDaySql } from '../../platform/db/utc-day-sql.js';

const hourMs = 3_600_000;

const dayColumns = {
  requests: 'requests',
  wins: 'wins',
  impressions: 'impressions',
  viewable: 'viewable',
  disclosed: 'disclosed',
  clicks: 'clicks',
  conversions: 'conversions',
  filteredImpressions: 'invalid_impressions',
  filteredClicks: 'invalid_clicks',
  revenueMicros: 'revenue_micros',
} as const;

export type DayMeasure = keyof typeof dayColumns;
// Its own keys, which the compiler knows only as strings.
export const dayMeasures = Object.keys(dayColumns) as DayMeasure[];
/** `day` 1 is the first day of the range; measures that were not asked for are absent. */
export type PublisherDay = { day: number } & Partial<Record<DayMeasure, number>>;

const sumsOf = (measures: readonly DayMeasure[]): string =>
  measures.map((measure) => `add_up(${dayColumns[measure]}) as "${measure}"`).join(', ');

/**
 * Each a list of rows of numbers in one text, because an object per day costs more than the query:
 * `day,measures…` of UTC days counted from the first, `run,day,measures…` of the edges.
 */
export interface UtcDaysAndEdges {
  days: string | null;
  hours: string | null;
  rests: string | null;
}

/**
 * In one statement: days and edges of different moments would not add up. Every counted event has a
 * device row, so that dimension holds all of a day.
 */
export async function sumUtcDaysAndEdges(
  db: Db,
  publisherId: string,
  edges: DayEdges,
  measures: readonly DayMeasure[],
): Promise<UtcDaysAndEdges> {
  const asText = (keys: string): string =>
    `string_agg(concat_ws(',', ${keys}, ${measures.map((measure) => `"${measure}"`).join(', ')}), ';')`;
  // Only from the first to the last day that has anything. 24 hours and not a day, which would ask
  // for the rules of the zone every time.
  const onEdges = (table: string, from: string, to: string, days: string): string =>
    `(select ${asText('r.run, n')} from (select min(day) as first, max(day) as last from d) as known
      cross join (select *, ${utcDaySql('start')} as day from unnest(${from}::timestamptz[],
        ${to}::timestamptz[], ${days}::int[]) with ordinality as u (start, stop, days, run)) as r
      cross join generate_series(greatest(0, known.first - r.day), least(r.days - 1, known.last - r.day)) as n
      cross join lateral (select ${sumsOf(measures)} from ${table} where publisher_id = $1
        and bucket >= r.start + n * interval '24 hours'
        and bucket < r.stop + n * interval '24 hours') t
      where known.first is not null)`;
  const [row] = await db.query<UtcDaysAndEdges>(
    `with d as materialized (
         select day, ${sumsOf(measures)}
         from publisher_days
         where publisher_id = $1 and dimension = 'device' and day >= $2::date - 1
           and day <= $3::date
         group by 1
       )
     select (select ${asText('day - $2::date')} from d where day >= $2::date and day < $3::date) as
         days, ${onEdges('publisher_hours', '$4', '$5', '$6')} as hours,
       ${onEdges('publisher_totals', '$7', '$8', '$9')} as rests`,
    [
      publisherId,
      formatDate(edges.first),
      formatDate(edges.end),
      ...runParameters(edges.hours),
      ...runParameters(edges.rests),
    ],
  );
  return row ?? { days: null, hours: null, rests: null };
}

function runParameters(runs: readonly EdgeRun[]): [from: string, to: string, days: number[]] {
  return [
    timestampArray(runs.map((run) => run.from)),
    timestampArray(runs.map((run) => run.to)),
    runs.map((run) => run.days),
  ];
}

/** Days in any zone, of any measure, from hours. */
export function sumHours(
  db: Db,
  publisherId: string,
  range: DayRange,
  measures: readonly DayMeasure[],
): Promise<PublisherDay[]> {
  const [first = 0, end = 0] = [range.boundaries[0], range.boundaries.at(-1)];
  const columns = measures.map((measure) => dayColumns[measure]);
  const sums = sumsOf(measures);
  const days = [publisherId, timestampArray(range.boundaries)];
  const hours = `
    select width_bucket(bucket, $2::timestamptz[]) as day, ${columns.join(', ')}
    from publisher_hours
    where publisher_id = $1 and bucket >= $3 and bucket < $4`;
  if (fallsOnHours(range))
    return db.query<PublisherDay>(`select day, ${sums} from (${hours}) h group by 1 order by 1`, [
      ...days,
      new Date(first),
      new Date(end),
    ]);
  // Whole hours go to the day they begin in; what lies in the hour after a midnight then moves from
  // the old day to the new one.
  return db.query<PublisherDay>(
    `select day, ${sums}
     from (
         ${hours} union all select m.day,
         ${columns.map((column) => `m.sign * t.${column}`).join(', ')} from unnest(
           $2::timestamptz[]
         ) with ordinality as b (at, day) join lateral (
           select *
           from publisher_totals t
           where t.publisher_id = $1 and t.bucket >= b.at
             and t.bucket < date_trunc('hour', b.at, 'UTC') + interval '1 hour'
         ) t
         on b.at <> date_trunc('hour', b.at, 'UTC') cross join lateral (
           values (b.day, 1), (b.day - 1, -1)
         ) as m (day, sign)
       ) d
     where day >= 1 and day <= $5
     group by 1
     order by 1`,
    [...days, new Date(Math.floor(first / hourMs) * hourMs), new Date(end), range.dates.length],
  );
}

/** Every counted event has a device row here too. */
export async function sumLifetime(
  db: Db,
  publisherId: string,
): Promise<{ impressions: number; clicks: number }> {
  const [row] = await db.query<{ impressions: number; clicks: number }>(
    `select coalesce(sum(impressions), 0)::bigint as impressions,
       coalesce(sum(clicks), 0)::bigint as clicks
     from publisher_days
     where publisher_id = $1 and dimension = 'device'`,
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
export function listSliceDays(
  db: Db,
  publisherId: string,
  dimension: 'placement' | 'device' | 'country',
  range: DayRange,
): Promise<SliceDay[]> {
  return db.query<SliceDay>(
    `select value, day as date, impressions, clicks, revenue_micros as "revenueMicros"
     from publisher_days
     where publisher_id = $1 and dimension = $2 and day >= $3 and day <= $4
       and (impressions <> 0 or clicks <> 0 or revenue_micros <> 0)
     order by day, value`,
    [publisherId, dimension, range.startDate, range.endDate],
  );
}
