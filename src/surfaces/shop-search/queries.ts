import { billedAtList } from '../../platform/budgets/billing-sql.js';
import type { Db } from '../../platform/db/db.js';
import { plannedOnce } from '../../platform/db/session-db.js';
import { utcDaySql } from '../../platform/db/utc-day-sql.js';

/**
 * What the catalog announces: "batch <id>" after writing products, "merchants" after changing
 * merchants.
 */

export interface ProductRow {
  id: string;
  merchantId: string;
  groupId: string | null;
  title: string;
  brand: string | null;
  category: string | null;
  description: string;
  color: string | null;
  sizes: string[];
  gender: string | null;
  attributes: Record<string, string>;
  currency: string;
  priceMicros: number;
  salePriceMicros: number | null;
  saleStartsAt: Date | null;
  saleEndsAt: Date | null;
  regularPublished: boolean;
  inStock: boolean;
  imageUrl: string;
  pageUrl: string;
  checkoutItemId: string | null;
  continueUrl: string | null;
  variants: { id: string; title: string; priceMicros: number; available: boolean }[];
  removed: boolean;
}

export interface MerchantRow {
  id: string;
  name: string;
  platform: 'feed' | 'storefront';
  commissionBps: number;
  campaignId: string | null;
  /** What that campaign pays for a sale, when it pays for sales. */
  salePriceMicros: number | null;
  /** Whose campaign that is. */
  payer: string | null;
  ucpEndpoint: string | null;
  ucpVersion: string | null;
}

const columns = `id, merchant_id as "merchantId", group_id as "groupId", title, brand, category,
  description, color, sizes, gender, attributes, currency, price_micros as "priceMicros",
  sale_price_micros as "salePriceMicros", sale_starts_at as "saleStartsAt",
    sale_ends_at as "saleEndsAt", regular_published as "regularPublished", in_stock as "inStock",
  image_url as "imageUrl", page_url as "pageUrl", checkout_item_id as "checkoutItemId",
    continue_url as "continueUrl", variants, removed_at is not null as removed`;

/**
 * In order of id, a page at a time, whatever can be shown or not: any condition more, and a planner
 * without statistics would rather read and sort the whole table for every page.
 */
export function loadPage(db: Db, after: string, limit: number): Promise<ProductRow[]> {
  return db.query<ProductRow>(
    `select ${columns}
     from products
     where id > $1
     order by id limit $2`,
    [after, limit],
  );
}

export function loadBatch(db: Db, batchId: string): Promise<ProductRow[]> {
  return db.query<ProductRow>(`select ${columns} from products where changed_in = $1`, [batchId]);
}

/** In order of change, a page at a time: after a large import there may be very many. */
export function listUpdatedSince(
  db: Db,
  after: { at: Date; id: string },
  limit: number,
): Promise<{ id: string; changedIn: string; updatedAt: Date }[]> {
  return db.query(
    `select id, changed_in as "changedIn", updated_at as "updatedAt"
     from products
     where (updated_at, id) > ($1, $2)
     order by updated_at, id
     limit $3`,
    [after.at, after.id, limit],
  );
}

export function loadProducts(db: Db, ids: readonly string[]): Promise<ProductRow[]> {
  return db.query<ProductRow>(
    `${plannedOnce}select ${columns} from products where id = any($1::text[])`,
    [ids],
  );
}

/** About how many there are, without reading them: what the last statistics and the size say. */
export async function estimateProducts(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select (
         case when reltuples > 0 and relpages > 0 then reltuples / relpages
         else 4 end * pg_relation_size(oid) / current_setting('block_size')::int
       )::bigint as count
     from pg_class
     where oid = 'products'::regclass`,
  );
  return row?.count ?? 0;
}

export function loadMerchants(db: Db): Promise<MerchantRow[]> {
  return db.query<MerchantRow>(
    `select m.id, m.name, m.platform, m.commission_bps as "commissionBps",
       m.campaign_id as "campaignId", case when c.billing_model in ${billedAtList('conversion')}
       and c.is_active then c.max_cpa_micros end as "salePriceMicros",
       a.name as payer, m.ucp_endpoint as "ucpEndpoint", m.ucp_version as "ucpVersion"
     from merchants m
     left join campaigns c on c.id = m.campaign_id
     left join advertisers a on a.id = c.advertiser_id`,
  );
}

export function loadRates(db: Db): Promise<{ currency: string; usdPerUnit: string }[]> {
  return db.query<{ currency: string; usdPerUnit: string }>(
    `select currency, usd_per_unit as "usdPerUnit" from currency_rates`,
  );
}

export interface SearchRow {
  id: string;
  publisherId: string;
  /** Epoch milliseconds. */
  at: number;
  query: string;
  isInferred: boolean;
  filters: unknown;
  context: unknown;
  productIds: readonly string[];
  webCount: number;
  ranking: 'llm' | 'retrieval';
  sessionId: string | null;
  userHash: string | null;
  emailHash: string | null;
  metadata: unknown;
}

export async function insertSearches(tx: Db, rows: readonly SearchRow[]): Promise<void> {
  await tx.query(
    `insert into shop_searches (
         id, publisher_id, at, query, is_inferred, filters, context, product_ids, web_count,
         ranking, session_id, user_hash, email_hash, metadata
       )
     select id, "publisherId", to_timestamp(at / 1000.0), query, "isInferred", filters, context,
       "productIds", "webCount", ranking, "sessionId", "userHash", "emailHash", metadata
     from json_to_recordset($1::json) as s (
         id uuid, "publisherId" uuid, at float8, query text, "isInferred" boolean, filters jsonb,
         context jsonb, "productIds" text[], "webCount" integer, ranking text, "sessionId" text,
         "userHash" text, "emailHash" text, metadata jsonb
       )
     on conflict do nothing`,
    [JSON.stringify(rows)],
  );
}

/** What was asked goes; that something was asked, and what came of it, is counted. */
export async function countSearchesBefore(db: Db, before: Date): Promise<void> {
  await db.query(
    `with gone as (
         delete from shop_searches
         where at < $1
         returning publisher_id, ${utcDaySql('at')} as day, case
           when cardinality(product_ids) > 0 then 'found'
           when web_count > 0 then 'web'
           else 'none' end as answer
       )
     insert into search_days as d (publisher_id, day, kind, category, answer, searches)
     select publisher_id, day, 'product', '', answer, count(*)
     from gone
     group by 1, 2, 5
     order by 1, 2, 5
     on conflict (publisher_id, day, kind, category, answer)
       do update set searches = d.searches + excluded.searches`,
    [before],
  );
}
