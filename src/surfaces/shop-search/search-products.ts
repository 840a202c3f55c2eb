import { type DisclosureTable, languageOf, wordsOf } from '../../domain/disclosure/disclosure.js';
import type { Permissions } from '../../domain/privacy/decision-table.js';
import type { PrivacyDecision } from '../../domain/privacy/weigh-signals.js';
import type { Facets } from '../../domain/search/facets.js';
import { passesFilters } from '../../domain/search/product-filters.js';
import type { ProductHit, ProductsFound } from '../../domain/search/product-search.js';
import { toDollars } from '../../domain/money.js';
import { storableJson, storableText } from '../../domain/text/storable-json.js';
import type { PublisherAccount } from '../../platform/auth/queries.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { EventLog } from '../../platform/events/event-log.js';
import type { MintId } from '../../platform/ids.js';
import type { Llm } from '../../platform/llm/llm.js';
import type { Log } from '../../platform/log.js';
import {
  judgeSearch,
  linkSignals,
  type SearchPrivacy,
  storedObject,
  storedSearcher,
  storedWords,
} from '../../platform/privacy/searcher.js';
import type { PublicUrls } from '../../platform/public-urls.js';
import { composeReasoning } from './answers/compose-reasoning.js';
import type { LiveCatalog } from './index/follow-catalog.js';
import { documentOf, offerOf } from './index/listing-document.js';
import type { MerchantRow, ProductRow, SearchRow } from './queries.js';
import { readIdentity, readQuery, type ReadQuery } from './read-query.js';
import { rerankProducts } from './answers/rerank-products.js';
import type { ShopAnswer, ShopQuery, WebResult } from './schema.js';
import { absoluteUrl, showProduct } from './answers/show-product.js';

export const apiVersion = '2026-09-09';

export interface ShopSearchDeps extends SearchPrivacy {
  db: Db;
  clock: Clock;
  mintId: MintId;
  log: Log;
  llm: Llm | null;
  urls: Pick<PublicUrls, 'index' | 'store'>;
  catalog: LiveCatalog;
  disclosure: DisclosureTable;
  eventLog: Pick<EventLog, 'appendEntry'>;
  links: {
    rows(
      links: readonly {
        id: string;
        searchId: string;
        publisherId: string;
        kind: 'product';
        targetUrl: string;
        ref: string;
        campaignId: string | null;
        priceMicros: number | null;
        at: number;
      }[],
    ): Record<string, readonly unknown[]>;
    urlOf(linkId: string): string;
  };
  /** Pages of the open web, asked only when the catalog has nothing; never rejects. */
  findWebResults: (query: string) => Promise<WebResult[]>;
}

interface Listing {
  hit: ProductHit;
  row: ProductRow;
  merchant: MerchantRow;
}

/** How many listings the language model looks at. */
const judged = 30;
/** Asked for beyond the listings shown: one may have been sold or changed a moment ago. */
const spare = 3;

/** The shop search behind both doors, HTTP and MCP. */
export async function searchProducts(
  deps: ShopSearchDeps,
  publisher: PublisherAccount,
  body: ShopQuery,
  /** What is allowed, where more was said than the body says. */
  told?: PrivacyDecision,
): Promise<ShopAnswer> {
  const asked = readQuery(body);
  const privacy =
    told ?? (await judgeSearch(deps, publisher.id, body, readIdentity(body).emailHash));
  await deps.catalog.settled();
  const isWhole = deps.catalog.isWhole();
  const now = deps.clock();
  const withLlm = body.rerank && deps.llm !== null;
  const result = await lookFor(deps, asked, body, withLlm);
  const found = await loadListings(deps, result, now);
  const { listings, ranking } = await rank(deps, publisher, asked, found, withLlm, now);
  const shown = listings.slice(0, body.max_results);
  const webResults =
    shown.length === 0 && asked.query !== '' ? await deps.findWebResults(asked.query) : [];
  const searchId = deps.mintId(now);
  const linked = shown.map((listing) => ({ ...listing, linkId: deps.mintId(now) }));
  await store(deps, publisher, {
    searchId,
    asked,
    body,
    linked,
    webCount: webResults.length,
    ranking,
    now,
    allowed: privacy.permissions,
  });
  const products = showAll(deps, body, linked, privacy, { now, sizes: result.applied.sizes ?? [] });
  const [first] = products;
  const [top] = shown;
  const best = first === undefined || top === undefined ? null : { product: first, hit: top.hit };
  return {
    api_version: apiVersion,
    vertical: 'consumer',
    search_id: searchId,
    query: asked.query,
    recommendation: first ?? null,
    reasoning: composeReasoning({
      query: asked.query,
      result,
      best,
      currencies: products.map(({ currency }) => currency),
      webCount: webResults.length,
      isJudged: body.rerank,
      unfinished: isWhole ? null : deps.catalog.progress(),
    }),
    products,
    count: products.length,
    web_results: webResults,
    ranking,
    facets: facetsOf(await result.facets),
  };
}

function lookFor(
  { catalog }: ShopSearchDeps,
  { query, filters, style }: ReadQuery,
  body: ShopQuery,
  withLlm: boolean,
): ReturnType<LiveCatalog['search']> {
  return catalog.search({
    query: query.trim(),
    filters: { ...filters, rates: catalog.rates() },
    ...(style === null ? {} : { style }),
    limit: Math.max(withLlm ? judged : 0, body.max_results + spare),
    fit: body.rerank,
  });
}

function showAll(
  deps: ShopSearchDeps,
  body: ShopQuery,
  linked: readonly (Listing & { linkId: string })[],
  privacy: PrivacyDecision,
  { now, sizes }: { now: number; sizes: readonly string[] },
): ShopAnswer['products'] {
  const { index: indexUrl, store: storeUrl } = deps.urls;
  const words = wordsOf(deps.disclosure, languageOf(deps.disclosure, [body.locale]));
  return linked.map(({ row, merchant, linkId }) =>
    showProduct({
      row,
      merchant,
      linkId,
      clickUrl: deps.links.urlOf(linkId) + linkSignals(privacy),
      indexUrl,
      storeUrl,
      now,
      sizes,
      words,
    }),
  );
}

/**
 * The rows behind the hits, checked once more: a price or stock may have changed since the index
 * heard of it.
 */
async function loadListings(
  { catalog }: ShopSearchDeps,
  { hits, applied }: ProductsFound,
  now: number,
): Promise<Listing[]> {
  if (hits.length === 0) return [];
  const rows = await catalog.rows(hits.map((hit) => hit.id));
  return hits.flatMap((hit) => {
    const row = rows.get(hit.id);
    const merchant = row === undefined ? undefined : catalog.merchant(row.merchantId);
    return row === undefined ||
      merchant === undefined ||
      !passesFilters(documentOf(row, merchant.name, now), applied)
      ? []
      : [{ hit, row, merchant }];
  });
}

async function rank(
  deps: ShopSearchDeps,
  publisher: PublisherAccount,
  asked: ReadQuery,
  listings: Listing[],
  withLlm: boolean,
  now: number,
): Promise<{ listings: Listing[]; ranking: 'llm' | 'retrieval' }> {
  if (!withLlm || deps.llm === null || listings.length === 0)
    return { listings, ranking: 'retrieval' };
  const offered = listings.map(({ row, merchant }) => {
    const { priceMicros } = offerOf(row, now);
    return {
      ...row,
      merchant: merchant.name,
      priceMicros,
      payoutMicros: Math.round(
        (deps.catalog.commissionMicros(row, priceMicros) * publisher.revenueShareBps) / 10_000,
      ),
    };
  });
  const order = await rerankProducts(
    { llm: deps.llm, log: deps.log },
    asked.query,
    asked.style,
    offered,
  );
  if (order === null) return { listings, ranking: 'retrieval' };
  const byId = new Map(listings.map((listing) => [listing.row.id, listing]));
  return { listings: order.flatMap((id) => byId.get(id) ?? []), ranking: 'llm' };
}

interface Stored {
  searchId: string;
  asked: ReadQuery;
  body: ShopQuery;
  linked: readonly (Listing & { linkId: string })[];
  webCount: number;
  ranking: 'llm' | 'retrieval';
  now: number;
  allowed: Permissions;
}

async function store(
  deps: ShopSearchDeps,
  publisher: PublisherAccount,
  { searchId, asked, body, linked, webCount, ranking, now, allowed }: Stored,
): Promise<void> {
  const { messages: _, ...context } = body.context ?? {};
  const identity = storedSearcher(deps, publisher.id, readIdentity(body), allowed);
  const search: SearchRow = {
    id: searchId,
    publisherId: publisher.id,
    at: now,
    query: storableText(storedWords(asked.query, allowed), 1000),
    isInferred: asked.isInferred,
    filters: storableJson(asked.filters),
    context: storableJson(storedObject(context, allowed) ?? {}),
    productIds: linked.map(({ row }) => row.id),
    webCount,
    ranking,
    ...identity,
    metadata:
      body.metadata === undefined ? null : storableJson(storedObject(body.metadata, allowed)),
  };
  const links = deps.links.rows(
    linked.map(({ row, merchant, linkId }) => ({
      id: linkId,
      searchId,
      publisherId: publisher.id,
      kind: 'product',
      targetUrl: absoluteUrl(row.pageUrl, deps.urls.store),
      ref: row.id,
      campaignId: merchant.campaignId,
      priceMicros: merchant.salePriceMicros,
      at: now,
    })),
  );
  await deps.eventLog.appendEntry({ events: [], rows: { shop_searches: [search], ...links } });
}

function facetsOf(facets: Facets): ShopAnswer['facets'] {
  const { brands, merchants, categories, priceRangeMicros: range } = facets;
  return {
    brands,
    merchants,
    categories,
    price_range: range === null ? null : { min: toDollars(range.min), max: toDollars(range.max) },
  };
}
