import { type CatalogItem, itemProblems } from '../../../domain/commerce/catalog-item.js';
import { plainText } from '../../../domain/commerce/json-ld-products.js';
import { microsOfMinor } from '../../../domain/commerce/price-text.js';
import { type FeedRow, textIn } from '../feeds/feed-row.js';
import { isInStock } from '../feeds/flat-item.js';
import { attributesOf } from '../feeds/item-attributes.js';
import { isRecord } from '../../../domain/is-record.js';

/** A product as catalog tools answer it; the first variant that can be bought stands for it. */
export function readCatalogProduct(value: unknown, row: number, endpointOrigin: string): FeedRow {
  const product = isRecord(value) ? value : {};
  const variants = listOf(product['variants']);
  const chosen = variants.find(isAvailable) ?? variants[0] ?? {};
  const price = priceOf(chosen['price']);
  const list = priceOf(chosen['list_price']);
  const isSale =
    price !== null &&
    list !== null &&
    list.currency === price.currency &&
    list.micros > price.micros;
  const externalId = plainId(textIn(product, 'id'));
  const variantId = textIn(chosen, 'id');
  const number = /^gid:\/\/shopify\/ProductVariant\/(\d+)/.exec(variantId)?.[1];
  const item: CatalogItem = {
    externalId,
    groupId: null,
    title: plainText(textIn(product, 'title')),
    brand: textIn(product, 'brand', 'vendor') || null,
    category: categoryOf(product),
    description: plainText(descriptionOf(product) || descriptionOf(chosen)),
    color: optionOf(chosen, /^colou?r$|^farbe$|^couleur$/i),
    sizes: sizesOf(variants),
    gender: null,
    attributes: attributesOf(chosen, product),
    currency: price?.currency ?? '',
    priceMicros: (isSale ? list.micros : price?.micros) ?? 0,
    salePriceMicros: isSale ? price.micros : null,
    saleStartsAt: null,
    saleEndsAt: null,
    regularPublished: true,
    inStock: variants.some(isAvailable),
    imageUrl: imageOf(product) || imageOf(chosen),
    pageUrl: pageOf(product, chosen, endpointOrigin),
    checkoutItemId: variantId || null,
    continueUrl: number === undefined ? null : `${endpointOrigin}/cart/${number}:1`,
    variants: variants.slice(0, 100).map((variant) => ({
      id: textIn(variant, 'id'),
      title: textIn(variant, 'title'),
      priceMicros: priceOf(variant['price'])?.micros ?? 0,
      available: isAvailable(variant),
    })),
  };
  const problems = itemProblems(item, endpointOrigin);
  return problems.length === 0
    ? { row, item }
    : {
        row,
        label: (item.title || externalId).slice(0, 120),
        externalId: externalId || null,
        problem: problems.join('; '),
      };
}

function sizesOf(variants: readonly Record<string, unknown>[]): string[] {
  return [
    ...new Set(
      variants.filter(isAvailable).map((variant) => optionOf(variant, /size|größe|taille/i) ?? ''),
    ),
  ]
    .filter((size) => size !== '' && size !== 'Default Title')
    .slice(0, 50);
}

function pageOf(
  product: Record<string, unknown>,
  chosen: Record<string, unknown>,
  origin: string,
): string {
  return (
    textIn(product, 'url') ||
    textIn(chosen, 'url') ||
    (textIn(product, 'handle') === ''
      ? ''
      : `${origin}/products/${encodeURIComponent(textIn(product, 'handle'))}`)
  );
}

/** The same product has the same id here and in the shop's public list. */
function plainId(id: string): string {
  return id.replace(/^gid:\/\/shopify\/Product\//, '');
}

/** `{amount, currency}` in minor units. */
export function priceOf(value: unknown): { micros: number; currency: string } | null {
  if (!isRecord(value)) return null;
  const currency = textIn(value, 'currency').toUpperCase();
  const amount = value['amount'];
  return /^[A-Z]{3}$/.test(currency) && typeof amount === 'number' && Number.isSafeInteger(amount)
    ? { micros: microsOfMinor(amount, currency), currency }
    : null;
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A shop that does not say has it for sale. */
function isAvailable(variant: Record<string, unknown>): boolean {
  const { availability } = variant;
  if (!isRecord(availability)) return true;
  return typeof availability['available'] === 'boolean'
    ? availability['available']
    : isInStock(textIn(availability, 'status'));
}

/** The shop's own path; numbers of other taxonomies say nothing to people. */
function categoryOf(product: Record<string, unknown>): string | null {
  const categories = listOf(product['categories']);
  const own =
    categories.find((each) => textIn(each, 'taxonomy') === 'merchant') ??
    categories.find(
      (each) =>
        /\p{L}{3}/u.test(textIn(each, 'value')) && !/^[a-z]{2}-[\d-]+$/.test(textIn(each, 'value')),
    );
  return own === undefined ? textIn(product, 'product_type') || null : textIn(own, 'value') || null;
}

function descriptionOf(record: Record<string, unknown>): string {
  const { description } = record;
  return isRecord(description)
    ? textIn(description, 'plain', 'markdown', 'html')
    : textIn(record, 'description');
}

function imageOf(record: Record<string, unknown>): string {
  const image = listOf(record['media']).find(
    (each) => textIn(each, 'type') === 'image' || textIn(each, 'type') === '',
  );
  return image === undefined ? '' : textIn(image, 'url');
}

function optionOf(variant: Record<string, unknown>, name: RegExp): string | null {
  const found = listOf(variant['selected_options'] ?? variant['options']).find((option) =>
    name.test(textIn(option, 'name')),
  );
  return found === undefined ? null : textIn(found, 'label', 'value') || null;
}
