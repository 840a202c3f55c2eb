import type { Db } from '../../../platform/db/db.js';
import type { AdUnitRow } from '../rows.js';

export interface PendingAd {
  id: string;
  name: string;
  ad_group_id: string;
  source: 'manual' | 'generated';
  headline: string | null;
  copy: string | null;
  cta: string | null;
  description: string | null;
  landing_page: string | null;
  group_brand_name: string | null;
  group_landing_page: string | null;
  group_context: string | null;
}

/** What nobody has judged yet; the rest of the campaign was judged before and has not changed. */
export function loadPendingAds(tx: Db, campaignId: string): Promise<PendingAd[]> {
  return tx.query<PendingAd>(
    `select d.id, d.name, d.ad_group_id, d.source, d.headline, d.copy, d.cta, d.description,
       d.landing_page, g.brand_name as group_brand_name, g.landing_page as group_landing_page,
       g.context as group_context
     from ads d
     join ad_groups g on g.id = d.ad_group_id
     where d.campaign_id = $1 and d.review_status = 'pending' and d.status <> 'archived'
     order by d.id`,
    [campaignId],
  );
}

export async function judgePendingAds(
  tx: Db,
  campaignId: string,
  verdict: 'approved' | 'rejected',
): Promise<void> {
  await tx.query(
    `update ads
     set review_status = $2
     where campaign_id = $1 and review_status = 'pending' and status <> 'archived'`,
    [campaignId, verdict],
  );
}

export async function judgeAds(
  tx: Db,
  adIds: readonly string[],
  verdict: 'approved' | 'rejected',
): Promise<void> {
  if (adIds.length > 0)
    await tx.query(`update ads set review_status = $2 where id = any($1::uuid[])`, [
      adIds,
      verdict,
    ]);
}

/** Handed in again after a rejection: what was turned down deserves another look. */
export async function reopenRejectedAds(tx: Db, campaignId: string): Promise<void> {
  await tx.query(
    `update ads
     set review_status = 'pending'
     where campaign_id = $1 and review_status = 'rejected' and status <> 'archived'`,
    [campaignId],
  );
}

/** Linked units that were not approved before go in with the campaign. */
export function submitUnits(tx: Db, campaignId: string, at: Date): Promise<AdUnitRow[]> {
  return tx.query<AdUnitRow>(
    `update ad_units u
     set review_status = 'pending_review', review_reason = null, updated_at = $2
     from campaign_ad_units l
     where l.campaign_id = $1 and u.id = l.ad_unit_id and u.status <> 'archived'
       and u.review_status <> 'approved'
     returning u.*`,
    [campaignId, at],
  );
}

export async function judgeUnits(
  tx: Db,
  campaignId: string,
  verdict: 'approved' | 'rejected',
  reason: string | null,
  at: Date,
): Promise<void> {
  await tx.query(
    `update ad_units u
     set review_status = $2, review_reason = $3, status = case when $2 = 'approved' then 'active'
       else u.status end, updated_at = $4
     from campaign_ad_units l
     where l.campaign_id = $1 and u.id = l.ad_unit_id and u.status <> 'archived'
       and u.review_status = 'pending_review'`,
    [campaignId, verdict, reason, at],
  );
}

/**
 * Ads of an older brief make room as soon as their group has an approved one of the newer. Returns
 * the groups.
 */
export async function retireSuperseded(tx: Db, campaignId: string, at: Date): Promise<string[]> {
  const rows = await tx.query<{ groupId: string }>(
    `update ads d
     set status = 'archived', updated_at = $2
     from generated_ads w
     where d.campaign_id = $1 and d.status <> 'archived' and w.ad_id = d.id and w.superseded
       and exists (
         select 1
         from ads n
         join generated_ads nw on nw.ad_id = n.id
         where n.ad_group_id = d.ad_group_id and n.status = 'active'
           and n.review_status = 'approved' and not nw.superseded
       )
     returning d.ad_group_id as "groupId"`,
    [campaignId, at],
  );
  return rows.map((row) => row.groupId);
}

/** Whether handing the campaign in would judge anything outside this group. */
export async function waitsElsewhere(
  tx: Db,
  campaignId: string,
  groupId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `select 1 as found
     from ads
     where campaign_id = $1 and ad_group_id <> $2 and review_status = 'pending'
       and status <> 'archived'
     limit 1`,
    [campaignId, groupId],
  );
  return rows.length > 0;
}

/**
 * Remembers where the approved ads of campaigns lead. Their own pages are given: the rows may not
 * hold them yet. `replacing` false keeps what is known, for the moment before an edit.
 */
export async function keepApprovedPages(
  tx: Db,
  campaigns: readonly { id: string; landing_page: string }[],
  { replacing }: { replacing: boolean },
): Promise<void> {
  await tx.query(
    `insert into approved_pages as p (campaign_id, ad_id, landing_page)
     select c.id, x.id, coalesce(nullif(x.own, ''), nullif(x.shared, ''), c.landing_page)
     from unnest($1::uuid[], $2::text[]) as c (id, landing_page)
     cross join lateral (
         select a.id, a.landing_page as own, g.landing_page as shared
         from ads a
         join ad_groups g on g.id = a.ad_group_id
         where a.campaign_id = c.id and a.review_status = 'approved' and a.status <> 'archived'
         union
         select u.id, u.landing_page, null
         from ad_units u
         join campaign_ad_units l on l.ad_unit_id = u.id
         where l.campaign_id = c.id and u.review_status = 'approved' and u.status <> 'archived'
       ) x
     order by c.id, x.id
     on conflict (campaign_id, ad_id) do update set landing_page = excluded.landing_page
     where $3 and p.landing_page <> excluded.landing_page`,
    [campaigns.map(({ id }) => id), campaigns.map((one) => one.landing_page), replacing],
  );
}
