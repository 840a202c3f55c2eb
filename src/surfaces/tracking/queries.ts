import { uuidDay } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';

export interface LandingRow {
  /** As last approved; null when it never was, was turned down, or its advertiser is blocked. */
  landingPage: string | null;
  utmParams: unknown;
  /** Of the version that is shown while a newer one waits. */
  approvedUtm: unknown;
  showsApproved: boolean;
  /** As the campaign is now, and not only as it was. */
  isApproved: boolean;
}

/**
 * Where an ad or ad unit leads: its own page, else its group's, else its campaign's, as they were
 * when it was last approved.
 */
export async function findLanding(
  db: Db,
  campaignId: string,
  adId: string,
): Promise<LandingRow | null> {
  const rows = await db.query<LandingRow>(
    `select case when v.status = 'blocked' or (c.review_status = 'rejected'
      and not c.shows_approved)
         or (
           coalesce(a.review_status, u.review_status) = 'rejected' and k.fields is null
         ) then null
       when p.landing_page is not null then p.landing_page
       when c.review_status = 'approved'
         and coalesce(a.review_status, u.review_status, 'approved') = 'approved' then coalesce(
         nullif(a.landing_page, ''), nullif(g.landing_page, ''), nullif(u.landing_page, ''),
         c.landing_page
       ) end as "landingPage", coalesce(c.utm_params, u.utm_params) as "utmParams",
       coalesce(w.fields -> 'utm_params', c.utm_params, u.utm_params) as "approvedUtm",
       c.shows_approved as "showsApproved",
       c.review_status = 'approved' as "isApproved"
     from campaigns c
     join advertisers v on v.id = c.advertiser_id
     left join ads a on a.id = $2
     left join ad_groups g on g.id = a.ad_group_id
     left join ad_units u on u.id = $2
     left join approved_pages p on p.campaign_id = c.id and p.ad_id = $2
     left join approved_versions k on c.shows_approved and k.campaign_id = c.id and k.entity_id = $2
     left join approved_versions w on c.shows_approved and w.campaign_id = c.id
       and w.entity_id = c.id
     where c.id = $1`,
    [campaignId, adId],
  );
  return rows[0] ?? null;
}

/** Whether an impression of the ad was counted and stands. */
export async function wasSeen(db: Db, serveId: string): Promise<boolean> {
  const rows = await db.query<{ kind: string; counts: boolean }>(
    `select kind, invalid is null as counts
     from events
     where day = $1 and id = $2 and kind in ('impression', 'impression_reversal')`,
    [uuidDay(serveId), serveId],
  );
  return rows.length === 1 && rows[0]?.kind === 'impression' && rows[0].counts;
}
