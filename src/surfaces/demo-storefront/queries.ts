import type { Db } from '../../platform/db/db.js';

export interface ShopProduct {
  id: string;
  externalId: string;
  merchantSlug: string;
  merchantName: string;
  title: string;
  brand: string | null;
  category: string | null;
  description: string;
  color: string | null;
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
  variants: { id: string; title: string; priceMicros: number; available: boolean }[];
}

const columns = `p.id, p.external_id as "externalId", m.slug as "merchantSlug",
  m.name as "merchantName", p.title, p.brand, p.category, p.description, p.color, p.currency,
  p.price_micros as "priceMicros",
  p.sale_price_micros as "salePriceMicros", p.sale_starts_at as "saleStartsAt",
    p.sale_ends_at as "saleEndsAt", p.regular_published as "regularPublished",
    p.in_stock as "inStock",
  p.image_url as "imageUrl", p.page_url as "pageUrl", p.checkout_item_id as "checkoutItemId",
    p.variants`;
const demo = `from products p join merchants m on m.id = p.merchant_id where m.is_demo
  and p.removed_at is null`;

export async function findProduct(
  db: Db,
  merchantSlug: string,
  handle: string,
): Promise<ShopProduct | null> {
  const [row] = await db.query<ShopProduct>(
    `select ${columns} ${demo} and m.slug = $1 and p.external_id = $2`,
    [merchantSlug, handle],
  );
  return row ?? null;
}

/** The product a checkout item belongs to, only of the shop that takes agent checkouts. */
export async function findItem(db: Db, itemId: string): Promise<ShopProduct | null> {
  const [row] = await db.query<ShopProduct>(
    `select ${columns} ${demo} and m.platform = 'storefront'
       and (p.checkout_item_id = $1 or p.variants @> $2::jsonb)
     limit 1`,
    [itemId, JSON.stringify([{ id: itemId }])],
  );
  return row ?? null;
}

export async function findStoreProduct(db: Db, externalId: string): Promise<ShopProduct | null> {
  const [row] = await db.query<ShopProduct>(
    `select ${columns} ${demo} and m.platform = 'storefront' and p.external_id = $1`,
    [externalId],
  );
  return row ?? null;
}

/** Products that have every word, in order of id, and how many there are in all. */
export async function searchStore(
  db: Db,
  asked: {
    words: readonly string[];
    minMicros: number | null;
    maxMicros: number | null;
    after: string;
    limit: number;
  },
): Promise<{ products: ShopProduct[]; total: number }> {
  const price = `least(p.price_micros, coalesce(p.sale_price_micros, p.price_micros))`;
  const matching = `${demo} and m.platform = 'storefront'
    and ($1::bigint is null or ${price} >= $1) and ($2::bigint is null or ${price} <= $2)
    and not exists (select from unnest($3::text[]) word
      where position(word in lower(concat_ws(' ', p.title, p.brand, p.category,
      p.description))) = 0)`;
  const bounds = [asked.minMicros, asked.maxMicros, asked.words];
  const [counted] = await db.query<{ count: number }>(
    `select count(*) as count ${matching}`,
    bounds,
  );
  const products = await db.query<ShopProduct>(
    `select ${columns} ${matching} and p.id > $4 order by p.id limit $5`,
    [...bounds, asked.after, asked.limit],
  );
  return { products, total: counted?.count ?? 0 };
}

export function listProducts(db: Db, limit: number, page: number): Promise<ShopProduct[]> {
  return db.query<ShopProduct>(
    `select ${columns} ${demo} and m.platform = 'storefront' order by p.id limit $1 offset $2`,
    [limit, limit * (page - 1)],
  );
}

export function listShops(db: Db): Promise<{ slug: string; name: string; products: number }[]> {
  return db.query<{ slug: string; name: string; products: number }>(
    `select m.slug, m.name, count(p.id) as products
     from merchants m
     left join products p on p.merchant_id = m.id and p.removed_at is null
     where m.is_demo
     group by m.slug, m.name
     order by m.name`,
  );
}

/** Whose campaign the shop with agent checkout is linked to; null for none. */
export async function findStoreAdvertiser(db: Db): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    `select c.advertiser_id as id
     from merchants m
     join campaigns c on c.id = m.campaign_id
     where m.is_demo and m.platform = 'storefront'
     limit 1`,
  );
  return row?.id ?? null;
}

/** What was bought with an order, for its page; nothing of who bought it. */
export async function findOrder(
  db: Db,
  orderId: string,
): Promise<{ title: string; quantity: number }[] | null> {
  const [row] = await db.query<{ lines: { title: string; quantity: number }[] }>(
    `select state -> 'lines' as lines
     from demo_checkouts
     where status = 'completed' and state ->> 'orderId' = $1`,
    [orderId],
  );
  return row?.lines ?? null;
}

export interface CheckoutRow {
  id: string;
  status: string;
  state: unknown;
  completedWith: string | null;
}

export async function insertCheckout(
  tx: Db,
  row: { id: string; status: string; state: unknown; at: Date },
): Promise<void> {
  await tx.query(
    `insert into demo_checkouts (id, status, state, created_at, updated_at)
     values ($1, $2, $3::jsonb, $4, $4)`,
    [row.id, row.status, JSON.stringify(row.state), row.at],
  );
}

export async function lockCheckout(tx: Db, id: string): Promise<CheckoutRow | null> {
  const [row] = await tx.query<CheckoutRow>(
    `select id, status, state, completed_with as "completedWith"
     from demo_checkouts
     where id = $1
     for update`,
    [id],
  );
  return row ?? null;
}

export async function updateCheckout(
  tx: Db,
  row: { id: string; status: string; state: unknown; completedWith: string | null; at: Date },
): Promise<void> {
  await tx.query(
    `update demo_checkouts
     set status = $2, state = $3::jsonb, completed_with = $4, updated_at = $5
     where id = $1`,
    [row.id, row.status, JSON.stringify(row.state), row.completedWith, row.at],
  );
}

export async function deleteCheckoutsBefore(db: Db, before: Date): Promise<void> {
  await db.query(`delete from demo_checkouts where updated_at < $1`, [before]);
}

export interface DemoOffer {
  brand: string;
  ads: { headline: string; copy: string }[];
}

/** What a made-up brand says on its page: the ads of its campaign. */
export async function findDemoOffer(db: Db, landing: string): Promise<DemoOffer | null> {
  const rows = await db.query<{ brand: string; headline: string; copy: string }>(
    `select coalesce(g.brand_name, g.name) as brand, d.headline, coalesce(d.copy, '') as copy
     from campaigns c
     join advertisers a on a.id = c.advertiser_id and a.is_demo
     join ad_groups g on g.campaign_id = c.id
     join ads d on d.ad_group_id = g.id
     where c.landing_page = $1 and not c.is_archived and d.headline is not null
     order by c.id, g.id, d.name
     limit 10`,
    [landing],
  );
  const [first] = rows;
  return first === undefined
    ? null
    : { brand: first.brand, ads: rows.map(({ headline, copy }) => ({ headline, copy })) };
}
