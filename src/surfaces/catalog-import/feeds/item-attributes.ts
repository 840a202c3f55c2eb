// What a listing says about itself beside its title: numbers people search by, and facts, wherever
// the source puts them.
import { plainText } from '../../../domain/commerce/json-ld-products.js';
import { textIn } from './feed-row.js';
import { isRecord } from '../../../domain/is-record.js';

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
  'tags',
  'metafields',
  'metadata',
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

/** Of a record in JSON: parts that are listings, pictures or offers themselves. */
const parts = new Set(
  `variants media images image_urls additional_image_urls videos options variant_options
  selected_options list_price compare_at_price price_range offers seller reviews links handle vendor
  body_html metadata_version created_at updated_at published_at taxable requires_shipping`.split(
    /\s+/,
  ),
);

const most = 60;
const longest = 300;
const deepest = 4;
/** A column of this length that lists facts is read fact by fact. */
const longestColumn = 8000;

type Facts = Record<string, string>;

/** From a row of flat texts: numbers, named facts, and columns nobody else reads. */
export function attributesOfRow(record: Readonly<Record<string, string>>): Facts {
  const facts = attributesOf(record);
  for (const [name, value] of Object.entries(record))
    if (isUnread(name)) addFacts(facts, name, value);
  return facts;
}

/** Whether an element of this name holds facts, and not one number or what is read elsewhere. */
export function listsFacts(name: string): boolean {
  return isUnread(name) && !(numbers as readonly string[]).includes(name);
}

/** Whether nobody else reads the column of this name. */
function isUnread(name: string): boolean {
  return !elsewhere.has(name) && !name.startsWith('custom_label') && !name.startsWith('ads_');
}

/** From a record of any kind: numbers, then whatever its lists of facts hold. */
export function attributesOf(...records: readonly Readonly<Record<string, unknown>>[]): Facts {
  const facts: Facts = {};
  for (const record of records) for (const name of numbers) add(facts, name, textIn(record, name));
  for (const record of records) for (const name of factLists) addFacts(facts, name, record[name]);
  return facts;
}

/** As `attributesOf`, and then from lists and objects of any other name: sources invent them. */
export function attributesAnywhere(
  ...records: readonly Readonly<Record<string, unknown>>[]
): Facts {
  const facts = attributesOf(...records);
  for (const record of records)
    for (const [name, value] of Object.entries(record)) {
      const plain = name.toLowerCase();
      if (isUnread(plain) && !parts.has(plain)) addFacts(facts, name, value);
    }
  return facts;
}

function addFacts(facts: Facts, name: string, value: unknown, depth = 0): void {
  if (depth > deepest) return;
  if (typeof value === 'string') return addColumn(facts, name, value, depth);
  if (Array.isArray(value)) {
    for (const [at, each] of value.slice(0, most).entries())
      addFacts(facts, `${name}_${at}`, each, depth + 1);
    return;
  }
  if (!isRecord(value)) return add(facts, name, textIn({ value }, 'value'));
  const named = textIn(value, 'attribute_name', 'name', 'label', 'key');
  const stated = textIn(value, 'attribute_value', 'value', 'text');
  if (stated !== '') return add(facts, named === '' ? name : named, stated);
  for (const [key, each] of Object.entries(value).slice(0, most))
    if (each === true || /^(?:yes|y|true)$/i.test(String(each)))
      // "Bluetooth: yes" is said by its name.
      add(facts, key, key.replaceAll('_', ' '));
    else addFacts(facts, key, each, depth + 1);
}

/** A text may be a list itself: JSON in a column, or "Display: 15 inch; Memory: 8 GB". */
function addColumn(facts: Facts, name: string, text: string, depth: number): void {
  const value = text.slice(0, longestColumn).trim();
  if (/^[[{]/.test(value)) {
    const read = readJson(value);
    if (read !== null) return addFacts(facts, name, read, depth + 1);
  }
  if (value.length <= longest) return add(facts, name, value);
  for (const [at, each] of value.split(/[;|\n]/, most).entries()) add(facts, `${name}_${at}`, each);
}

function readJson(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function add(facts: Facts, name: string, value: string): void {
  const text = plainText(value).slice(0, longest);
  if (text === '' || /^https?:\/\//i.test(text) || facts[name] !== undefined) return;
  // Yes and no answer no search.
  if (/^(?:true|false|yes|no|0|1)$/i.test(text) || Object.keys(facts).length >= most) return;
  facts[name.slice(0, 60)] = text;
}
