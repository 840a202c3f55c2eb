import { announce, channels } from '../../platform/channels.js';
import type { CatalogItem } from '../../domain/commerce/catalog-item.js';
import type { Db } from '../../platform/db/db.js';

/** In the transaction that wrote them: what is kept of these products in memory is given up. */
export async function announceBatch(
  tx: Db,
  batch: { id: string; goesOn?: boolean },
  productIds: readonly string[],
): Promise<void> {
  const { id: batchId, goesOn = false } = batch;
  await announce(tx, channels.catalog, { batchId, goesOn, productIds });
}

/**
 * This transaction is on disk with the next one that waits for the disk. A crash may undo the last
 * ones of an import, which is then not finished either, and run again.
 */
export async function commitLater(tx: Db): Promise<void> {
  await tx.query('set local synchronous_commit = off');
}

export async function announceMerchants(tx: Db): Promise<void> {
  await announce(tx, channels.catalog, 'merchants');
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
    `insert into merchants (
         id, slug, name, store_url, platform, commission_bps, is_demo, created_at
       )
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (slug) do update set store_url = case
       when excluded.store_url = '' then merchants.store_url else excluded.store_url end
     returning id`,
    [
      merchant.id,
      merchant.slug,
      merchant.name,
      merchant.storeUrl,
      merchant.platform,
      merchant.commissionBps,
      merchant.isDemo,
      merchant.createdAt,
    ],
  );
  if (row === undefined) throw new Error('the merchant was not stored');
  return row.id;
}

/** What an operator set of a merchant, as it is stored. */
export interface MerchantTerms {
  id: string;
  commission_bps: number;
  campaign_id: string | null;
  store_url: string;
}

/** Null leaves a value as it is; answers null when there is no such merchant or campaign. */
export async function changeMerchant(
  tx: Db,
  id: string,
  change: { commissionBps: number | null; campaignId: string | null; storeUrl: string | null },
): Promise<MerchantTerms | null> {
  const rows = await tx.query<MerchantTerms>(
    `update merchants
     set commission_bps = coalesce($2, commission_bps), campaign_id = coalesce($3, campaign_id),
       store_url = coalesce($4, store_url), ucp_checked_at = case
       when $4 is null then ucp_checked_at end
     where id = $1 and ($3::uuid is null or exists (select from campaigns where id = $3))
     returning id, commission_bps, campaign_id, store_url`,
    [id, change.commissionBps, change.campaignId, change.storeUrl],
  );
  return rows[0] ?? null;
}

/** The demo shop sells for a campaign of this advertiser, so that its orders are in a report. */
export async function linkDemoStore(tx: Db, advertiserId: string, campaign: string): Promise<void> {
  await tx.query(
    `update merchants m
     set campaign_id = c.id
     from campaigns c
     where m.is_demo and m.platform = 'storefront' and m.campaign_id is null
       and c.advertiser_id = $1 and c.name = $2`,
    [advertiserId, campaign],
  );
}

export interface ProductWrite extends CatalogItem {
  id: string;
  contentHash: string;
}

/**
 * Writes what is new or different; rows that say the same as before are left alone. Gives those
 * that were written.
 */
export async function writeProducts(
  tx: Db,
  batch: { id: string; merchantId: string; feedId: string | null; at: Date },
  products: readonly ProductWrite[],
): Promise<string[]> {
  const rows = products.map((product) => ({
    ...product,
    saleStartsAt:
      product.saleStartsAt === null ? null : new Date(product.saleStartsAt).toISOString(),
    saleEndsAt: product.saleEndsAt === null ? null : new Date(product.saleEndsAt).toISOString(),
  }));
  const written = await tx.query<{ id: string }>(
    `insert into products (
         id, merchant_id, external_id, group_id, title, brand, category, description, color,
         sizes, gender, attributes, currency, price_micros, sale_price_micros, sale_starts_at,
         sale_ends_at, regular_published, in_stock, image_url, page_url, checkout_item_id,
         continue_url, variants, content_hash, feed_id, changed_in, updated_at
       )
     select id, $2, "externalId", "groupId", title, brand, category, description, color,
       coalesce(sizes, '{}'), gender, coalesce(attributes, '{}'), currency, "priceMicros",
       "salePriceMicros", "saleStartsAt", "saleEndsAt", "regularPublished", "inStock",
       "imageUrl", "pageUrl", "checkoutItemId", "continueUrl", coalesce(variants, '[]'),
       "contentHash", $3, $4, $5
     from json_to_recordset($1::json) as p (
         id text, "externalId" text, "groupId" text, title text, brand text, category text,
         description text, color text, sizes text[], gender text, attributes jsonb,
         currency text, "priceMicros" bigint, "salePriceMicros" bigint,
         "saleStartsAt" timestamptz, "saleEndsAt" timestamptz, "regularPublished" boolean,
         "inStock" boolean, "imageUrl" text, "pageUrl" text, "checkoutItemId" text,
         "continueUrl" text, variants jsonb, "contentHash" text
       )
     on conflict (id) do update set group_id = excluded.group_id, title = excluded.title,
       brand = excluded.brand, category = excluded.category, description = excluded.description,
       color = excluded.color, sizes = excluded.sizes, gender = excluded.gender,
       attributes = excluded.attributes, currency = excluded.currency,
       price_micros = excluded.price_micros, sale_price_micros = excluded.sale_price_micros,
       sale_starts_at = excluded.sale_starts_at, sale_ends_at = excluded.sale_ends_at,
       regular_published = excluded.regular_published, in_stock = excluded.in_stock,
       image_url = excluded.image_url, page_url = excluded.page_url,
       checkout_item_id = excluded.checkout_item_id, continue_url = excluded.continue_url,
       variants = excluded.variants, content_hash = excluded.content_hash,
       feed_id = excluded.feed_id, changed_in = excluded.changed_in,
       updated_at = excluded.updated_at, removed_at = null
     where products.content_hash <> excluded.content_hash or products.removed_at is not null
     returning id`,
    [JSON.stringify(rows), batch.merchantId, batch.feedId, batch.id, batch.at],
  );
  return written.map(({ id }) => id);
}

/** How many of these the run had not met before. */
export async function markSeen(
  tx: Db,
  runId: string,
  productIds: readonly string[],
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `with met as (
         insert into import_seen (run_id, product_id)
         select $1, unnest($2::text[])
         on conflict do nothing
         returning 1
       )
     select count(*)::int as count
     from met`,
    [runId, productIds],
  );
  return row?.count ?? 0;
}

/** A product the shop has, and whether the run did not meet it. */
export interface KnownProduct {
  id: string;
  externalId: string;
  isMissing: boolean;
}

/**
 * What the shop has, a page at a time in the order of the index: of this feed when it is a feed's
 * run, else of the merchant. The planner has no choice, whatever its statistics say.
 */
export async function listKnown(
  db: Db,
  run: { id: string; merchantId: string; feedId: string | null },
  after: string,
  limit: number,
): Promise<{ products: KnownProduct[]; last: string | null }> {
  const rows = await db.transaction(async (tx) => {
    await tx.script(`set local enable_seqscan = off;
      set local enable_bitmapscan = off;
      set local enable_sort = off`);
    return tx.query<KnownProduct & { counts: boolean }>(
      `select p.id, p.external_id as "externalId",
         p.removed_at is null and ($2::uuid is null or p.feed_id = $2) as counts,
         coalesce(
           (
             select false
             from import_seen s
             where s.run_id = $3 and s.product_id = p.id
             limit 1
           ), true
         ) as "isMissing"
       from products p
       where p.merchant_id = $1 and p.external_id > $4
       order by p.external_id limit $5`,
      [run.merchantId, run.feedId, run.id, after, limit],
    );
  });
  return {
    products: rows.filter((row) => row.counts),
    last: rows.length < limit ? null : (rows.at(-1)?.externalId ?? null),
  };
}

/** Takes products out of the shop, but for those that came back meanwhile; gives which. */
export async function removeProducts(
  tx: Db,
  runId: string,
  ids: readonly string[],
  batch: { id: string; at: Date },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `update products p
     set removed_at = $3, updated_at = $3, changed_in = $2
     where p.id = any($1::text[]) and p.removed_at is null
       and not exists (select from import_seen s where s.run_id = $4 and s.product_id = p.id)
     returning p.id`,
    [ids, batch.id, batch.at, runId],
  );
  return rows.map(({ id }) => id);
}

/** In steps: a large feed leaves as many marks as it has rows. */
export async function forgetSeen(db: Db, runId: string): Promise<void> {
  for (;;) {
    const rows = await db.query(
      `delete
       from import_seen
       where ctid = any(array(select ctid from import_seen where run_id = $1 limit 2000))
       returning 1`,
      [runId],
    );
    if (rows.length < 2000) return;
  }
}

export async function setCheckout(
  tx: Db,
  merchantId: string,
  found: { endpoint: string | null; version: string | null; problem: string | null; at: Date },
): Promise<void> {
  await tx.query(
    `update merchants
     set ucp_endpoint = $2, ucp_version = $3, ucp_problem = $4, ucp_checked_at = $5
     where id = $1`,
    [merchantId, found.endpoint, found.version, found.problem, found.at],
  );
}

export interface RunCounts {
  read: number;
  written: number;
  unchanged: number;
  failed: number;
  removed: number;
}

export async function insertRun(
  db: Db,
  run: {
    id: string;
    feedId: string | null;
    merchantId: string;
    source: string;
    format: string;
    at: Date;
  },
): Promise<void> {
  await db.query(
    `insert into import_runs (id, feed_id, merchant_id, source, format, status, started_at)
     values ($1, $2, $3, $4, $5, 'running', $6)`,
    [run.id, run.feedId, run.merchantId, run.source, run.format, run.at],
  );
}

export async function saveRunCounts(tx: Db, runId: string, counts: RunCounts): Promise<void> {
  await tx.query(
    `update import_runs set rows_read = $2, rows_written = $3, rows_failed = $4 where id = $1`,
    [runId, counts.read, counts.written, counts.failed],
  );
}

export async function finishRun(
  tx: Db,
  runId: string,
  counts: RunCounts,
  problem: string | null,
  at: Date,
): Promise<void> {
  await tx.query(
    `update import_runs
     set status = $2, problem = $3, finished_at = $4, rows_read = $5, rows_written = $6,
       rows_unchanged = $7, rows_failed = $8, rows_removed = $9
     where id = $1`,
    [
      runId,
      problem === null ? 'done' : 'failed',
      problem,
      at,
      counts.read,
      counts.written,
      counts.unchanged,
      counts.failed,
      counts.removed,
    ],
  );
}

export async function insertErrors(
  tx: Db,
  runId: string,
  errors: readonly { row: number; item: string; message: string }[],
): Promise<void> {
  if (errors.length === 0) return;
  await tx.query(
    `insert into import_errors (run_id, row_number, item, message)
     select $1, row, item, message
     from json_to_recordset($2::json) as e (row bigint, item text, message text)
     on conflict do nothing`,
    [runId, JSON.stringify(errors)],
  );
}

export interface RunRow {
  id: string;
  merchant: string;
  source: string;
  format: string;
  status: string;
  problem: string | null;
  started_at: Date;
  finished_at: Date | null;
  rows_read: number;
  rows_written: number;
  rows_unchanged: number;
  rows_failed: number;
  rows_removed: number;
  /** How many are shown, and why others are not; null until it is over. */
  shown: string | null;
}

export function listRuns(db: Db, limit: number): Promise<RunRow[]> {
  return db.query<RunRow>(
    `select r.id, m.name as merchant, source, format, status, problem, started_at, finished_at,
       rows_read, rows_written, rows_unchanged, rows_failed, rows_removed, e.message as shown
     from import_runs r
     join merchants m on m.id = r.merchant_id
     left join import_errors e on e.run_id = r.id and e.row_number = 0
     order by started_at desc, r.id
     limit $1`,
    [limit],
  );
}

export function listErrors(
  db: Db,
  runId: string,
  limit: number,
): Promise<{ row_number: number; item: string; message: string }[]> {
  return db.query(
    `select row_number, item, message
     from import_errors
     where run_id = $1 and row_number > 0
     order by row_number, message
     limit $2`,
    [runId, limit],
  );
}

/** Storefronts whose checkout was not looked up since the instant given. */
export function listUncheckedMerchants(
  db: Db,
  before: Date,
): Promise<{ id: string; storeUrl: string }[]> {
  return db.query(
    `select id, store_url as "storeUrl"
     from merchants
     where store_url <> '' and (ucp_checked_at is null or ucp_checked_at < $1)
     order by ucp_checked_at nulls first
     limit 50`,
    [before],
  );
}

/**
 * Marks products whose sale began or ended since they were written, so that indexes read their
 * price again.
 */
export async function touchSales(
  tx: Db,
  batchId: string,
  from: Date,
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `update products
     set changed_in = $1, updated_at = $3
     where removed_at is null
       and (
         (sale_starts_at > $2 and sale_starts_at <= $3 and updated_at < sale_starts_at)
         or (sale_ends_at > $2 and sale_ends_at <= $3 and updated_at < sale_ends_at)
       )
     returning id`,
    [batchId, from, now],
  );
  return rows.map(({ id }) => id);
}

export function listMerchants(db: Db): Promise<
  {
    id: string;
    name: string;
    platform: string;
    commission_bps: number;
    ucp_endpoint: string | null;
    ucp_problem: string | null;
    ucp_checked_at: Date | null;
    products: number;
    in_stock: number;
  }[]
> {
  return db.query(
    `select m.id, m.name, m.platform, m.commission_bps, m.ucp_endpoint, m.ucp_problem,
       m.ucp_checked_at, count(p.id) as products, count(p.id) filter (where p.in_stock) as in_stock
     from merchants m
     left join products p on p.merchant_id = m.id and p.removed_at is null
     group by m.id
     order by m.name`,
  );
}
