import { announce, channels } from '../../platform/channels.js';
import type { LeadForm } from '../../domain/lead-form.js';
import type { Db } from '../../platform/db/db.js';

export interface QueuedCampaign {
  id: string;
  advertiserId: string;
  advertiserName: string;
  name: string;
  status: string;
  reviewStatus: string;
  showsApproved: boolean;
  submittedAt: Date | null;
  landingPage: string;
  dailyBudgetMicros: number;
  allowedCountries: string[];
  faviconUrl: string | null;
  leadForm: LeadForm | null;
  waitingSince: Date;
}

/** Handed in and undecided, or approved with ads that came later. */
const waiting = `from campaigns c join advertisers a on a.id = c.advertiser_id
  cross join lateral (select coalesce(c.submitted_for_review_at, c.updated_at) as since) w
  where not c.is_archived and (c.review_status = 'pending_review'
    or (c.review_status = 'approved' and c.id in (select campaign_id from ads
      where review_status = 'pending' and status <> 'archived')))`;

export async function countQueue(db: Db): Promise<number> {
  const rows = await db.query<{ total: number }>(`select count(*) as total ${waiting}`);
  return rows[0]?.total ?? 0;
}

/** Longest waiting first. */
export function listQueue(
  db: Db,
  after: { at: Date; id: string } | null,
  limit: number,
): Promise<QueuedCampaign[]> {
  return db.query<QueuedCampaign>(
    `select c.id, c.advertiser_id as "advertiserId", a.name as "advertiserName", c.name, c.status,
       c.review_status as "reviewStatus", c.shows_approved as "showsApproved",
       c.submitted_for_review_at as "submittedAt",
       c.landing_page as "landingPage", c.daily_budget_micros as "dailyBudgetMicros",
       c.allowed_countries as "allowedCountries", c.custom_favicon_url as "faviconUrl",
       c.lead_form_config as "leadForm", w.since as "waitingSince" ${waiting}
       and ($1::timestamptz is null or (w.since, c.id) > ($1, $2::uuid))
     order by w.since, c.id limit $3`,
    [after?.at ?? null, after?.id ?? null, limit],
  );
}

export interface PreviewRow {
  id: string;
  kind: 'ad' | 'ad_unit';
  campaignId: string;
  groupId: string | null;
  name: string;
  headline: string | null;
  copy: string | null;
  cta: string | null;
  description: string | null;
  landingPage: string | null;
  imageUrl: string | null;
  faviconUrl: string | null;
  brandName: string | null;
  groupBrandName: string | null;
  groupLandingPage: string | null;
  groupContext: string | null;
  source: string;
  reviewStatus: string;
  total: number;
}

export const previewsPerCampaign = 50;

/** Ads and units of the listed campaigns, the undecided ones first, a bounded number of each. */
export function loadPreviews(db: Db, campaignIds: readonly string[]): Promise<PreviewRow[]> {
  return db.query<PreviewRow>(
    `select *
     from (
         select x.*,
           row_number() over (
             partition by x."campaignId" order by (
               x."reviewStatus" in ('pending', 'pending_review')
             ) desc, x.id
           ) as place, count(*) over (partition by x."campaignId") as total
         from (
             select d.id, 'ad' as kind, d.campaign_id as "campaignId", d.ad_group_id as "groupId",
               d.name, d.headline, d.copy, d.cta, d.description, d.landing_page as "landingPage",
               d.image_url as "imageUrl", null::text as "faviconUrl", null::text as "brandName",
               g.brand_name as "groupBrandName", g.landing_page as "groupLandingPage",
               g.context as "groupContext", d.source, d.review_status as "reviewStatus"
             from ads d
             join ad_groups g on g.id = d.ad_group_id
             where d.campaign_id = any($1::uuid[]) and d.status <> 'archived'
             union all
             select u.id, 'ad_unit', l.campaign_id, null, u.name, u.headline, u.static_ad_text,
               u.static_cta, u.description, u.landing_page, u.image_url, u.favicon_url,
               u.brand_name, null, null, null, u.source, u.review_status
             from campaign_ad_units l
             join ad_units u on u.id = l.ad_unit_id
             where l.campaign_id = any($1::uuid[]) and u.status <> 'archived'
           ) x
       ) y
     where y.place <= ${previewsPerCampaign}
     order by y."campaignId", y.place`,
    [campaignIds],
  );
}

export interface PageCheck {
  campaignId: string;
  url: string;
  httpStatus: number | null;
  problem: string | null;
  checkedAt: Date;
  /** What the page says it is about; null when it could not be read. */
  terms: string | null;
}

export function loadPageChecks(db: Db, campaignIds: readonly string[]): Promise<PageCheck[]> {
  return db.query<PageCheck>(
    `select campaign_id as "campaignId", url, http_status as "httpStatus", problem,
       checked_at as "checkedAt", terms
     from landing_page_checks
     where campaign_id = any($1::uuid[])
     order by campaign_id, url`,
    [campaignIds],
  );
}

/** Every address the campaign's ads lead to. */
export async function landingPages(db: Db, campaignId: string, limit: number): Promise<string[]> {
  const rows = await db.query<{ url: string }>(
    `select distinct url
     from (
         select landing_page as url
         from campaigns
         where id = $1
         union all
         select landing_page
         from ad_groups
         where campaign_id = $1 and status <> 'archived'
         union all
         select landing_page
         from ads
         where campaign_id = $1 and status <> 'archived'
         union all
         select u.landing_page
         from campaign_ad_units l
         join ad_units u on u.id = l.ad_unit_id
         where l.campaign_id = $1 and u.status <> 'archived'
       ) x
     where coalesce(url, '') <> ''
     order by url limit $2`,
    [campaignId, limit],
  );
  return rows.map((row) => row.url);
}

/** The newest results in place of the old ones. Ad matching reads them too. */
export async function replacePageChecks(
  tx: Db,
  campaignId: string,
  checks: readonly Omit<PageCheck, 'campaignId'>[],
): Promise<void> {
  await tx.query(`delete from landing_page_checks where campaign_id = $1`, [campaignId]);
  for (const check of checks) {
    await tx.query(
      `insert into landing_page_checks (campaign_id, url, http_status, problem, checked_at, terms)
       values ($1, $2, $3, $4, $5, $6)`,
      [campaignId, check.url, check.httpStatus, check.problem, check.checkedAt, check.terms],
    );
  }
  await announce(tx, channels.inventory, { campaignId, adGroupId: null });
}
