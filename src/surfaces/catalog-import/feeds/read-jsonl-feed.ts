import { type CatalogItem, itemProblems } from '../../../domain/commerce/catalog-item.js';
import {
  JsonElements,
  type JsonShape,
  shapeOfJson,
} from '../../../domain/commerce/json-elements.js';
import { plainText } from '../../../domain/commerce/json-ld-products.js';
import { microsOfMinor, parsePrice } from '../../../domain/commerce/price-text.js';
import { BrokenFeed, type FeedRow, textIn } from './feed-row.js';
import { fieldName, isInStock, readFlatItem } from './flat-item.js';
import { attributesAnywhere } from './item-attributes.js';
import { isRecord } from '../../../domain/is-record.js';
import { peek } from './read-table-feed.js';
import { readStorefrontProduct } from '../storefronts/read-storefront.js';

const longestLine = 4_000_000;

/** So much is looked at to find the list of products. */
const lookedAt = 65_536;

/** What a source of JSON does not say itself. */
export interface JsonDefaults {
  currency: string | null;
  /** The shop’s address, for products that only say their name in it. */
  storeUrl: string | null;
}

/**
 * One JSON object a line, or a list of them, or one inside an object as an API answers it: products
 * with variants and prices in minor units, or flat rows with the names of a table.
 */
export async function* readJsonlFeed(
  chunks: AsyncIterable<Buffer>,
  given: JsonDefaults,
): AsyncGenerator<FeedRow> {
  let row = 0;
  let read = 0;
  const { start, all } = await peek(chunks, lookedAt);
  const shape = shapeOfJson(start.toString('utf8'));
  let alone: Record<string, unknown> | null = null;
  for await (const line of shape === 'lines' ? linesOf(all) : elementsOf(all, shape)) {
    if (alone !== null) yield* rowsOf(alone, row, given);
    alone = null;
    row += 1;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      yield { row, label: line.slice(0, 60), externalId: null, problem: 'the line is not JSON' };
      if (row >= 20 && read === 0) throw new BrokenFeed('the lines are not JSON');
      continue;
    }
    read += 1;
    if (!isRecord(value))
      yield { row, label: '', externalId: null, problem: 'the line is not an object' };
    else if (row === 1 && !saysProduct(value)) alone = value;
    else yield* rowsOf(value, row, given);
  }
  if (alone !== null)
    throw new BrokenFeed(
      `this JSON has no list of products; it holds ${Object.keys(alone).slice(0, 8).join(', ') || 'nothing'}`,
    );
}

/** The answer of a service that has something else to say is not taken for a product. */
function saysProduct(value: Record<string, unknown>): boolean {
  const names = Object.keys(value).map(fieldName);
  return ['id', 'item_id', 'offer_id', 'title', 'item_title', 'price', 'variants'].some((name) =>
    names.includes(name),
  );
}

function* rowsOf(
  value: Record<string, unknown>,
  row: number,
  { currency, storeUrl }: JsonDefaults,
): Generator<FeedRow> {
  const isShopify =
    Array.isArray(value['variants']) &&
    textIn(value, 'handle') !== '' &&
    textIn(value, 'url', 'link') === '';
  if (isShopify && (storeUrl === null || currency === null))
    throw new BrokenFeed(
      'a storefront’s list says neither where its products are nor what they are paid in: give the shop’s address and the currency',
    );
  if (!Array.isArray(value['variants']))
    yield readFlatItem(flatRecord(value), row, currency, value);
  else if (isShopify && storeUrl !== null && currency !== null)
    yield readStorefrontProduct(value, row, { base: storeUrl, currency, shop: storeUrl });
  else yield* productRows(value, row, currency);
}

function flatRecord(value: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.keys(value).map((name) => [
      fieldName(name),
      priceText(value[name]) ?? textIn(value, name),
    ]),
  );
}

/** Amounts in the smallest unit, as `{amount, currency}`. */
function moneyOf(value: unknown): { micros: number; currency: string } | null {
  if (!isRecord(value)) return typeof value === 'string' ? parsePrice(value) : null;
  const currency = textIn(value, 'currency', 'currency_code').toUpperCase();
  const amount = Number(textIn(value, 'amount', 'value'));
  return currency === '' || !Number.isInteger(amount)
    ? null
    : { micros: microsOfMinor(amount, currency), currency };
}

function priceText(value: unknown): string | null {
  const money = isRecord(value) ? moneyOf(value) : null;
  return money === null ? null : `${(money.micros / 1_000_000).toFixed(2)} ${money.currency}`;
}

function* productRows(
  product: Record<string, unknown>,
  row: number,
  fallbackCurrency: string | null,
): Generator<FeedRow> {
  const variants = (Array.isArray(product['variants']) ? product['variants'] : []).filter(isRecord);
  for (const variant of variants) {
    const item = variantItem(product, variant, fallbackCurrency);
    const problems = itemProblems(item);
    yield problems.length === 0
      ? { row, item }
      : {
          row,
          label: (item.externalId || item.title).slice(0, 120),
          externalId: item.externalId || null,
          problem: problems.join('; '),
        };
  }
  if (variants.length === 0)
    yield {
      row,
      label: textIn(product, 'id', 'title').slice(0, 120),
      externalId: null,
      problem: 'no variants',
    };
}

function variantItem(
  product: Record<string, unknown>,
  variant: Record<string, unknown>,
  fallbackCurrency: string | null,
): CatalogItem {
  const own = (...names: readonly string[]): string =>
    textIn(variant, ...names) || textIn(product, ...names);
  const externalId = textIn(variant, 'id', 'variant_id', 'item_id') || textIn(product, 'id');
  const list = moneyOf(variant['list_price']) ?? moneyOf(variant['compare_at_price']);
  const price = moneyOf(variant['price']) ?? parsePrice(own('price'), fallbackCurrency);
  const isSale =
    list !== null &&
    price !== null &&
    list.currency === price.currency &&
    list.micros > price.micros;
  const availability = isRecord(variant['availability'])
    ? variant['availability']['available'] === false
      ? 'out_of_stock'
      : textIn(variant['availability'], 'status')
    : own('availability');
  return {
    externalId,
    groupId: textIn(product, 'id') || null,
    title: plainText(textIn(variant, 'title') || textIn(product, 'title')),
    brand: own('brand') || null,
    category: own('product_category', 'category', 'product_type') || null,
    description: plainText(descriptionOf(variant) || descriptionOf(product)),
    color: optionOf(variant, 'color') ?? (own('color') || null),
    sizes: [optionOf(variant, 'size') ?? own('size')].filter((size) => size !== ''),
    gender: own('gender') || null,
    attributes: attributesAnywhere(variant, product),
    currency: price?.currency ?? '',
    priceMicros: (isSale ? list.micros : price?.micros) ?? 0,
    salePriceMicros: isSale ? (price?.micros ?? null) : null,
    saleStartsAt: null,
    saleEndsAt: null,
    regularPublished: true,
    inStock: isInStock(availability),
    imageUrl: imageOf(variant) || imageOf(product),
    pageUrl: own('url', 'link'),
    checkoutItemId: externalId === '' ? null : externalId,
    continueUrl: own('checkout_url') || null,
    variants: [],
  };
}

function descriptionOf(record: Record<string, unknown>): string {
  const { description } = record;
  return isRecord(description)
    ? textIn(description, 'plain', 'text', 'markdown', 'html')
    : textIn(record, 'description');
}

function imageOf(record: Record<string, unknown>): string {
  const media = [record['media'], record['images']].find(Array.isArray) ?? [];
  const first: unknown = media[0];
  return (
    (isRecord(first) ? textIn(first, 'url', 'src') : typeof first === 'string' ? first : '') ||
    textIn(record, 'image_url', 'image_link')
  );
}

function optionOf(variant: Record<string, unknown>, wanted: string): string | null {
  const options = [variant['variant_options'], variant['options']].find(Array.isArray) ?? [];
  const found = options
    .filter(isRecord)
    .find((option) => textIn(option, 'name').toLowerCase().replace('colour', 'color') === wanted);
  return found === undefined ? null : textIn(found, 'value', 'label') || null;
}

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    if (rest.length > longestLine)
      throw new BrokenFeed('a line is longer than four million characters');
    for (const part of parts) if (part.trim() !== '') yield part;
  }
  const last = rest + decoder.decode();
  if (last.trim() !== '') yield last;
}

/** The objects of a list, or those that follow one another. */
async function* elementsOf(
  chunks: AsyncIterable<Buffer>,
  shape: Exclude<JsonShape, 'lines'>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const reader = new JsonElements(shape);
  for await (const chunk of chunks) {
    yield* reader.read(decoder.decode(chunk, { stream: true }));
    if (reader.waiting > longestLine)
      throw new BrokenFeed('a product is longer than four million characters');
  }
  yield* reader.read(decoder.decode());
  if (!reader.isDone) throw new BrokenFeed('the list of products has no end');
}
