import type { CatalogItem } from '../../domain/commerce/catalog-item.js';
import type { Db } from '../../platform/db/db.js';

/** Nodes that search follow this channel. */
const catalogChannel = 'catalog';

export async function announceBatch(tx: Db, batchId: string): Promise<void> {
  await tx.query(`select pg_notify('${catalogChannel}', $1)`, [`batch ${batchId}`]);
}

export async function announceMerchants(tx: Db): Promise<void> {
  await tx.query(`select pg_notify('${catalogChannel}', 'merchants')`);
}

export interface NewMerchant {
  id: string;
  slug: string;
  name: string;
  storeUrl: string;
  platform: 'feed' | 'storefront';
  commissionBps: number;
  isDemo: boolean;
  createdAt: Date;
}

/** Inserts the merchant unless its slug is known; gives the id either way. */
export async function openMerchant(tx: Db, merchant: NewMerchant): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    `insert into merchants (id, slug, name, store_url, platform, commission_bps, is_demo, created_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (slug) do update set store_url = case when excluded.store_url = '' then merchants.store_url else excluded.store_url end returning id`,
    [merchant.id, merchant.slug, merchant.name, merchant.storeUrl, merchant.platform, merchant.commissionBps, merchant.isDemo, merchant.createdAt],
  );
  if (row === undefined) throw new Error('the merchant was not stored');
  return row.id;
}

export interface ProductWrite extends CatalogItem {
  id: string;
  contentHash: string;
}

/** Writes what is new or different; rows that say the same as before are left alone. Gives the number written. */
export async function writeProducts(tx: Db, batch: { id: string; merchantId: string; feedId: string | null; at: Date }, products: readonly ProductWrite[]): Promise<number> {
  const rows = products.map((product) => ({
    ...product,
    saleStartsAt: product.saleStartsAt === null ? null : new Date(product.saleStartsAt).toISOString(),
    saleEndsAt: product.saleEndsAt === null ? null : new Date(product.saleEndsAt).toISOString(),
  }));
  const [written] = await tx.query<{ count: number }>(
    `with written as (
       insert into products (id, merchant_id, external_id, group_id, title, brand, category, description, color, sizes, gender, attributes, currency, price_micros, sale_price_micros, sale_starts_at,
         sale_ends_at, regular_published, in_stock, image_url, page_url, checkout_item_id, continue_url, variants, content_hash, feed_id, changed_in, updated_at)
       select id, $2, "externalId", "groupId", title, brand, category, description, color, coalesce(sizes, '{}'), gender, coalesce(attributes, '{}'), currency, "priceMicros", "salePriceMicros", "saleStartsAt",
         "saleEndsAt", "regularPublished", "inStock", "imageUrl", "pageUrl", "checkoutItemId", "continueUrl", coalesce(variants, '[]'), "contentHash", $3, $4, $5
       from json_to_recordset($1::json) as p (id text, "externalId" text, "groupId" text, title text, brand text, category text, description text, color text, sizes text[], gender text, attributes jsonb,
         currency text, "priceMicros" bigint, "salePriceMicros" bigint, "saleStartsAt" timestamptz, "saleEndsAt" timestamptz, "regularPublished" boolean, "inStock" boolean, "imageUrl" text, "pageUrl" text,
         "checkoutItemId" text, "continueUrl" text, variants jsonb, "contentHash" text)
       on conflict (id) do update set group_id = excluded.group_id, title = excluded.title, brand = excluded.brand, category = excluded.category, description = excluded.description, color = excluded.color,
         sizes = excluded.sizes, gender = excluded.gender, attributes = excluded.attributes, currency = excluded.currency, price_micros = excluded.price_micros, sale_price_micros = excluded.sale_price_micros,
         sale_starts_at = excluded.sale_starts_at, sale_ends_at = excluded.sale_ends_at, regular_published = excluded.regular_published, in_stock = excluded.in_stock, image_url = excluded.image_url,
         page_url = excluded.page_url, checkout_item_id = excluded.checkout_item_id, continue_url = excluded.continue_url, variants = excluded.variants, content_hash = excluded.content_hash,
         feed_id = excluded.feed_id, changed_in = excluded.changed_in, updated_at = excluded.updated_at, removed_at = null
       where products.content_hash <> excluded.content_hash or products.removed_at is not null
       returning 1)
     select count(*) as count from written`,
    [JSON.stringify(rows), batch.merchantId, batch.feedId, batch.id, batch.at],
  );
  return written?.count ?? 0;
}

export async function markSeen(tx: Db, runId: string, productIds: readonly string[]): Promise<void> {
  await tx.query(`insert into import_seen (run_id, product_id) select $1, unnest($2::text[]) on conflict do nothing`, [runId, productIds]);
}

/** What the shop has that the run did not meet: of this feed when it is a feed's run, else of the merchant. */
const missing = `p.merchant_id = $2 and ($3::uuid is null or p.feed_id = $3) and p.removed_at is null and not exists (select from import_seen s where s.run_id = $1 and s.product_id = p.id)`;

export async function countMissing(tx: Db, runId: string, merchantId: string, feedId: string | null): Promise<{ missing: number; known: number }> {
  const [row] = await tx.query<{ missing: number; known: number }>(
    `select count(*) filter (where not exists (select from import_seen s where s.run_id = $1 and s.product_id = p.id)) as missing, count(*) as known
     from products p where p.merchant_id = $2 and ($3::uuid is null or p.feed_id = $3) and p.removed_at is null`,
    [runId, merchantId, feedId],
  );
  return row ?? { missing: 0, known: 0 };
}

/** At most `limit` at a time, so that no batch is larger than followers like to load. */
export async function removeMissing(tx: Db, run: { id: string; merchantId: string; feedId: string | null }, batch: { id: string; at: Date; limit: number }): Promise<number> {
  const rows = await tx.query(
    `update products set removed_at = $5, updated_at = $5, changed_in = $4 where id in (select p.id from products p where ${missing} limit $6) returning 1`,
    [run.id, run.merchantId, run.feedId, batch.id, batch.at, batch.limit],
  );
  return rows.length;
}

export async function forgetSeen(tx: Db, runId: string): Promise<void> {
  await tx.query(`delete from import_seen where run_id = $1`, [runId]);
}

export async function setCheckout(tx: Db, merchantId: string, found: { endpoint: string | null; version: string | null; problem: string | null; at: Date }): Promise<void> {
  await tx.query(`update merchants set ucp_endpoint = $2, ucp_version = $3, ucp_problem = $4, ucp_checked_at = $5 where id = $1`, [merchantId, found.endpoint, found.version, found.problem, found.at]);
}
