import { minorOfMicros } from '../../domain/commerce/price-text.js';
import { checkAgent, ProtocolRefusal, type StoreDeps } from './checkout-tools.js';
import { offerOf } from './product-page.js';
import { findItem, findStoreProduct, searchStore, type ShopProduct } from './queries.js';
import { catalogSchemas } from './tool-schemas.js';
import { isRecord } from '../../domain/is-record.js';

export const catalogTools = [
  {
    name: 'search_catalog',
    description: 'Find products of this shop by words, or leaf through all of them',
  },
  {
    name: 'lookup_catalog',
    description: 'Read products by their ids or the ids of their variants',
  },
  { name: 'get_product', description: 'Read one product' },
].map((tool) => ({ ...tool, inputSchema: catalogSchemas[tool.name] }));

const usualPage = 10;
const largestPage = 100;
const mostIds = 50;
const mostMicros = 9e15;

export async function callCatalogTool(
  deps: StoreDeps,
  name: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  checkAgent(args['meta']);
  const catalog = isRecord(args['catalog']) ? args['catalog'] : {};
  switch (name) {
    case 'search_catalog':
      return search(deps, catalog);
    case 'lookup_catalog':
      return lookup(deps, catalog);
    case 'get_product': {
      const [found] = typeof catalog['id'] === 'string' ? await find(deps, [catalog['id']]) : [];
      return found === undefined
        ? { ...envelope(deps, 'lookup'), messages: [notFound(catalog['id'])] }
        : { ...envelope(deps, 'lookup'), product: show(found.product, deps, []) };
    }
    default:
      throw new ProtocolRefusal(-32602, 'unknown_tool', 'there is no such tool');
  }
}

async function search(
  deps: StoreDeps,
  catalog: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const query = typeof catalog['query'] === 'string' ? catalog['query'].trim() : '';
  const filters = isRecord(catalog['filters']) ? catalog['filters'] : null;
  if (query === '' && (filters === null || Object.keys(filters).length === 0))
    throw new ProtocolRefusal(-32602, 'invalid', 'catalog.query or catalog.filters is needed');
  const price = isRecord(filters?.['price']) ? filters['price'] : {};
  const bound = (value: unknown): number | null =>
    typeof value === 'number' && Number.isFinite(value)
      ? Math.max(-mostMicros, Math.min(mostMicros, Math.round(value * 10_000)))
      : null;
  const paging = isRecord(catalog['pagination']) ? catalog['pagination'] : {};
  const asked = typeof paging['limit'] === 'number' ? Math.floor(paging['limit']) : usualPage;
  const limit = Math.min(largestPage, Math.max(1, Number.isFinite(asked) ? asked : usualPage));
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 20);
  const { products, total } = await searchStore(deps.db, {
    words,
    minMicros: bound(price['min']),
    maxMicros: bound(price['max']),
    after: cursorId(paging['cursor']),
    limit: limit + 1,
  });
  const page = products.slice(0, limit);
  const last = page.at(-1);
  const hasNext = products.length > limit;
  return {
    ...envelope(deps, 'search'),
    products: page.map((product) => show(product, deps, [])),
    pagination: {
      has_next_page: hasNext,
      total_count: total,
      ...(hasNext && last !== undefined
        ? { cursor: Buffer.from(last.id).toString('base64url') }
        : {}),
    },
  };
}

/** Cursors are the last id seen, in a form nobody takes for one. */
function cursorId(cursor: unknown): string {
  if (cursor === undefined || cursor === null) return '';
  const id = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString('utf8') : '';
  if (!/^[\w-]+$/.test(id))
    throw new ProtocolRefusal(
      -32602,
      'invalid',
      'catalog.pagination.cursor was not given out here',
    );
  return id;
}

async function lookup(
  deps: StoreDeps,
  catalog: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const ids = [
    ...new Set(
      Array.isArray(catalog['ids'])
        ? catalog['ids'].filter((id): id is string => typeof id === 'string')
        : [],
    ),
  ];
  if (ids.length === 0 || ids.length > mostIds)
    throw new ProtocolRefusal(-32602, 'invalid', `catalog.ids holds 1 to ${mostIds} ids`);
  const found = await find(deps, ids);
  const missing = ids.filter((id) => !found.some((each) => each.asked.includes(id)));
  return {
    ...envelope(deps, 'lookup'),
    products: found.map(({ product, asked }) => show(product, deps, asked)),
    messages: missing.map(notFound),
  };
}

/** Each product once, with the ids that led to it. */
async function find(
  { db }: StoreDeps,
  ids: readonly string[],
): Promise<{ product: ShopProduct; asked: string[] }[]> {
  const found = new Map<string, { product: ShopProduct; asked: string[] }>();
  for (const id of ids) {
    const product = (await findStoreProduct(db, id)) ?? (await findItem(db, id));
    if (product === null) continue;
    const known = found.get(product.id) ?? { product, asked: [] };
    known.asked.push(id);
    found.set(product.id, known);
  }
  return [...found.values()];
}

function notFound(id: unknown): Record<string, unknown> {
  return { type: 'info', code: 'not_found', content: String(id) };
}

function envelope({ version }: StoreDeps, operation: 'search' | 'lookup'): Record<string, unknown> {
  return {
    ucp: {
      version,
      status: 'success',
      capabilities: { [`dev.ucp.shopping.catalog.${operation}`]: [{ version }] },
    },
  };
}

/**
 * A product as catalog tools show it: amounts in minor units, one entry for each thing that can
 * be bought.
 */
function show(
  product: ShopProduct,
  { clock, origin }: StoreDeps,
  asked: readonly string[],
): Record<string, unknown> {
  const offer = offerOf(product, clock());
  const { currency } = product;
  const money = (micros: number): Record<string, unknown> => ({
    amount: minorOfMicros(micros, currency),
    currency,
  });
  const price = money(offer.priceMicros);
  const sizes = product.variants.length > 0;
  const variants = thingsToBuy(product);
  const ids = variants.map(({ id }) => id);
  return {
    id: product.externalId,
    handle: product.externalId,
    title: product.title,
    ...(product.brand === null ? {} : { brand: product.brand }),
    description: { plain: product.description },
    url: `${origin()}${product.pageUrl}`,
    categories:
      product.category === null ? [] : [{ value: product.category, taxonomy: 'merchant' }],
    price_range: { min: price, max: price },
    media: [{ type: 'image', url: `${origin()}${product.imageUrl}`, alt_text: product.title }],
    ...(sizes
      ? {
          options: [
            { name: 'Size', values: variants.map((variant) => ({ label: variant.title })) },
          ],
        }
      : {}),
    variants: variants
      .filter(({ id }) => isLedTo(id, ids, asked))
      .map((variant) => ({
        id: variant.id,
        title: variant.title,
        description: { plain: product.description },
        price,
        ...(offer.onSale && offer.regularPriceMicros !== null
          ? { list_price: money(offer.regularPriceMicros) }
          : {}),
        availability: {
          available: variant.available,
          status: variant.available ? 'in_stock' : 'out_of_stock',
        },
        options: [
          ...(sizes ? [{ name: 'Size', label: variant.title }] : []),
          ...(product.color === null ? [] : [{ name: 'Color', label: product.color }]),
        ],
        ...(asked.length === 0 ? {} : { inputs: inputsOf(variant.id, ids, asked) }),
      })),
  };
}

/** Its sizes, or where it has none itself. */
function thingsToBuy(product: ShopProduct): { id: string; title: string; available: boolean }[] {
  return product.variants.length > 0
    ? product.variants
    : [
        {
          id: product.checkoutItemId ?? product.externalId,
          title: product.title,
          available: product.inStock,
        },
      ];
}

/** The ids that led to a variant; that of a product leads to its first. */
function inputsOf(
  variant: string,
  variants: readonly string[],
  asked: readonly string[],
): { id: string; match: string }[] {
  return asked
    .filter((id) => id === variant || (variant === variants[0] && !variants.includes(id)))
    .map((id) => ({ id, match: id === variant ? 'exact' : 'featured' }));
}

/**
 * Whoever looks up ids is told of each variant which of them led to it, so that others are left
 * out: an empty list is not valid.
 */
function isLedTo(variant: string, variants: readonly string[], asked: readonly string[]): boolean {
  return asked.length === 0 || inputsOf(variant, variants, asked).length > 0;
}
