import type { Db } from '../../../platform/db/db.js';

export interface ListFilter {
  campaignId: string | null;
  /** Part of the name, or of what it says. */
  search: string | null;
  status: string | null;
  /** The last one of the page before. */
  afterId: string | null;
  limit: number;
}

export interface ListedGroup {
  id: string;
  name: string;
  campaignId: string;
  campaignName: string;
  groupType: string;
  status: string;
  context: string | null;
  dailyBudgetMicros: number | null;
  maxCpcMicros: number | null;
  ads: number;
  impressions: number;
  clicks: number;
  spendMicros: number;
  /** Of each day from `trendFrom` to before `today`. */
  spendByDay: number[];
}

const values = (advertiserId: string, filter: ListFilter): unknown[] => [
  advertiserId,
  filter.campaignId,
  filter.search,
  filter.status,
  filter.afterId,
  filter.limit,
];

/** Newest first, with what they did since a day; only the page's own are added up. */
export async function listGroupRows(
  db: Db,
  advertiserId: string,
  filter: ListFilter,
  days: { since: string; trendFrom: string; today: string },
): Promise<ListedGroup[]> {
  const rows = await db.query<ListedGroup>(
    `with page as materialized (
         select g.id, g.name, g.campaign_id, c.name as campaign_name, g.group_type, g.status,
           g.context, g.daily_budget_micros, g.max_cpc_micros
         from ad_groups g
         join campaigns c on c.id = g.campaign_id
         where g.advertiser_id = $1 and ($2::uuid is null or g.campaign_id = $2)
           and (
             $3::text is null
             or strpos(lower(g.name || ' ' || coalesce(g.context, '')), lower($3)) > 0
           )
           and (g.status = $4 or ($4::text is null and g.status <> 'archived'))
           and ($5::uuid is null or g.id < $5)
         order by g.id desc
         limit $6
       )
     select p.id, p.name, p.campaign_id as "campaignId", p.campaign_name as "campaignName",
       p.group_type as "groupType", p.status, p.context,
       p.daily_budget_micros as "dailyBudgetMicros", p.max_cpc_micros as "maxCpcMicros",
       (select count(*) from ads a where a.ad_group_id = p.id and a.status <> 'archived') as ads,
       coalesce(d.impressions, 0)::bigint as impressions, coalesce(d.clicks, 0)::bigint as clicks,
       coalesce(d.spend, 0)::bigint as "spendMicros", t.spend as "spendByDay"
     from page p
     left join lateral (
         select sum(impressions) as impressions, sum(clicks) as clicks, sum(spend_micros) as spend
         from ad_group_days
         where advertiser_id = $1 and ad_group_id = p.id and day >= $7::date
       ) d on true
     cross join lateral (
         select array_agg(coalesce(x.spend_micros, 0) order by s.day) as spend
         from generate_series($8::date, $9::date - 1, interval '1 day') as s (day)
         left join ad_group_days x
           on x.advertiser_id = $1 and x.ad_group_id = p.id and x.day = s.day::date
       ) t
     order by p.id desc`,
    [...values(advertiserId, filter), days.since, days.trendFrom, days.today],
  );
  return rows.map((row) => ({ ...row, spendByDay: row.spendByDay.map(Number) }));
}

export interface ListedAdRow {
  id: string;
  name: string;
  headline: string | null;
  copy: string | null;
  cta: string | null;
  source: string;
  status: string;
  reviewStatus: string;
  adGroupId: string;
  adGroupName: string;
  campaignId: string;
  campaignName: string;
}

export function listAdRows(
  db: Db,
  advertiserId: string,
  filter: ListFilter,
): Promise<ListedAdRow[]> {
  return db.query<ListedAdRow>(
    `select d.id, d.name, d.headline, d.copy, d.cta, d.source, d.status,
       d.review_status as "reviewStatus", d.ad_group_id as "adGroupId", g.name as "adGroupName",
       d.campaign_id as "campaignId", c.name as "campaignName"
     from ads d
     join ad_groups g on g.id = d.ad_group_id
     join campaigns c on c.id = d.campaign_id
     where d.advertiser_id = $1 and ($2::uuid is null or d.campaign_id = $2)
       and (
         $3::text is null
         or strpos(lower(concat_ws(' ', d.name, d.headline, d.copy)), lower($3)) > 0
       )
       and (d.status = $4 or ($4::text is null and d.status <> 'archived'))
       and ($5::uuid is null or d.id < $5)
     order by d.id desc
     limit $6`,
    values(advertiserId, filter),
  );
}
