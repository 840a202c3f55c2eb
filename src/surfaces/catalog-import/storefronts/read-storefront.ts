import { type CatalogItem, itemProblems } from '../../../domain/commerce/catalog-item.js';
import { plainText } from '../../../domain/commerce/json-ld-products.js';
import { microsOfAmount } from '../../../domain/commerce/price-text.js';
import { type Outbound, OutboundError } from '../../../platform/outbound/guarded-fetch.js';
import { BrokenFeed, type FeedRow, textIn } from '../feeds/feed-row.js';
import { trimEndSigns } from '../../../domain/text/trim-signs.js';
import { type CatalogAsker, readToolCurrency } from './read-catalog-tools.js';
import { attributesOf } from '../feeds/item-attributes.js';
import { isRecord } from '../../../domain/is-record.js';

const pageSize = 250;
const mostPages = 2000;

/** A hosted storefront's own list, page by page, until it is empty or repeats itself. */
export async function* readStorefront(
  asker: CatalogAsker,
  storeUrl: string,
  givenCurrency: string | null,
): AsyncGenerator<FeedRow> {
  const base = trimEndSigns(storeUrl.split('/products.json', 1)[0] ?? '', /\//);
  const { outbound } = asker;
  const { currency, shop } = await readShop(asker, base, givenCurrency);
  let row = 0;
  let before = '';
  for (let page = 1; page <= mostPages; page += 1) {
    const products = await readPage(
      outbound,
      `${base}/products.json?limit=${pageSize}&page=${page}`,
    );
    const first = isRecord(products[0]) ? textIn(products[0], 'id') : '';
    if (products.length === 0 || (first !== '' && first === before)) return;
    before = first;
    for (const product of products)
      if (isRecord(product)) yield readStorefrontProduct(product, ++row, { base, currency, shop });
  }
}

async function readPage(outbound: Outbound, url: string): Promise<unknown[]> {
  const body = await readJson(outbound, url);
  const products = isRecord(body) ? body['products'] : null;
  if (!Array.isArray(products)) throw new BrokenFeed('the storefront does not list its products');
  return products;
}

async function readJson(outbound: Outbound, url: string): Promise<unknown> {
  const answer = await outbound(url, {
    timeoutMs: 20_000,
    maxBytes: 32 * 1024 * 1024,
    headers: { accept: 'application/json' },
  });
  if (answer.status !== 200) throw new BrokenFeed(`the storefront answered ${answer.status}`);
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch (cause) {
    throw new BrokenFeed('the storefront did not answer with JSON', { cause });
  }
}

/**
 * The list states no currency and follows the asker's place; the shop's own tools and description
 * do not.
 */
async function readShop(
  asker: CatalogAsker,
  base: string,
  given: string | null,
): Promise<{ currency: string; shop: string }> {
  const meta = await readJson(asker.outbound, `${base}/meta.json`).catch((error: unknown) => {
    if (error instanceof BrokenFeed || error instanceof OutboundError) return null;
    throw error;
  });
  const domain = isRecord(meta) ? textIn(meta, 'myshopify_domain') : '';
  const stated = isRecord(meta) ? textIn(meta, 'currency').toUpperCase() : '';
  const currency = given ?? (await readToolCurrency(asker, base)) ?? stated;
  if (currency === '') throw new BrokenFeed('the storefront names no currency; give one');
  return { currency, shop: domain === '' ? base : `https://${domain}` };
}

export function readStorefrontProduct(
  product: Record<string, unknown>,
  row: number,
  { base, currency, shop }: { base: string; currency: string; shop: string },
): FeedRow {
  const variants = (Array.isArray(product['variants']) ? product['variants'] : []).filter(isRecord);
  const chosen = variants.find((variant) => variant['available'] !== false) ?? variants[0] ?? {};
  const price = microsOfAmount(textIn(chosen, 'price')) ?? 0;
  const compare = microsOfAmount(textIn(chosen, 'compare_at_price')) ?? 0;
  const isSale = compare > price && price > 0;
  const externalId = textIn(product, 'id');
  const images = Array.isArray(product['images']) ? product['images'].filter(isRecord) : [];
  const variantNumber = textIn(chosen, 'id');
  const isNumbered = /^\d+$/.test(variantNumber);
  const item: CatalogItem = {
    externalId,
    groupId: null,
    title: plainText(textIn(product, 'title')),
    brand: textIn(product, 'vendor') || null,
    category: textIn(product, 'product_type') || null,
    description: plainText(textIn(product, 'body_html')),
    color: null,
    sizes: sizesOf(product, variants),
    gender: null,
    attributes: attributesOf(chosen, product),
    currency,
    priceMicros: isSale ? compare : price,
    salePriceMicros: isSale ? price : null,
    saleStartsAt: null,
    saleEndsAt: null,
    regularPublished: true,
    inStock: variants.some((variant) => variant['available'] !== false),
    imageUrl: textIn(images[0] ?? {}, 'src'),
    pageUrl: `${base}/products/${encodeURIComponent(textIn(product, 'handle'))}`,
    checkoutItemId: itemIdOf(chosen) || null,
    continueUrl: isNumbered ? `${shop}/cart/${variantNumber}:1` : null,
    variants: variants.slice(0, 100).map((variant) => ({
      id: itemIdOf(variant),
      title: textIn(variant, 'title'),
      priceMicros: microsOfAmount(textIn(variant, 'price')) ?? 0,
      available: variant['available'] !== false,
    })),
  };
  const problems = itemProblems(item, new URL(base).origin);
  return problems.length === 0
    ? { row, item }
    : {
        row,
        label: (item.title || externalId).slice(0, 120),
        externalId: externalId || null,
        problem: problems.join('; '),
      };
}

/** The full name of a numbered variant, which is what a checkout asks for. */
function itemIdOf(variant: Record<string, unknown>): string {
  const id = textIn(variant, 'id');
  return /^\d+$/.test(id) ? `gid://shopify/ProductVariant/${id}` : id;
}

/** Values of the size option of variants that can be bought. */
function sizesOf(
  product: Record<string, unknown>,
  variants: readonly Record<string, unknown>[],
): string[] {
  const options = (Array.isArray(product['options']) ? product['options'] : []).filter(isRecord);
  const at = options.findIndex((option) => /size|größe|taille/i.test(textIn(option, 'name')));
  if (at < 0) return [];
  return [
    ...new Set(
      variants
        .filter((variant) => variant['available'] !== false)
        .map((variant) => textIn(variant, `option${at + 1}`)),
    ),
  ]
    .filter((size) => size !== '' && size !== 'Default Title')
    .slice(0, 50);
}
