// Products as pages state them in JSON-LD: any nesting, any of the shapes offers take, each script
// by itself because broken ones are common.
import { microsOfAmount } from './price-text.js';
import { scriptElements, withoutScripts } from '../text/script-elements.js';

export interface PageProduct {
  id: string | null;
  groupId: string | null;
  name: string;
  brand: string | null;
  description: string;
  category: string | null;
  color: string | null;
  size: string | null;
  /** Numbers people search by and stated properties. */
  attributes: Readonly<Record<string, string>>;
  imageUrl: string | null;
  pageUrl: string;
  /** Both or neither. */
  priceMicros: number | null;
  currency: string | null;
  /** Null when the page does not say. */
  inStock: boolean | null;
}

type Node = Record<string, unknown>;

export function readPageProducts(html: string, pageUrl: string): PageProduct[] {
  const products: PageProduct[] = [];
  for (const { attributes, content } of scriptElements(html)) {
    if (!/type\s{0,9}=\s{0,9}["']?application\/ld\+json/i.test(attributes)) continue;
    for (const node of nodesIn(parse(content), 0)) products.push(...productsOf(node, pageUrl));
  }
  return products;
}

function parse(text: string): unknown {
  const bare = text.trim().replace(/^<!--|-->$|^\/\*<!\[CDATA\[\*\/|\/\*\]\]>\*\/$/g, '');
  try {
    return JSON.parse(bare);
  } catch {
    try {
      // Raw line breaks inside strings are the usual mistake.
      return JSON.parse(bare.replace(/[\r\n\t]+/g, ' '));
    } catch {
      return null;
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

/**
 * Every object that is a Product or a ProductGroup, also inside lists, graphs and pages about one
 * thing.
 */
function nodesIn(value: unknown, depth: number): Node[] {
  if (depth > 6) return [];
  if (Array.isArray(value)) return value.flatMap((each) => nodesIn(each, depth + 1));
  if (!isNode(value)) return [];
  if (hasType(value, 'Product') || hasType(value, 'ProductGroup')) return [value];
  return ['@graph', 'mainEntity', 'itemListElement', 'item'].flatMap((name) =>
    nodesIn(value[name], depth + 1),
  );
}

function hasType(node: Node, type: string): boolean {
  return listOf(node['@type']).some(
    (each) => typeof each === 'string' && (each === type || each.endsWith(`/${type}`)),
  );
}

function productsOf(node: Node, pageUrl: string): PageProduct[] {
  const variants = listOf(node['hasVariant']).filter(isNode);
  if (!hasType(node, 'ProductGroup') || variants.length === 0)
    return oneProduct(node, null, pageUrl);
  return variants.flatMap((variant) => oneProduct(variant, node, pageUrl));
}

function oneProduct(node: Node, group: Node | null, pageUrl: string): PageProduct[] {
  const fact = (name: string): string | null => textOf(node[name]) ?? textOf(group?.[name]);
  const name = fact('name');
  if (name === null) return [];
  const offer = bestOffer(node['offers'] ?? group?.['offers']);
  const image = imageOf(node['image'] ?? group?.['image']);
  return [
    {
      id: fact('sku') ?? fact('productID') ?? fact('gtin13') ?? fact('gtin') ?? fact('mpn'),
      groupId: textOf(group?.['productGroupID']),
      name,
      brand: fact('brand'),
      description: plainText(fact('description') ?? ''),
      category: fact('category'),
      color: fact('color'),
      size: fact('size'),
      attributes: attributesOf(node, group),
      imageUrl: image === null ? null : absolute(image, pageUrl),
      pageUrl: absolute(offer?.url ?? textOf(node['url']) ?? pageUrl, pageUrl) ?? pageUrl,
      priceMicros: offer?.priceMicros ?? null,
      currency: offer?.currency ?? null,
      inStock: offer?.inStock ?? null,
    },
  ];
}

const numbers = ['sku', 'mpn', 'gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14', 'isbn', 'model'];

function attributesOf(node: Node, group: Node | null): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of [...numbers, 'material', 'pattern']) {
    const value = textOf(node[name]) ?? textOf(group?.[name]);
    if (value !== null) found[name] = value.slice(0, 300);
  }
  const properties = [node, group ?? {}].flatMap((each) => listOf(each['additionalProperty']));
  for (const property of properties.filter(isNode).slice(0, 40)) {
    const [name, value] = [textOf(property['name']), textOf(property['value'])];
    if (name !== null && value !== null) found[name.slice(0, 60)] ??= value.slice(0, 300);
  }
  return found;
}

interface PageOffer {
  priceMicros: number | null;
  currency: string | null;
  inStock: boolean | null;
  url: string | null;
}

/**
 * The cheapest that is in stock, else the cheapest; an offer without amount and currency states no
 * price.
 */
function bestOffer(value: unknown): PageOffer | null {
  const offers = listOf(value)
    .filter(isNode)
    .flatMap((node) => {
      const nested = hasType(node, 'AggregateOffer') ? listOf(node['offers']).filter(isNode) : [];
      return (nested.length > 0 ? nested : [node]).map(readOffer);
    });
  return (
    offers.sort(
      (a, b) =>
        Number(b.inStock !== false) - Number(a.inStock !== false) ||
        (a.priceMicros ?? Infinity) - (b.priceMicros ?? Infinity),
    )[0] ?? null
  );
}

function readOffer(node: Node): PageOffer {
  const [detail] = listOf(node['priceSpecification']).filter(isNode);
  const amount = textOf(node['price']) ?? textOf(node['lowPrice']) ?? textOf(detail?.['price']);
  const currency =
    (textOf(node['priceCurrency']) ?? textOf(detail?.['priceCurrency']))?.toUpperCase() ?? null;
  const micros = amount === null ? null : microsOfAmount(amount);
  const isStated =
    micros !== null && micros > 0 && currency !== null && /^[A-Z]{3}$/.test(currency);
  return {
    priceMicros: isStated ? micros : null,
    currency: isStated ? currency : null,
    inStock: stockOf(textOf(node['availability'])),
    url: textOf(node['url']),
  };
}

function stockOf(text: string | null): boolean | null {
  if (text === null) return null;
  const word = (text.split(/[/#]/).at(-1) ?? '').replace(/[\s_-]/g, '').toLowerCase();
  return word === 'instock' || word === 'limitedavailability' || word === 'onlineonly';
}

function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (Array.isArray(value)) return textOf(value[0]);
  return isNode(value)
    ? textOf(value['name'] ?? value['@value'] ?? value['value'] ?? value['@id'])
    : null;
}

function imageOf(value: unknown): string | null {
  const [first] = listOf(value);
  return isNode(first)
    ? textOf(first['contentUrl'] ?? first['url'] ?? first['@id'])
    : textOf(first);
}

function absolute(address: string, pageUrl: string): string | null {
  return URL.canParse(address, pageUrl) ? new URL(address, pageUrl).href : null;
}

/** Markup and entities out of a description. */
export function plainText(html: string): string {
  const bare = withoutScripts(html).replace(/<[^<>]+>/g, ' ');
  return bare
    .replace(/&(?:nbsp|#160|#xa0);/gi, ' ')
    .replace(/&lt;/gi, '<')
    .replace(/&gt;/gi, '>')
    .replace(/&quot;|&#34;/gi, '"')
    .replace(/&#39;|&apos;|&rsquo;/gi, '’')
    .replace(/&amp;/gi, '&')
    .replace(/\s+/g, ' ')
    .trim();
}
