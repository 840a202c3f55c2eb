import type { Db } from '../../../platform/db/db.js';
import type { AdColumns, AdGroupColumns } from './read-ad-group.js';
import type { AdGroupRow, AdRow } from '../rows.js';
import { setClause } from '../fields/set-clause.js';

const groupColumns = `
  g.id, g.campaign_id, g.advertiser_id, g.name, g.group_type, g.status, g.context,
  g.negative_context, g.ad_prompt, g.brand_name, g.landing_page, g.daily_budget_micros,
  g.auto_optimize_budget, g.min_daily_budget_micros, g.max_daily_budget_micros, g.max_cpc_micros,
  g.allowed_countries, g.allowed_devices, g.sort_order, g.created_at, g.updated_at`;
const adColumns = `
  d.id, d.ad_group_id, d.campaign_id, d.advertiser_id, d.name, d.headline, d.copy, d.cta,
  d.description, d.landing_page, d.image_url, d.source, d.status, d.review_status, d.created_at,
  d.updated_at`;

/** How many ads a group shows inside itself. */
export const embeddedAds = 100;

export async function insertAdGroups(tx: Db, rows: readonly AdGroupRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into ad_groups (
         id, campaign_id, advertiser_id, name, group_type, status, context, negative_context,
         ad_prompt, brand_name, landing_page, daily_budget_micros, auto_optimize_budget,
         min_daily_budget_micros, max_daily_budget_micros, max_cpc_micros, allowed_countries,
         allowed_devices, sort_order, created_at, updated_at
       )
     select id, campaign_id, advertiser_id, name, group_type, status, context, negative_context,
       ad_prompt, brand_name, landing_page, daily_budget_micros, auto_optimize_budget,
       min_daily_budget_micros, max_daily_budget_micros, max_cpc_micros, allowed_countries,
       allowed_devices, sort_order, created_at, updated_at
     from json_to_recordset($1::text::json) as x(
         id uuid, campaign_id uuid, advertiser_id uuid, name text, group_type text, status text,
         context text, negative_context text, ad_prompt text, brand_name text, landing_page text,
         daily_budget_micros bigint, auto_optimize_budget boolean, min_daily_budget_micros bigint,
         max_daily_budget_micros bigint, max_cpc_micros bigint, allowed_countries text[],
         allowed_devices text[], sort_order integer, created_at timestamptz, updated_at timestamptz
       )`,
    [JSON.stringify(rows)],
  );
}

/** A microsecond apart, so that they are listed in the order they were written. */
export async function insertAds(tx: Db, rows: readonly AdRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `insert into ads (
         id, ad_group_id, campaign_id, advertiser_id, name, headline, copy, cta, description,
         landing_page, image_url, source, status, review_status, created_at, updated_at
       )
     select id, ad_group_id, campaign_id, advertiser_id, name, headline, copy, cta, description,
       landing_page, image_url, source, status, review_status,
       created_at + (place - 1) * interval '1 microsecond', updated_at
     from rows
     from (
         json_to_recordset($1::text::json) as (
           id uuid, ad_group_id uuid, campaign_id uuid, advertiser_id uuid, name text,
           headline text, copy text, cta text, description text, landing_page text, image_url text,
           source text, status text, review_status text, created_at timestamptz,
           updated_at timestamptz
         )
       ) with ordinality as x(
         id, ad_group_id, campaign_id, advertiser_id, name, headline, copy, cta, description,
         landing_page, image_url, source, status, review_status, created_at, updated_at, place
       )`,
    [JSON.stringify(rows)],
  );
}

export async function nextSortOrder(tx: Db, campaignId: string): Promise<number> {
  const rows = await tx.query<{ last: number }>(
    `select sort_order as last
     from ad_groups
     where campaign_id = $1
     order by sort_order desc, id desc
     limit 1`,
    [campaignId],
  );
  return (rows[0]?.last ?? -1) + 1;
}

export async function findAdGroup(
  db: Db,
  advertiserId: string,
  id: string,
): Promise<AdGroupRow | null> {
  const rows = await db.query<AdGroupRow>(
    `select ${groupColumns} from ad_groups g where g.id = $1 and g.advertiser_id = $2`,
    [id, advertiserId],
  );
  return rows[0] ?? null;
}

export async function findAd(db: Db, advertiserId: string, id: string): Promise<AdRow | null> {
  const rows = await db.query<AdRow>(
    `select ${adColumns} from ads d where d.id = $1 and d.advertiser_id = $2`,
    [id, advertiserId],
  );
  return rows[0] ?? null;
}

export interface AdGroupFilter {
  campaignId: string | null;
  /** Part of the name. */
  search: string | null;
  includeArchived: boolean;
  after: AdGroupPosition | null;
  limit: number | null;
}

/**
 * Where a page of a listing begins: inside a campaign by its own order, across the account by age.
 */
export interface AdGroupPosition {
  order: number;
  at: Date;
  id: string;
}

export function listAdGroups(
  db: Db,
  advertiserId: string,
  filter: AdGroupFilter,
): Promise<AdGroupRow[]> {
  const { campaignId, after, includeArchived, limit, search } = filter;
  if (campaignId !== null) {
    return db.query<AdGroupRow>(
      `select ${groupColumns}
       from ad_groups g
       where g.campaign_id = $1 and g.advertiser_id = $2 and ($3 or g.status <> 'archived')
         and ($4::integer is null or (g.sort_order, g.id) > ($4, $5::uuid))
         and ($7::text is null or strpos(lower(g.name), lower($7)) > 0)
       order by g.sort_order, g.id limit $6`,
      [
        campaignId,
        advertiserId,
        includeArchived,
        after?.order ?? null,
        after?.id ?? null,
        limit,
        search,
      ],
    );
  }
  return db.query<AdGroupRow>(
    `select ${groupColumns}
     from ad_groups g
     where g.advertiser_id = $1 and ($2 or g.status <> 'archived')
       and ($3::timestamptz is null or (g.created_at, g.id) > ($3, $4::uuid))
       and ($6::text is null or strpos(lower(g.name), lower($6)) > 0)
     order by g.created_at, g.id limit $5`,
    [advertiserId, includeArchived, after?.at ?? null, after?.id ?? null, limit, search],
  );
}

/**
 * Ads of many groups in one statement: the oldest of each and how many there are. Archived ads
 * belong to the picture only
 * where archived things were asked for, or the group itself is archived.
 */
export function loadEmbeddedAds(
  db: Db,
  groupIds: readonly string[],
  includeArchived: boolean,
): Promise<(AdRow & { ads_total: number })[]> {
  return db.query<AdRow & { ads_total: number }>(
    `select ${adColumns}, d.ads_total
     from (
         select a.*,
           row_number() over (partition by a.ad_group_id order by a.created_at, a.id) as place,
           count(*) over (partition by a.ad_group_id) as ads_total
         from ads a
         join ad_groups g on g.id = a.ad_group_id
         where a.ad_group_id = any($1::uuid[])
           and ($2 or a.status <> 'archived' or g.status = 'archived')
       ) d
     where d.place <= ${embeddedAds}
     order by d.ad_group_id, d.place`,
    [groupIds, includeArchived],
  );
}

export async function updateAdGroup(
  tx: Db,
  id: string,
  changes: AdGroupColumns & { updated_at: Date },
): Promise<void> {
  const { sql, values } = setClause(changes, 1);
  await tx.query(
    `update ad_groups
     set ${sql.map((part) => `${part.name} = ${part.value}`).join(', ')}, version = version + 1
     where id = $1`,
    [id, ...values],
  );
}

export async function updateAd(
  tx: Db,
  id: string,
  changes: AdColumns & { review_status?: AdRow['review_status']; updated_at: Date },
): Promise<void> {
  const { sql, values } = setClause(changes, 1);
  await tx.query(
    `update ads set ${sql.map((part) => `${part.name} = ${part.value}`).join(', ')} where id = $1`,
    [id, ...values],
  );
}

export async function hasLiveManualAds(tx: Db, groupId: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 as found
     from ads
     where ad_group_id = $1 and source = 'manual' and status <> 'archived'
     limit 1`,
    [groupId],
  );
  return rows.length > 0;
}

export function listLiveAds(tx: Db, groupId: string): Promise<AdRow[]> {
  return tx.query<AdRow>(
    `select ${adColumns}
     from ads d
     where d.ad_group_id = $1 and d.status <> 'archived'
     order by d.created_at, d.id`,
    [groupId],
  );
}

/** All of a group's, or only those named. Returns how many changed. */
export async function archiveAds(
  tx: Db,
  groupId: string,
  adIds: readonly string[] | null,
  at: Date,
): Promise<number> {
  const rows = await tx.query(
    `update ads
     set status = 'archived', updated_at = $3
     where ad_group_id = $1 and status <> 'archived'
       and ($2::uuid[] is null or id = any($2::uuid[]))
     returning 1 as changed`,
    [groupId, adIds, at],
  );
  return rows.length;
}

/** Ads people have been shown under another brand or page must be looked at again. */
export async function unreviewAds(tx: Db, groupId: string): Promise<void> {
  await tx.query(
    `update ads
     set review_status = 'pending'
     where ad_group_id = $1 and status <> 'archived' and review_status <> 'pending'`,
    [groupId],
  );
}

/** Is the group's context shown, for want of any better text? */
export async function showsContext(tx: Db, groupId: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 as found
     from ads
     where ad_group_id = $1 and status <> 'archived' and coalesce(copy, '') = ''
       and coalesce(description, '') = ''
     limit 1`,
    [groupId],
  );
  return rows.length > 0;
}
