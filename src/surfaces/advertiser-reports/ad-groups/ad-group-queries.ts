import { type DayEdges, edgeRuns } from '../../../domain/time/day-edges.js';
import type { DayRange } from '../../../domain/time/day-range.js';
import { formatDate } from '../../../domain/time/zone.js';
import type { Db } from '../../../platform/db/db.js';
import { timestampArray } from '../../../platform/db/timestamp-array.js';
import { utcDaySql } from '../../../platform/db/utc-day-sql.js';

export interface AdGroupHead {
  id: string;
  campaignId: string;
  name: string;
  groupType: string;
  status: string;
}

export interface AdGroupFilter {
  campaignId: string | null;
  adGroupId: string | null;
  includeArchived: boolean;
}

const groupFilter = `advertiser_id = $1 and ($2::uuid is null or campaign_id = $2)
  and ($3::uuid is null or id = $3) and ($4 or status <> 'archived')`;

export function listAdGroups(
  db: Db,
  advertiserId: string,
  filter: AdGroupFilter,
  page: { offset: number; limit: number },
): Promise<AdGroupHead[]> {
  return db.query<AdGroupHead>(
    `select id, campaign_id as "campaignId", name, group_type as "groupType", status
     from ad_groups
     where ${groupFilter}
     order by created_at, id offset $5
     limit $6`,
    [
      advertiserId,
      filter.campaignId,
      filter.adGroupId,
      filter.includeArchived,
      page.offset,
      page.limit,
    ],
  );
}

export async function countAdGroups(
  db: Db,
  advertiserId: string,
  filter: AdGroupFilter,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from ad_groups where ${groupFilter}`,
    [advertiserId, filter.campaignId, filter.adGroupId, filter.includeArchived],
  );
  return row?.count ?? 0;
}

/**
 * Days of a group in one text, numbers after numbers, in any order: the driver makes an object of
 * every row and parses every column of it, which at
 * hundreds of thousands of days costs more than the query.
 */
export interface AdGroupDays {
  adGroupId: string;
  /**
   * Rows of `run,day,impressions,clicks,conversions,spend`. Run 0: counts for that day of the
   * range, or that UTC day of its edges; others: lies on the edge of that day of the run, as
   * `edgeRuns` lists them from one.
   */
  rows: string;
}

const sums = ['impressions', 'clicks', 'conversions', 'spend_micros'];
const addedUp = sums.map((column) => `add_up(${column}) as ${column}`).join(', ');
const asRows = (keys: string): string =>
  `string_agg(concat_ws(',', ${keys}, ${sums.join(', ')}), ';') as rows`;

/** Quarter by quarter: in any zone, at the cost of every quarter hour a group was busy in. */
export function sumQuarters(
  db: Db,
  advertiserId: string,
  adGroupIds: readonly string[],
  range: DayRange,
): Promise<AdGroupDays[]> {
  return db.query<AdGroupDays>(
    `select ad_group_id as "adGroupId", ${asRows('0, day')}
     from (
         select ad_group_id, width_bucket(bucket, $5::timestamptz[]) - 1 as day, ${addedUp}
         from ad_group_totals
         where advertiser_id = $1 and ad_group_id = any($2::uuid[]) and bucket >= $3 and bucket < $4
         group by 1, 2
       ) d
     group by 1`,
    [
      advertiserId,
      adGroupIds,
      new Date(range.boundaries[0] ?? 0),
      new Date(range.boundaries.at(-1) ?? 0),
      timestampArray(range.boundaries),
    ],
  );
}

/**
 * UTC days, and the quarter hours between each and the start of a local day, where there are any;
 * in one statement, because those of different moments would not add up.
 */
export function sumDaysAndEdges(
  db: Db,
  advertiserId: string,
  adGroupIds: readonly string[],
  edges: DayEdges,
): Promise<AdGroupDays[]> {
  const days = `
    select ad_group_id as "adGroupId", ${asRows('0, day - $3::date')}
    from ad_group_days
    where advertiser_id = $1 and ad_group_id = any($2::uuid[]) and day >= $3::date
      and day < $4::date
    group by 1`;
  const utc = [advertiserId, adGroupIds, formatDate(edges.first), formatDate(edges.end)];
  const runs = edgeRuns(edges);
  if (runs.length === 0) return db.query<AdGroupDays>(days, utc);
  return db.query<AdGroupDays>(
    `${days}
     union all
     select e.id, ${asRows('e.run, e.n')} from (
       select d.ad_group_id as id, r.run, n, r.start + n * interval '24 hours' as start,
         r.stop + n * interval '24 hours' as stop
       from unnest($5::timestamptz[], $6::timestamptz[], $7::int[]) with ordinality
         as r (start, stop, days, run)
       cross join generate_series(0, r.days - 1) as n
       join (
         select distinct ad_group_id, day from ad_group_days where advertiser_id = $1
           and ad_group_id = any($2::uuid[]) and day >= $3::date - 1 and day <= $4::date
       ) d on d.day = ${utcDaySql('r.start')} + n offset 0
     ) e
     cross join lateral (select ${addedUp} from ad_group_totals where advertiser_id = $1
       and ad_group_id = e.id and bucket >= e.start and bucket < e.stop) t
     where t.impressions <> 0 or t.clicks <> 0 or t.conversions <> 0 or t.spend_micros <> 0
     group by 1`,
    [
      ...utc,
      timestampArray(runs.map((run) => run.from)),
      timestampArray(runs.map((run) => run.to)),
      runs.map((run) => run.days),
    ],
  );
}

/** Quarter hours in which the groups were busy, within the given time. */
export async function countQuarters(
  db: Db,
  advertiserId: string,
  adGroupIds: readonly string[],
  from: Date,
  to: Date,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count
     from ad_group_totals
     where advertiser_id = $1 and ad_group_id = any($2::uuid[]) and bucket >= $3 and bucket < $4`,
    [advertiserId, adGroupIds, from, to],
  );
  return row?.count ?? 0;
}
