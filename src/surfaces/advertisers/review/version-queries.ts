import type { Db } from '../../../platform/db/db.js';
import type { AdGroupRow, CampaignRow } from '../rows.js';

// What people go on seeing while a newer version waits. Only the first edit after an approval finds
// nothing kept, so that what is kept stays the approved version however often it is edited.

export async function keepCampaignVersion(tx: Db, campaign: CampaignRow): Promise<void> {
  await tx.query(
    `insert into approved_versions (campaign_id, entity_id, fields)
     values ($1, $1, $2::jsonb)
     on conflict do nothing`,
    [
      campaign.id,
      JSON.stringify({
        name: campaign.name,
        landing_page: campaign.landing_page,
        custom_favicon_url: campaign.custom_favicon_url,
        lead_form_config: campaign.lead_form_config,
        utm_params: campaign.utm_params,
      }),
    ],
  );
}

/** The context belongs to what people see only where an ad has no other text. */
export async function keepGroupVersion(
  tx: Db,
  group: AdGroupRow,
  showsContext: boolean,
): Promise<void> {
  await tx.query(
    `insert into approved_versions (campaign_id, entity_id, fields)
     values ($1, $2, $3::jsonb)
     on conflict do nothing`,
    [
      group.campaign_id,
      group.id,
      JSON.stringify({
        brand_name: group.brand_name,
        landing_page: group.landing_page,
        ...(showsContext ? { context: group.context } : {}),
      }),
    ],
  );
}

/** The group's approved ads as they are, or only those named. */
export async function keepAdVersions(
  tx: Db,
  groupId: string,
  adIds: readonly string[] | null,
): Promise<void> {
  await tx.query(
    `insert into approved_versions (campaign_id, entity_id, fields)
     select campaign_id, id,
       jsonb_build_object(
         'headline', headline, 'copy', copy, 'cta', cta, 'description', description,
         'landing_page', landing_page, 'image_url', image_url
       )
     from ads
     where ad_group_id = $1 and ($2::uuid[] is null or id = any($2::uuid[]))
       and status <> 'archived'
       and review_status = 'approved'
     on conflict do nothing`,
    [groupId, adIds],
  );
}

/** Ads their owner takes away are gone at once, in every version. */
export async function forgetAdVersions(
  tx: Db,
  campaignId: string,
  adIds: readonly string[],
): Promise<void> {
  await tx.query(
    `delete from approved_versions where campaign_id = $1 and entity_id = any($2::uuid[])`,
    [campaignId, adIds],
  );
}

export async function forgetVersions(tx: Db, campaignId: string): Promise<void> {
  await tx.query(`delete from approved_versions where campaign_id = $1`, [campaignId]);
}
