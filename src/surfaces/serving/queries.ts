import { spentCredit } from '../../platform/budgets/billing-sql.js';
import type { Experiment } from '../../domain/decision/candidate.js';
import type { BidSettings } from '../../domain/decision/derive-bid.js';
import type {
  CampaignStatus,
  DeploymentStatus,
  ReviewStatus,
} from '../../domain/review/review-state.js';
import type { Db } from '../../platform/db/db.js';
import type { NamedUser } from './showing/user-names.js';

/**
 * Campaigns changed somewhere; the payload is the campaign's id, followed by a group's where only
 * that changed, or empty for "look at everything".
 */

export interface CampaignRow extends Omit<BidSettings, 'groupMaxCpcMicros'> {
  id: string;
  advertiserId: string;
  advertiserStatus: string;
  timeZone: string;
  billingEnabled: boolean;
  hasCredit: boolean;
  creditMicros: number;
  status: CampaignStatus;
  isActive: boolean;
  isArchived: boolean;
  name: string;
  landingPage: string;
  demographics: { genders?: string[]; age_ranges?: string[]; interests?: string[] } | null;
  brandSafety: { excluded_categories?: string[]; excluded_publishers?: string[] } | null;
  frequencyCap: { per_session?: number; per_user_day?: number } | null;
  experiment: Experiment | null;
  allowedCountries: string[];
  allowedDevices: string[];
  faviconUrl: string | null;
  leadForm: Record<string, unknown> | null;
  utmParams: unknown;
  /** Of the version that is shown, where a newer one waits. */
  approvedUtm: unknown;
  conversionType: string | null;
  cpaTrust: string;
  reviewStatus: ReviewStatus;
  deploymentStatus: DeploymentStatus;
  startTime: Date | null;
  endTime: Date | null;
}

export interface GroupRow {
  id: string;
  campaignId: string;
  status: 'active' | 'paused' | 'archived';
  name: string;
  context: string | null;
  negativeContext: string | null;
  /** What the page it leads to says it is about, as review found it. */
  landingTerms: string | null;
  brandName: string | null;
  landingPage: string | null;
  dailyBudgetMicros: number | null;
  autoOptimizeBudget: boolean;
  minDailyBudgetMicros: number | null;
  maxDailyBudgetMicros: number | null;
  maxCpcMicros: number | null;
  allowedCountries: string[];
  allowedDevices: string[];
}

export interface AdRow {
  id: string;
  groupId: string | null;
  campaignId: string;
  headline: string | null;
  copy: string | null;
  cta: string | null;
  description: string | null;
  landingPage: string | null;
  imageUrl: string | null;
  faviconUrl: string | null;
  brandName: string | null;
  status: string;
  reviewStatus: string;
  thumbsUp: number;
  thumbsDown: number;
}

/** Only what could serve: everything else is not worth the memory. */
const servable = `c.status = 'active' and c.is_active and not c.is_archived
  and (c.shows_approved or (c.review_status = 'approved' and c.deployment_status = 'deployed'))`;

/** What is kept of the approved version of a row while a newer one waits, as `v`. */
const keptFor = (id: string): string =>
  `left join approved_versions v on c.shows_approved and v.campaign_id = c.id
    and v.entity_id = ${id}`;

/** A text people see, as it was approved where that is kept. */
const shown = (row: string, column: string): string =>
  `case when v.fields ? '${column}' then v.fields ->> '${column}' else ${row}.${column} end`;

export function loadCampaigns(db: Db, ids: readonly string[] | null): Promise<CampaignRow[]> {
  return db.query<CampaignRow>(
    `select c.id, c.advertiser_id as "advertiserId", a.status as "advertiserStatus",
       a.time_zone as "timeZone", a.billing_enabled as "billingEnabled",
       a.credit_micros > ${spentCredit('a.id')} as "hasCredit", a.credit_micros as "creditMicros",
         c.status, c.is_active as "isActive",
       c.is_archived as "isArchived", ${shown('c', 'name')} as name,
       ${shown('c', 'landing_page')} as "landingPage",
       c.campaign_objective as objective, c.billing_model as "billingModel",
       c.bid_strategy as "bidStrategy", c.daily_budget_micros as "dailyBudgetMicros",
       c.click_goal as "clickGoal", c.impression_goal as "impressionGoal",
       c.max_cpc_micros as "maxCpcMicros", c.max_cpm_micros as "maxCpmMicros",
       c.max_cpa_micros as "maxCpaMicros", c.demographics, c.brand_safety as "brandSafety",
       c.frequency_cap as "frequencyCap",
       (
         select jsonb_build_object('id', x.id, 'kind', x.kind, 'variants', x.variants)
         from experiments x
         where x.campaign_id = c.id and x.stopped_at is null
       ) as experiment,
       c.allowed_countries as "allowedCountries", c.allowed_devices as "allowedDevices",
       ${shown('c', 'custom_favicon_url')} as "faviconUrl",
       case when v.fields ? 'lead_form_config' then nullif(v.fields -> 'lead_form_config', 'null')
       else c.lead_form_config end as "leadForm", c.utm_params as "utmParams",
       coalesce(v.fields -> 'utm_params', c.utm_params) as "approvedUtm",
         c.conversion_type as "conversionType",
       c.cpa_trust as "cpaTrust",
       case when c.shows_approved then 'approved' else c.review_status end as "reviewStatus",
       case when c.shows_approved then 'deployed' else c.deployment_status end as
         "deploymentStatus", c.start_time as "startTime",
       c.end_time as "endTime"
     from campaigns c
     join advertisers a on a.id = c.advertiser_id ${keptFor('c.id')}
     where ${servable} and ($1::uuid[] is null or c.id = any($1::uuid[]))`,
    [ids],
  );
}

/** What could serve, by name only; a campaign with ad units also without a group. */
export function listServableGroups(
  db: Db,
): Promise<{ campaignId: string; groupId: string | null }[]> {
  return db.query(
    `select g.campaign_id as "campaignId", g.id as "groupId"
     from ad_groups g
     join campaigns c on c.id = g.campaign_id
     where ${servable} and g.status = 'active'
     union all
     select distinct l.campaign_id, null::uuid
     from campaign_ad_units l
     join campaigns c on c.id = l.campaign_id
     where ${servable}`,
  );
}

/** Of campaigns, or only some of their groups. */
export function loadGroups(
  db: Db,
  ids: readonly string[] | null,
  groupIds: readonly string[] | null,
): Promise<GroupRow[]> {
  return db.query<GroupRow>(
    `select g.id, g.campaign_id as "campaignId", g.status, g.name,
       ${shown('g', 'context')} as context, g.negative_context as "negativeContext",
       ${shown('g', 'brand_name')} as "brandName",
       (
         select k.terms
         from landing_page_checks k
         where k.campaign_id = c.id and k.url = coalesce(nullif(g.landing_page, ''), c.landing_page)
       ) as "landingTerms", ${shown('g', 'landing_page')} as "landingPage",
       g.daily_budget_micros as "dailyBudgetMicros", g.auto_optimize_budget as "autoOptimizeBudget",
       g.min_daily_budget_micros as "minDailyBudgetMicros",
       g.max_daily_budget_micros as "maxDailyBudgetMicros", g.max_cpc_micros as "maxCpcMicros",
       g.allowed_countries as "allowedCountries", g.allowed_devices as "allowedDevices"
     from ad_groups g
     join campaigns c on c.id = g.campaign_id ${keptFor('g.id')}
     where ${servable} and g.status = 'active' and ($1::uuid[] is null or c.id = any($1::uuid[]))
       and ($2::uuid[] is null or g.id = any($2::uuid[]))`,
    [ids, groupIds],
  );
}

/**
 * Ads of groups, and legacy ad units as ads without a group; those are left out where groups are
 * named.
 */
export function loadAds(
  db: Db,
  ids: readonly string[] | null,
  groupIds: readonly string[] | null,
): Promise<AdRow[]> {
  return db.query<AdRow>(
    `select x.*, coalesce(f.thumbs_up, 0) as "thumbsUp", coalesce(f.thumbs_down, 0) as "thumbsDown"
     from (
         select d.id, d.ad_group_id as "groupId", d.campaign_id as "campaignId",
           ${shown('d', 'headline')} as headline, ${shown('d', 'copy')} as copy,
           ${shown('d', 'cta')} as cta, ${shown('d', 'description')} as description,
           ${shown('d', 'landing_page')} as "landingPage", ${shown('d', 'image_url')} as "imageUrl",
           null::text as "faviconUrl", null::text as "brandName", 'active' as status,
           'approved' as "reviewStatus"
         from ads d
         join campaigns c on c.id = d.campaign_id
         join ad_groups g on g.id = d.ad_group_id ${keptFor('d.id')}
         where ${servable}
           and case when v.fields is null then d.status = 'active' and d.review_status = 'approved'
           else d.status <> 'paused' end and g.status = 'active'
             and ($1::uuid[] is null or c.id = any($1::uuid[]))
           and ($2::uuid[] is null or d.ad_group_id = any($2::uuid[]))
         union all
         select u.id, null, l.campaign_id, u.headline, u.static_ad_text, u.static_cta,
           u.description, u.landing_page, u.image_url, u.favicon_url, u.brand_name, 'active',
           u.review_status
         from campaign_ad_units l
         join ad_units u on u.id = l.ad_unit_id
         join campaigns c on c.id = l.campaign_id
         where ${servable} and u.status <> 'archived' and u.review_status = 'approved'
           and ($1::uuid[] is null or c.id = any($1::uuid[])) and $2::uuid[] is null
       ) x
     left join ad_feedback_totals f on f.ad_id = x.id`,
    [ids, groupIds],
  );
}

export interface CountRow {
  adId: string;
  topic: string;
  impressions: number;
  clicks: number;
  conversions: number;
}

/** Of these ads, or of all. */
export function loadClickCounts(db: Db, adIds: readonly string[] | null): Promise<CountRow[]> {
  return db.query<CountRow>(
    `select ad_id as "adId", topic, impressions, clicks, conversions
     from click_counts${adIds === null ? '' : ' where ad_id = any($1::uuid[])'}`,
    adIds === null ? [] : [adIds],
  );
}

export async function addClickCounts(db: Db, rows: readonly CountRow[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query(
    `insert into click_counts (ad_id, topic, impressions, clicks, conversions)
     select *
     from unnest($1::uuid[], $2::text[], $3::float8[], $4::float8[], $5::float8[])
     order by 1, 2
     on conflict (ad_id, topic)
       do update set impressions = click_counts.impressions + excluded.impressions,
       clicks = click_counts.clicks + excluded.clicks,
       conversions = click_counts.conversions + excluded.conversions`,
    [
      rows.map((row) => row.adId),
      rows.map((row) => row.topic),
      rows.map((row) => row.impressions),
      rows.map((row) => row.clicks),
      rows.map((row) => row.conversions),
    ],
  );
}

export function loadDislikes(
  db: Db,
): Promise<{ publisherId: string; subject: string; adId: string }[]> {
  return db.query(
    `select publisher_id as "publisherId", subject, ad_id as "adId"
     from ad_dislikes
     order by at desc limit 200000`,
  );
}

export async function countLiveNodes(db: Db, since: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count
     from nodes
     where seen_at >= $1 and coalesce((stats ->> 'serves')::boolean, true)`,
    [since],
  );
  return row?.count ?? 1;
}

export async function loadTraffic(
  db: Db,
  since: Date,
): Promise<{ bucket: Date; requests: number }[]> {
  return db.query(
    `select bucket, sum(requests)::bigint as requests
     from publisher_totals
     where bucket >= $1
     group by 1
     order by 1`,
    [since],
  );
}

export function loadGroupResults(
  db: Db,
  campaignIds: readonly string[],
  since: Date,
): Promise<
  {
    groupId: string;
    impressions: number;
    clicks: number;
    conversions: number;
    spentMicros: number;
  }[]
> {
  return db.query(
    `select ad_group_id as "groupId", sum(impressions)::bigint as impressions,
       sum(clicks)::bigint as clicks, sum(conversions)::bigint as conversions,
       sum(spend_micros)::bigint as "spentMicros"
     from ad_group_totals
     where advertiser_id in (select advertiser_id from campaigns where id = any($1::uuid[]))
       and campaign_id = any($1::uuid[]) and bucket >= $2
     group by 1`,
    [campaignIds, since],
  );
}

/** Once each: the same name comes again after every start. */
export async function insertUserNames(tx: Db, names: readonly NamedUser[]): Promise<void> {
  await tx.query(
    `insert into publisher_user_names (publisher_id, user_id, name_sealed)
     select "publisherId", "userId", "nameSealed"
     from json_to_recordset($1::json) as n ("publisherId" uuid, "userId" text, "nameSealed" text)
     order by 1, 2
     on conflict do nothing`,
    [JSON.stringify(names)],
  );
}
