import type { PageFacts } from '../../domain/ad-writing/page-facts.js';
import type { Db } from '../../platform/db/db.js';

export interface GroupRow {
  id: string;
  campaignId: string;
  advertiserId: string;
  groupType: 'generative' | 'manual';
  status: 'active' | 'paused' | 'archived';
  context: string | null;
  adPrompt: string | null;
  brandName: string | null;
  landingPage: string;
  campaignArchived: boolean;
}

const groupColumns = `g.id, g.campaign_id as "campaignId", g.advertiser_id as "advertiserId",
  g.group_type as "groupType", g.status, g.context, g.ad_prompt as "adPrompt",
  g.brand_name as "brandName",
  coalesce(nullif(trim(g.landing_page), ''), c.landing_page) as "landingPage",
    c.is_archived as "campaignArchived"`;

export async function findGroup(db: Db, id: string): Promise<GroupRow | null> {
  const rows = await db.query<GroupRow>(
    `select ${groupColumns}
     from ad_groups g
     join campaigns c on c.id = g.campaign_id
     where g.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** Locks the campaign, as every edit of what is in it does, then reads the group as it is now. */
export async function lockGroup(tx: Db, id: string): Promise<GroupRow | null> {
  await tx.query(
    `select 1 as locked
     from campaigns
     where id = (select campaign_id from ad_groups where id = $1) for no key
     update`,
    [id],
  );
  return findGroup(tx, id);
}

/** Generative groups that inherit the campaign's page. */
export async function listInheritingGroups(db: Db, campaignId: string): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id
     from ad_groups
     where campaign_id = $1 and group_type = 'generative' and status <> 'archived'
       and coalesce(trim(landing_page), '') = ''
     order by id`,
    [campaignId],
  );
  return rows.map((row) => row.id);
}

export interface WritingRow {
  briefHash: string;
  pageUrl: string | null;
  page: PageFacts | null;
}

export async function findWriting(db: Db, groupId: string): Promise<WritingRow | null> {
  const rows = await db.query<WritingRow>(
    `select brief_hash as "briefHash", page_url as "pageUrl", page
     from ad_group_writings
     where ad_group_id = $1`,
    [groupId],
  );
  return rows[0] ?? null;
}

export async function saveWriting(
  tx: Db,
  groupId: string,
  row: WritingRow,
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into ad_group_writings (ad_group_id, brief_hash, page_url, page, written_at)
     values ($1, $2, $3, $4::jsonb, $5)
     on conflict (ad_group_id) do update set brief_hash = excluded.brief_hash,
       page_url = excluded.page_url, page = excluded.page, written_at = excluded.written_at`,
    [groupId, row.briefHash, row.pageUrl, row.page === null ? null : JSON.stringify(row.page), at],
  );
}

export interface GeneratedAdRow {
  id: string;
  headline: string;
  copy: string;
  cta: string;
  way: string;
  status: 'active' | 'paused' | 'archived';
  reviewStatus: 'pending' | 'approved' | 'rejected';
}

/** All that were ever written for the group, oldest first. */
export function listGeneratedAds(db: Db, groupId: string): Promise<GeneratedAdRow[]> {
  return db.query<GeneratedAdRow>(
    `select d.id, coalesce(d.headline, '') as headline, coalesce(d.copy, '') as copy,
       coalesce(d.cta, '') as cta, coalesce(w.way, '') as way, d.status,
       d.review_status as "reviewStatus"
     from ads d
     left join generated_ads w on w.ad_id = d.id
     where d.ad_group_id = $1 and d.source = 'generated'
     order by d.created_at, d.id`,
    [groupId],
  );
}

export interface NewAd {
  id: string;
  headline: string;
  copy: string;
  cta: string;
  imageUrl: string | null;
  way: string;
}

/** A microsecond apart, so that they are listed in the order they were written. */
export async function insertGeneratedAds(
  tx: Db,
  group: GroupRow,
  ads: readonly NewAd[],
  at: Date,
): Promise<void> {
  const rows = JSON.stringify(ads);
  await tx.query(
    `insert into ads (
         id, ad_group_id, campaign_id, advertiser_id, name, headline, copy, cta, image_url, source,
         status, review_status, created_at, updated_at
       )
     select x.id, $2, $3, $4, x.headline, x.headline, x.copy, x.cta, x."imageUrl", 'generated',
       'active', 'pending', $5::timestamptz + (x.place - 1) * interval '1 microsecond', $5
     from rows
     from (
         json_to_recordset($1::text::json) as (
           id uuid, headline text, copy text, cta text, "imageUrl" text
         )
       ) with ordinality as x(id, headline, copy, cta, "imageUrl", place)`,
    [rows, group.id, group.campaignId, group.advertiserId, at],
  );
  await tx.query(
    `insert into generated_ads (ad_id, ad_group_id, way, created_at)
     select x.id, $2, x.way, $3
     from json_to_recordset($1::text::json) as x(id uuid, way text)`,
    [rows, group.id, at],
  );
}

export async function archiveAds(tx: Db, adIds: readonly string[], at: Date): Promise<void> {
  if (adIds.length > 0)
    await tx.query(
      `update ads
       set status = 'archived', updated_at = $2
       where id = any($1::uuid[]) and source = 'generated'`,
      [adIds, at],
    );
}

/** Of a group's ads exactly these make room once another of the group is approved. */
export async function markSuperseded(
  tx: Db,
  groupId: string,
  adIds: readonly string[],
): Promise<void> {
  await tx.query(
    `update generated_ads
     set superseded = ad_id = any($2::uuid[])
     where ad_group_id = $1 and superseded <> (ad_id = any($2::uuid[]))`,
    [groupId, adIds],
  );
}

export interface AdResult {
  adId: string;
  impressions: number;
  clicks: number;
}

export function loadResults(
  db: Db,
  group: Pick<GroupRow, 'id' | 'campaignId' | 'advertiserId'>,
): Promise<AdResult[]> {
  return db.query<AdResult>(
    `select ad_id as "adId", sum(impressions)::bigint as impressions, sum(clicks)::bigint as clicks
     from totals
     where advertiser_id = $1 and campaign_id = $2 and ad_group_id = $3
     group by ad_id`,
    [group.advertiserId, group.campaignId, group.id],
  );
}

/**
 * Generative groups on the air with at least this many impressions lately; only there is something
 * to learn.
 */
export async function listDeliveringGroups(
  db: Db,
  since: Date,
  impressions: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select g.id
     from ad_groups g
     join campaigns c on c.id = g.campaign_id
     where g.group_type = 'generative' and g.status = 'active' and c.deployment_status = 'deployed'
       and (
         select sum(t.impressions)
         from ad_group_totals t
         where t.advertiser_id = g.advertiser_id and t.ad_group_id = g.id and t.bucket >= $1
       ) >= $2
     order by g.id`,
    [since, impressions],
  );
  return rows.map((row) => row.id);
}

export interface DraftUnit {
  id: string;
  name: string;
  headline: string;
  description: string;
  landing_page: string;
  static_ad_text: string;
  static_cta: string;
  favicon_url: string | null;
  image_url: string | null;
  brand_name: string;
}

export async function insertDraftUnits(
  tx: Db,
  advertiserId: string,
  units: readonly DraftUnit[],
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into ad_units (
         id, advertiser_id, name, headline, description, landing_page, static_ad_text, static_cta,
         favicon_url, image_url, brand_name, source, status, review_status, utm_params, created_at,
         updated_at
       )
     select x.id, $2, x.name, x.headline, x.description, x.landing_page, x.static_ad_text,
       x.static_cta, x.favicon_url, x.image_url, x.brand_name, 'scraped', 'draft', 'not_submitted',
       '[]'::jsonb, $3::timestamptz + (x.place - 1) * interval '1 microsecond', $3
     from rows
     from (
         json_to_recordset($1::text::json) as (
           id uuid, name text, headline text, description text, landing_page text,
           static_ad_text text, static_cta text, favicon_url text, image_url text, brand_name text
         )
       ) with ordinality as x(
         id, name, headline, description, landing_page, static_ad_text, static_cta, favicon_url,
         image_url, brand_name, place
       )`,
    [JSON.stringify(units), advertiserId, at],
  );
}
