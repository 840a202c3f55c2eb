import type { Db } from '../../platform/db/db.js';

export interface LandingRow {
  landingPage: string;
  utmParams: unknown;
}

/** Where an ad or ad unit leads: its own page, else its group's, else its campaign's. */
export async function findLanding(
  db: Db,
  campaignId: string,
  adId: string,
): Promise<LandingRow | null> {
  const rows = await db.query<LandingRow>(
    `select coalesce(
         nullif(a.landing_page, ''), nullif(g.landing_page, ''), nullif(u.landing_page, ''),
         c.landing_page
       ) as "landingPage", coalesce(c.utm_params, u.utm_params) as "utmParams"
     from campaigns c
     left join ads a on a.id = $2
     left join ad_groups g on g.id = a.ad_group_id
     left join ad_units u on u.id = $2
     where c.id = $1`,
    [campaignId, adId],
  );
  return rows[0] ?? null;
}
