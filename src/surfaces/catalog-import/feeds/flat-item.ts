import { type CatalogItem, itemProblems } from '../../../domain/commerce/catalog-item.js';
import { plainText } from '../../../domain/commerce/json-ld-products.js';
import { microsOfAmount, parsePrice } from '../../../domain/commerce/price-text.js';
import { plainInstant } from '../../../domain/time/read-instant.js';
import { type FeedRow, textIn } from './feed-row.js';
import { attributesAnywhere, attributesOfRow } from './item-attributes.js';

/** "Sale Price", "g:sale_price" and "sale_price" are one name. */
export function fieldName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^\ufeff/, '')
    .replace(/^g:/, '')
    .replace(/[\s-]+/g, '_');
}

/**
 * A row of a Google Merchant feed or of a flat agentic-commerce feed: flat names, everything text.
 */
export function readFlatItem(
  record: Record<string, string>,
  row: number,
  fallbackCurrency: string | null,
  /** The same row where it is more than texts: lists and objects of facts. */
  details: Readonly<Record<string, unknown>> = {},
): FeedRow {
  const get = (...names: readonly string[]): string => textIn(record, ...names);
  const externalId = get('id', 'item_id', 'offer_id');
  const { price, sale } = readPrices(get, fallbackCurrency);
  const [saleStartsAt, saleEndsAt] = readWindow(get('sale_price_effective_date'));
  const isWithheld = /^(false|0|no)$/i.test(get('is_eligible_search', 'enable_search'));
  const item: CatalogItem = {
    externalId,
    groupId: get('item_group_id', 'group_id') || null,
    title: plainText(get('title', 'item_title')),
    brand: get('brand') || null,
    category:
      get('product_type', 'product_category', 'google_product_category', 'category') || null,
    description: plainText(get('description')),
    color: get('color', 'colour') || null,
    sizes: get('size') === '' ? [] : [get('size')],
    gender: get('gender') || null,
    attributes: { ...attributesAnywhere(details), ...attributesOfRow(record) },
    currency: price?.currency ?? '',
    // Where only the currency is missing, that is what is wrong.
    priceMicros: price?.micros ?? microsOfAmount(get('price')) ?? 0,
    salePriceMicros: sale !== null && sale.currency === price?.currency ? sale.micros : null,
    saleStartsAt,
    saleEndsAt,
    regularPublished: true,
    inStock: isInStock(get('availability', 'inventory_status')) && !isWithheld,
    imageUrl: get('image_link', 'image_url', 'image'),
    pageUrl: get('link', 'url'),
    checkoutItemId: /^(true|1|yes)$/i.test(get('is_eligible_checkout', 'enable_checkout'))
      ? externalId
      : null,
    continueUrl: get('checkout_url', 'mobile_link') || null,
    variants: [],
  };
  const problems = [
    ...itemProblems(item),
    ...(get('sale_price') !== '' && item.salePriceMicros === null
      ? ['the sale price cannot be read']
      : []),
  ];
  if (problems.length === 0) return { row, item, isWithheld };
  return {
    row,
    label: (externalId || item.title).slice(0, 120),
    externalId: externalId || null,
    problem: problems.join('; '),
  };
}

function readPrices(get: (...names: readonly string[]) => string, fallbackCurrency: string | null) {
  const price = parsePrice(
    get('price'),
    get('currency', 'price_currency') === ''
      ? fallbackCurrency
      : get('currency', 'price_currency').toUpperCase(),
  );
  const sale =
    get('sale_price') === ''
      ? null
      : parsePrice(get('sale_price'), price?.currency ?? fallbackCurrency);
  return { price, sale };
}

const inStockWords = new Set(
  `instock available availablefororder limitedavailability limited onlineonly instoreonly true yes
  y`.split(/\s+/),
);

/**
 * A listing that does not say is taken to be for sale; so is one that says how many there are.
 * Everything but in stock is not.
 */
export function isInStock(text: string): boolean {
  const word = (text.split('/').at(-1) ?? '').replace(/[\s_-]/g, '').toLowerCase();
  return word === '' || inStockWords.has(word) || /^0*[1-9]\d{0,9}$/.test(word);
}

/** "start/end"; a half that cannot be read bounds nothing. */
function readWindow(text: string): [number | null, number | null] {
  const [start = '', end = ''] = text.split('/');
  const read = (part: string): number | null => {
    const at = Date.parse(part.trim().replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
    return Number.isNaN(at) ? null : plainInstant(at);
  };
  return [read(start), read(end)];
}
