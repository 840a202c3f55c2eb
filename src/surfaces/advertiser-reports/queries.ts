import { type DayRange, fallsOnHours } from '../../domain/time/day-range.js';
import { nilUuid } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';
import { timestampArray } from '../../platform/db/timestamp-array.js';

const hourMs = 3_600_000;

export interface CampaignDay {
  /** 1 is the first day of the range. */
  day: number;
  impressions: number;
  viewable: number;
  disclosed: number;
  clicks: number;
  conversions: number;
  viewConversions: number;
  filteredImpressions: number;
  filteredClicks: number;
  spendMicros: number;
  valueMicros: number;
}

type CampaignColumn =
  | 'impressions'
  | 'viewable'
  | 'disclosed'
  | 'clicks'
  | 'conversions'
  | 'view_conversions'
  | 'invalid_impressions'
  | 'invalid_clicks'
  | 'spend_micros'
  | 'value_micros';

/**
 * The totals of campaign `c` with their day of the range: hours, which count for the day they begin
 * in; where a midnight is not on a full hour,
 * the quarter hours up to the next one are then moved over. Parameters 1 to 5 are those of
 * `dayParameters`.
 */
function campaignDayRows(columns: readonly CampaignColumn[], range: DayRange): string {
  const hours = `
    select width_bucket(t.bucket, $2::timestamptz[]) as day,
      ${columns.map((column) => `t.${column}`).join(', ')}
    from campaign_hours t
    where t.advertiser_id = $1 and t.campaign_id = c.id and t.bucket >= $3 and t.bucket < $4`;
  return fallsOnHours(range)
    ? hours
    : `${hours}
       union all
       select m.day, ${columns.map((column) => `m.sign * t.${column}`).join(', ')}
       from unnest($2::timestamptz[]) with ordinality as b (at, day)
       join lateral (select * from campaign_totals t where t.advertiser_id = $1
         and t.campaign_id = c.id and t.bucket >= b.at
         and t.bucket < date_trunc('hour', b.at, 'UTC') + interval '1 hour') t
         on b.at <> date_trunc('hour', b.at, 'UTC')
       cross join lateral (values (b.day, 1), (b.day - 1, -1)) as m (day, sign)`;
}

/** The same, one row a day. */
const summedDays = (columns: readonly CampaignColumn[], range: DayRange): string => `
    select day, ${columns.map((column) => `add_up(${column}) as ${column}`).join(', ')}
    from (${campaignDayRows(columns, range)}) r
    where day >= 1 and day <= $5
    group by 1`;

function dayParameters(advertiserId: string, range: DayRange): unknown[] {
  return [
    advertiserId,
    instants(range),
    new Date(Math.floor((range.boundaries[0] ?? 0) / hourMs) * hourMs),
    end(range),
    range.dates.length,
  ];
}

/**
 * Campaign by campaign (`offset 0` keeps it so), so that the range is cut out of the index however
 * many years and campaigns there are.
 */
export function sumCampaignDays(
  db: Db,
  advertiserId: string,
  campaignId: string | null,
  range: DayRange,
): Promise<CampaignDay[]> {
  const rows = campaignDayRows(
    [
      'impressions',
      'viewable',
      'disclosed',
      'clicks',
      'conversions',
      'view_conversions',
      'invalid_impressions',
      'invalid_clicks',
      'spend_micros',
      'value_micros',
    ],
    range,
  );
  return db.query<CampaignDay>(
    `select d.day, sum(d.impressions)::bigint as impressions,
       sum(d.viewable)::bigint as viewable, sum(d.disclosed)::bigint as disclosed,
       sum(d.clicks)::bigint as clicks, sum(d.conversions)::bigint as conversions,
       sum(d.view_conversions)::bigint as "viewConversions",
       sum(d.invalid_impressions)::bigint as "filteredImpressions",
       sum(d.invalid_clicks)::bigint as "filteredClicks",
       sum(d.spend_micros)::bigint as "spendMicros", sum(d.value_micros)::bigint as "valueMicros"
     from campaigns c
     cross join lateral (${rows} offset 0) d
     where c.advertiser_id = $1 and ($6::uuid is null or c.id = $6) and d.day >= 1 and d.day <= $5
     group by 1
     order by 1`,
    [...dayParameters(advertiserId, range), campaignId],
  );
}

/** The same, campaign by campaign, with what ad-unit series show. */
export function sumDaysOfCampaigns(
  db: Db,
  advertiserId: string,
  campaignIds: readonly string[],
  range: DayRange,
): Promise<Omit<UnitDay, 'adUnitId'>[]> {
  return db.query<Omit<UnitDay, 'adUnitId'>>(
    `select c.id as "campaignId", d.day::int as day, d.impressions, d.clicks,
       d.spend_micros as "spendMicros"
     from unnest($6::uuid[]) as c (id)
     cross join lateral (${summedDays(['impressions', 'clicks', 'spend_micros'], range)}) d
     order by 1, 2`,
    [...dayParameters(advertiserId, range), campaignIds],
  );
}

export async function ownsAdUnit(db: Db, advertiserId: string, adUnitId: string): Promise<boolean> {
  return (
    (
      await db.query(`select 1 from ad_units where id = $1 and advertiser_id = $2`, [
        adUnitId,
        advertiserId,
      ])
    ).length > 0
  );
}

export async function ownsAdGroup(
  db: Db,
  advertiserId: string,
  adGroupId: string,
  campaignId: string | null,
): Promise<boolean> {
  return (
    (
      await db.query(
        `select 1
         from ad_groups
         where id = $1 and advertiser_id = $2 and ($3::uuid is null or campaign_id = $3)`,
        [adGroupId, advertiserId, campaignId],
      )
    ).length > 0
  );
}

export interface AdUnitLink {
  adUnitId: string;
  campaignId: string;
  name: string;
  /** The campaign has this unit and nothing else to show. */
  isOnlyOne: boolean;
}

export function listAdUnitLinks(
  db: Db,
  advertiserId: string,
  filter: { campaignId: string | null; adUnitId: string | null },
): Promise<AdUnitLink[]> {
  return db.query<AdUnitLink>(
    `select l.ad_unit_id as "adUnitId", l.campaign_id as "campaignId", u.name,
       (select count(*) from campaign_ad_units o where o.campaign_id = l.campaign_id) = 1
       and not exists (select 1 from ad_groups g where g.campaign_id = l.campaign_id) as "isOnlyOne"
     from campaigns c
     join campaign_ad_units l on l.campaign_id = c.id
     join ad_units u on u.id = l.ad_unit_id
     where c.advertiser_id = $1 and u.advertiser_id = $1 and ($2::uuid is null or c.id = $2)
       and ($3::uuid is null or u.id = $3)
     order by c.created_at, c.id, l.linked_at, l.ad_unit_id`,
    [advertiserId, filter.campaignId, filter.adUnitId],
  );
}

export interface UnitDay {
  adUnitId: string;
  campaignId: string;
  day: number;
  impressions: number;
  clicks: number;
  spendMicros: number;
}

/** Days of each (campaign, ad unit) pair; the pairs come as two lists of equal length. */
export function sumAdUnitDays(
  db: Db,
  advertiserId: string,
  links: readonly AdUnitLink[],
  range: DayRange,
): Promise<UnitDay[]> {
  return db.query<UnitDay>(
    `select l.ad_unit_id as "adUnitId", l.campaign_id as "campaignId", d.day, d.impressions,
       d.clicks, d.spend_micros as "spendMicros"
     from unnest($5::uuid[], $6::uuid[]) as l (campaign_id, ad_unit_id)
     cross join lateral (
         select width_bucket(t.bucket, $2::timestamptz[]) as day,
           add_up(t.impressions) as impressions, add_up(t.clicks) as clicks,
           add_up(t.spend_micros) as spend_micros
         from totals t
         where t.advertiser_id = $1 and t.campaign_id = l.campaign_id and t.ad_group_id = $7
           and t.ad_id = l.ad_unit_id and t.bucket >= $3 and t.bucket < $4
         group by 1
       ) d
     order by l.campaign_id, l.ad_unit_id, d.day`,
    [
      advertiserId,
      instants(range),
      first(range),
      end(range),
      links.map((link) => link.campaignId),
      links.map((link) => link.adUnitId),
      nilUuid,
    ],
  );
}

function instants(range: DayRange): string {
  return timestampArray(range.boundaries);
}

function first(range: DayRange): Date {
  return new Date(range.boundaries[0] ?? 0);
}

function end(range: DayRange): Date {
  return new Date(range.boundaries.at(-1) ?? 0);
}
