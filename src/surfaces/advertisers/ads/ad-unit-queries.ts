import type { Db } from '../../../platform/db/db.js';
import type { AdUnitRow } from '../rows.js';

const columns = `
  u.id, u.advertiser_id, u.name, u.headline, u.description, u.landing_page, u.static_ad_text,
  u.static_cta, u.favicon_url, u.image_url, u.brand_name, u.source, u.status, u.review_status,
  u.review_reason, u.utm_params, u.created_at, u.updated_at`;

export async function insertAdUnit(tx: Db, row: AdUnitRow): Promise<void> {
  await tx.query(
    `insert into ad_units (
         id, advertiser_id, name, headline, description, landing_page, static_ad_text, static_cta,
         favicon_url, image_url, brand_name, source, status, review_status, review_reason,
         utm_params, created_at, updated_at
       )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16::jsonb, $17,
       $18)`,
    [
      row.id,
      row.advertiser_id,
      row.name,
      row.headline,
      row.description,
      row.landing_page,
      row.static_ad_text,
      row.static_cta,
      row.favicon_url,
      row.image_url,
      row.brand_name,
      row.source,
      row.status,
      row.review_status,
      row.review_reason,
      JSON.stringify(row.utm_params),
      row.created_at,
      row.updated_at,
    ],
  );
}

export async function lockAdUnit(
  tx: Db,
  advertiserId: string,
  id: string,
): Promise<AdUnitRow | null> {
  const rows = await tx.query<AdUnitRow>(
    `select ${columns} from ad_units u where u.id = $1 and u.advertiser_id = $2 for no key update`,
    [id, advertiserId],
  );
  return rows[0] ?? null;
}

export async function setUnitStatus(
  tx: Db,
  id: string,
  status: AdUnitRow['status'],
  at: Date,
): Promise<void> {
  await tx.query(`update ad_units set status = $2, updated_at = $3 where id = $1`, [
    id,
    status,
    at,
  ]);
}

export function findAdUnits(
  tx: Db,
  advertiserId: string,
  ids: readonly string[],
): Promise<AdUnitRow[]> {
  return tx.query<AdUnitRow>(
    `select ${columns} from ad_units u where u.advertiser_id = $1 and u.id = any($2::uuid[])`,
    [advertiserId, ids],
  );
}

/** In the order they were linked. */
export async function linkedUnitIds(db: Db, campaignId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select ad_unit_id as id
     from campaign_ad_units
     where campaign_id = $1
     order by linked_at, ad_unit_id`,
    [campaignId],
  );
  return rows.map((row) => row.id);
}

export function linkedUnits(db: Db, campaignId: string): Promise<AdUnitRow[]> {
  return db.query<AdUnitRow>(
    `select ${columns}
     from campaign_ad_units l
     join ad_units u on u.id = l.ad_unit_id
     where l.campaign_id = $1
     order by l.linked_at, u.id`,
    [campaignId],
  );
}

/**
 * A microsecond apart and after those there are, so that the order of the requests is the order of
 * the list.
 */
export async function linkUnits(
  tx: Db,
  campaignId: string,
  unitIds: readonly string[],
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into campaign_ad_units (campaign_id, ad_unit_id, linked_at)
     select $1, x.id,
       greatest(
         $3::timestamptz, (select max(linked_at) from campaign_ad_units where campaign_id = $1)
       ) + x.place * interval '1 microsecond'
     from unnest($2::uuid[]) with ordinality as x(id, place)
     on conflict do nothing`,
    [campaignId, unitIds, at],
  );
}

export async function unlinkUnits(
  tx: Db,
  campaignId: string,
  keep: readonly string[],
): Promise<void> {
  await tx.query(
    `delete from campaign_ad_units where campaign_id = $1 and not (ad_unit_id = any($2::uuid[]))`,
    [campaignId, keep],
  );
}

export async function campaignsOfUnit(tx: Db, unitId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select campaign_id as id from campaign_ad_units where ad_unit_id = $1 order by 1`,
    [unitId],
  );
  return rows.map((row) => row.id);
}
