// What a listing says about itself beside its title: numbers people search by, and facts, wherever
// the source puts them.
import { plainText } from '../../../domain/commerce/json-ld-products.js';
import { isRecord, textIn } from './feed-row.js';

/** Looked for first: a part number must not be pushed out by thirty other facts. */
const numbers = [
  'mpn',
  'gtin',
  'gtin8',
  'gtin12',
  'gtin13',
  'gtin14',
  'ean',
  'upc',
  'isbn',
  'barcode',
  'model',
  'model_number',
  'part_number',
  'sku',
] as const;

/** Lists and objects of facts by the names sources give them. */
const factLists = [
  'product_detail',
  'product_details',
  'product_highlight',
  'product_highlights',
  'additionalProperty',
  'additional_property',
  'specifications',
  'specs',
  'attributes',
  'attrs',
  'properties',
  'features',
] as const;

/** Columns with a place of their own, or that say nothing about the thing itself. */
const elsewhere = new Set(
  `id item_id offer_id group_id item_group_id title item_title description brand product_type
  product_category google_product_category category color colour size gender price sale_price
  currency price_currency sale_price_effective_date availability inventory_status availability_date
  image image_link image_url additional_image_link link url mobile_link checkout_url canonical_link
  is_eligible_search enable_search is_eligible_checkout enable_checkout identifier_exists adult
  shipping shipping_weight shipping_label shipping_length shipping_width shipping_height
  ships_from_country tax tax_category expiration_date cost_of_goods_sold quantity inventory rating
  review_count popularity_score seller_name seller_url store_name return_policy return_window
  pubdate guid updated published seller_privacy_policy seller_tos`.split(/\s+/),
);

const most = 40;
const longest = 300;

type Facts = Record<string, string>;

/** From a row of flat texts: numbers, named facts, and columns nobody else reads. */
export function attributesOfRow(record: Readonly<Record<string, string>>): Facts {
  const facts = attributesOf(record);
  for (const [name, value] of Object.entries(record)) {
    if (elsewhere.has(name) || name.startsWith('custom_label') || name.startsWith('ads_')) continue;
    add(facts, name, value);
  }
  return facts;
}

/** From a record of any kind: numbers, then whatever its lists of facts hold. */
export function attributesOf(...records: readonly Readonly<Record<string, unknown>>[]): Facts {
  const facts: Facts = {};
  for (const record of records) for (const name of numbers) add(facts, name, textIn(record, name));
  for (const record of records) for (const name of factLists) addFacts(facts, name, record[name]);
  return facts;
}

function addFacts(facts: Facts, name: string, value: unknown): void {
  if (Array.isArray(value)) {
    for (const [at, each] of value.slice(0, most).entries()) addFacts(facts, `${name}_${at}`, each);
    return;
  }
  if (!isRecord(value)) return add(facts, name, textIn({ value }, 'value'));
  const named = textIn(value, 'attribute_name', 'name', 'label', 'key');
  const stated = textIn(value, 'attribute_value', 'value', 'text');
  if (stated !== '') return add(facts, named === '' ? name : named, stated);
  for (const key of Object.keys(value).slice(0, most)) add(facts, key, textIn(value, key));
}

function add(facts: Facts, name: string, value: string): void {
  const text = plainText(value).slice(0, longest);
  if (text === '' || /^https?:\/\//i.test(text) || facts[name] !== undefined) return;
  // Yes and no answer no search.
  if (/^(?:true|false|yes|no|0|1)$/i.test(text) || Object.keys(facts).length >= most) return;
  facts[name.slice(0, 60)] = text;
}
