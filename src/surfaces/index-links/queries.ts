import { nilUuid } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';

export interface NewIndexLink {
  /** UUIDv7; its 22-character form is the click id. */
  id: string;
  searchId: string;
  publisherId: string;
  kind: 'tool' | 'product';
  targetUrl: string;
  /** Slug of the tool or id of the product. */
  ref: string;
  campaignId?: string | null;
  /** What the campaign pays for a conversion, when it pays for conversions. */
  priceMicros?: number | null;
  at: number;
}

export async function insertLinks(tx: Db, links: readonly NewIndexLink[]): Promise<void> {
  if (links.length === 0) return;
  const rows = links.map((link) => ({
    ...link,
    campaignId: link.campaignId ?? null,
    priceMicros: link.priceMicros ?? null,
    at: new Date(link.at).toISOString(),
  }));
  await tx.query(
    `insert into index_links (
         id, search_id, publisher_id, kind, target_url, ref, campaign_id, price_micros, created_at,
         conversion_type, cpa_trust
       )
     select l.id, "searchId", "publisherId", kind, "targetUrl", ref, "campaignId", "priceMicros",
       at, c.conversion_type, c.cpa_trust
     from json_to_recordset($1::json) as l (
         id uuid, "searchId" uuid, "publisherId" uuid, kind text, "targetUrl" text, ref text,
         "campaignId" uuid, "priceMicros" bigint, at timestamptz
       )
     left join lateral (
         select conversion_type, cpa_trust
         from campaigns
         where id = l."campaignId"
         limit 1
       ) c on true
     on conflict do nothing`,
    [JSON.stringify(rows)],
  );
}

export interface LinkTarget {
  target: string;
  publisherId: string;
  /** Whose campaign pays for what comes of it, if any does. */
  campaignId: string | null;
}

export async function findTarget(db: Db, id: string): Promise<LinkTarget | null> {
  const [row] = await db.query<LinkTarget>(
    `select target_url as target, publisher_id as "publisherId", campaign_id as "campaignId"
     from index_links
     where id = $1`,
    [id],
  );
  return row ?? null;
}

/** The newest links with this id or a later one; ids are in the order of time. */
export function loadLinksSince(db: Db, id: string): Promise<(LinkTarget & { id: string })[]> {
  return db.query(
    `select id, target_url as target, publisher_id as "publisherId", campaign_id as "campaignId"
     from index_links
     where id >= $1
     order by id desc
     limit 5000`,
    [id],
  );
}

export async function findOwner(db: Db, campaignId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    `select advertiser_id as id from campaigns where id = $1`,
    [campaignId],
  );
  return row?.id ?? null;
}

export interface IndexVisit {
  id: string;
  /** Epoch milliseconds. */
  at: number;
  invalid: string | null;
  device: string;
  country: string | null;
}

/** Every visit counts as a visit; the first valid one is the click. In the order they came. */
export async function recordVisits(tx: Db, visits: readonly IndexVisit[]): Promise<void> {
  const rows = [...addUp(visits).values()];
  await tx.query(
    `insert into index_clicks as c (id, at, invalid, device, country, visits)
     select id, to_timestamp(at / 1000.0), invalid, device, country, visits
     from json_to_recordset($1::json) as v (
         id uuid, at float8, invalid text, device text, country text, visits integer
       )
     order by id
     on conflict (id) do update set visits = c.visits + excluded.visits, at = case
       when c.invalid is not null and excluded.invalid is null then excluded.at
       else c.at end, device = case when c.invalid is not null
       and excluded.invalid is null then excluded.device else c.device end, country = case
       when c.invalid is not null and excluded.invalid is null then excluded.country
       else c.country end, invalid = case when excluded.invalid is null then null
       else c.invalid end`,
    [JSON.stringify(rows)],
  );
}

/** One row a link: its first valid visit, or else its first, and how many there were. */
function addUp(visits: readonly IndexVisit[]): Map<string, IndexVisit & { visits: number }> {
  const links = new Map<string, IndexVisit & { visits: number }>();
  for (const visit of visits) {
    const known = links.get(visit.id);
    if (known === undefined) links.set(visit.id, { ...visit, visits: 1 });
    else if (known.invalid !== null && visit.invalid === null)
      links.set(visit.id, { ...visit, visits: known.visits + 1 });
    else known.visits += 1;
  }
  return links;
}

/** A click on a tracked link, as attribution reads clicks of ads. */
export interface IndexClick {
  id: string;
  /** Epoch milliseconds. */
  at: number;
  publisherId: string;
  campaignId: string;
  adGroupId: null;
  adId: null;
  placement: null;
  device: string | null;
  country: string | null;
  /** `cpa` when the campaign pays for the conversion. */
  charge: string | null;
  priceMicros: number | null;
  /** A link has no impression that could be missing. */
  wasSeen: boolean;
  terms: { type: string | null; trust: string | null } | null;
}

/**
 * Valid clicks among the ids whose campaign is this advertiser's. A product may be bought through
 * the shop's own checkout without anybody opening the link: an order that the verified shop itself
 * tells of is click enough, and nobody else's word is. A link made before its shop was linked to a
 * campaign is that campaign's, and costs nothing: no price was agreed.
 */
export function findIndexClicks(
  tx: Db,
  advertiserId: string,
  ids: readonly string[],
  source: 'capi' | 'pixel' | 'storefront',
): Promise<IndexClick[]> {
  return tx.query<IndexClick>(
    `select l.id,
       (
         extract(
           epoch from case when c.invalid is null then coalesce(c.at, l.created_at)
           else l.created_at end
         ) * 1000
       )::float8 as at, l.publisher_id as "publisherId", k.id as "campaignId",
       null as "adGroupId", null as "adId", null as placement, c.device, c.country, case
       when l.price_micros is not null then 'cpa' end as charge, l.price_micros as "priceMicros",
       true as "wasSeen", case when l.cpa_trust is not null
       then jsonb_build_object('type', l.conversion_type, 'trust', l.cpa_trust) end as terms
     from index_links l
     left join index_clicks c on c.id = l.id
     left join products p on l.campaign_id is null and l.kind = 'product' and p.id = l.ref
     left join merchants m on m.id = p.merchant_id
     join campaigns k on k.id = coalesce(l.campaign_id, m.campaign_id)
     where l.id = any($2::uuid[]) and k.advertiser_id = $1
       and (
         (c.id is not null and c.invalid is null) or (l.kind = 'product' and $3 = 'storefront')
       )`,
    [advertiserId, ids, source],
  );
}

/** So many old links are looked at in one statement: on the embedded engine everybody waits. */
const linksAtOnce = 1000;

/** Links nobody used and that are older than what is kept. */
export async function deleteUnusedLinks(db: Db, before: Date): Promise<void> {
  let after: { at: Date; id: string } | null = { at: new Date(0), id: nilUuid };
  while (after !== null) {
    const [page]: { at: Date; id: string; count: number }[] = await db.query(
      `with page as materialized (
           select id, created_at
           from index_links
           where created_at >= $1 and created_at < $3 and (created_at, id) > ($1, $2::uuid)
           order by created_at, id
           limit ${linksAtOnce}
         ),
         gone as (
           delete from index_links l
           using page
           where l.id = page.id and not exists (select from index_clicks c where c.id = l.id)
         )
       select created_at as at, id, count(*) over () as count
       from page
       order by created_at desc, id desc
       limit 1`,
      [after.at, after.id, before],
    );
    after = page === undefined || page.count < linksAtOnce ? null : page;
  }
}
