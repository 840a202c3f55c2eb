import {
  agentProfileUrl,
  offersCatalog,
  readMerchantProfile,
} from '../../../domain/commerce/ucp-profile.js';
import { trimEndSigns } from '../../../domain/text/trim-signs.js';
import { type Outbound, OutboundError } from '../../../platform/outbound/guarded-fetch.js';
import { callStorefrontTool, type StorefrontTools, ToolRefusal } from './call-storefront-tool.js';
import { BrokenFeed, type FeedRow, textIn } from '../feeds/feed-row.js';
import { priceOf, readCatalogProduct } from './read-catalog-product.js';
import { isRecord } from '../../../domain/is-record.js';

export interface CatalogAsker {
  outbound: Outbound;
  /** Where this service is found; merchants read the agent's profile there. */
  indexUrl: () => string;
}

const pageSize = 100;
const mostPages = 5000;

/** Ways to ask for everything, the proper one first: shops differ in which they take. */
const everything: readonly Record<string, unknown>[] = [
  { filters: { price: { min: 0 } } },
  { query: '' },
  { query: '*' },
];

/**
 * A storefront's whole catalog through the tools its profile names. When the shop counts more
 * products than it gave, the reading was not complete.
 */
export async function* readCatalogTools(
  asker: CatalogAsker,
  storeUrl: string,
): AsyncGenerator<FeedRow> {
  const tools = await findCatalogTools(asker, storeUrl);
  if (tools === null) throw new BrokenFeed('the storefront offers no catalog tools');
  const { asked, first } = await openCatalog(tools);
  const origin = new URL(tools.endpoint).origin;
  const seen = new Set<string>();
  let row = 0;
  let page = first;
  for (let count = 1; ; count += 1) {
    let fresh = 0;
    for (const product of productsIn(page)) {
      const id = isRecord(product) ? textIn(product, 'id') : '';
      if (id !== '' && seen.has(id)) continue;
      if (id !== '') seen.add(id);
      fresh += 1;
      yield readCatalogProduct(product, ++row, origin);
    }
    const { cursor, hasNext, total } = pagingOf(page);
    if (hasNext === false || (cursor === '' && hasNext === undefined)) {
      if (total !== null && row < total)
        throw new BrokenFeed(`the storefront counts ${total} products and gave ${row}`);
      return;
    }
    if (cursor === '' || fresh === 0 || count >= mostPages)
      throw new BrokenFeed('the storefront does not say how to go on');
    page = await callStorefrontTool(tools, 'search_catalog', {
      catalog: { ...asked, pagination: { limit: pageSize, cursor } },
    });
  }
}

/** What the shop sells in, as its own tools state it; null when they say nothing. */
export async function readToolCurrency(
  asker: CatalogAsker,
  storeUrl: string,
): Promise<string | null> {
  try {
    const tools = await findCatalogTools(asker, storeUrl);
    if (tools === null) return null;
    const [product] = productsIn((await openCatalog(tools)).first);
    const [variant] =
      isRecord(product) && Array.isArray(product['variants']) ? product['variants'] : [];
    return isRecord(variant) ? (priceOf(variant['price'])?.currency ?? null) : null;
  } catch (error) {
    // Only a hint: the caller has other places to ask.
    if (error instanceof BrokenFeed || error instanceof OutboundError) return null;
    throw error;
  }
}

/** The endpoint the store's well-known profile names, never a guessed one. */
async function findCatalogTools(
  { outbound, indexUrl }: CatalogAsker,
  storeUrl: string,
): Promise<StorefrontTools | null> {
  const base = trimEndSigns(storeUrl.replace(/\/\.well-known\/ucp$/, ''), /\//);
  const answer = await outbound(`${base}/.well-known/ucp`, {
    maxRedirects: 0,
    maxBytes: 256 * 1024,
    headers: { accept: 'application/json' },
  });
  if (answer.status !== 200) return null;
  let profile: unknown;
  try {
    profile = JSON.parse(answer.body.toString('utf8'));
  } catch (cause) {
    throw new BrokenFeed('the storefront’s profile is not JSON', { cause });
  }
  const found = readMerchantProfile(profile);
  return found === null || !offersCatalog(profile)
    ? null
    : {
        outbound,
        endpoint: found.endpoint,
        agentProfile: agentProfileUrl(found.version, indexUrl()),
      };
}

async function openCatalog(
  tools: StorefrontTools,
): Promise<{ asked: Record<string, unknown>; first: Record<string, unknown> }> {
  let refusal: ToolRefusal | null = null;
  let empty: { asked: Record<string, unknown>; first: Record<string, unknown> } | null = null;
  for (const asked of everything) {
    try {
      const first = await callStorefrontTool(tools, 'search_catalog', {
        catalog: { ...asked, pagination: { limit: pageSize } },
      });
      if (productsIn(first).length > 0) return { asked, first };
      empty ??= { asked, first };
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error;
      refusal = error;
    }
  }
  if (empty !== null) return empty;
  throw refusal ?? new BrokenFeed('the storefront does not list its products');
}

function productsIn(page: Record<string, unknown>): unknown[] {
  if (!Array.isArray(page['products']))
    throw new BrokenFeed('the storefront does not list its products');
  return page['products'];
}

function pagingOf(page: Record<string, unknown>): {
  cursor: string;
  hasNext: boolean | undefined;
  total: number | null;
} {
  const paging = isRecord(page['pagination']) ? page['pagination'] : {};
  const { has_next_page: hasNext, total_count: total } = paging;
  return {
    cursor: textIn(paging, 'cursor', 'next_cursor'),
    hasNext: typeof hasNext === 'boolean' ? hasNext : undefined,
    total: typeof total === 'number' ? total : null,
  };
}
