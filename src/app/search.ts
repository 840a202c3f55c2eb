import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.js';
import { createOutbound, type Outbound } from '../platform/outbound/guarded-fetch.js';
import { createOutboundStream } from '../platform/outbound/guarded-stream.js';
import type { Services } from '../services.js';
import { catalogImportJobs } from '../surfaces/catalog-import/jobs.js';
import { catalogImportRoutes } from '../surfaces/catalog-import/routes.js';
import type { RecordConversions } from '../surfaces/conversions/record-conversions.js';
import { createOrderReport } from '../surfaces/demo-storefront/report-order.js';
import { demoStorefrontJobs, demoStorefrontRoutes } from '../surfaces/demo-storefront/routes.js';
import { followLinks } from '../surfaces/index-links/follow-links.js';
import { createIndexLinks, type IndexLinks } from '../surfaces/index-links/index-links.js';
import { indexLinkJobs, indexLinkRoutes } from '../surfaces/index-links/routes.js';
import { createWebFinder } from '../surfaces/shop-search/web/find-web-results.js';
import type { LiveCatalog } from '../surfaces/shop-search/index/follow-catalog.js';
import { shopSearchJobs, shopSearchRoutes } from '../surfaces/shop-search/routes.js';
import type { ShopSearchDeps } from '../surfaces/shop-search/search-products.js';
import { createWebSearch, type WebSearch } from '../surfaces/shop-search/web/web-search.js';
import type { OpenedTools } from '../surfaces/tool-search/open-tools.js';
import { toolSearchRoutes } from '../surfaces/tool-search/routes.js';
import { startToolSearch, type ToolSearchSurface } from '../surfaces/tool-search/tool-search.js';
import type { AccountFacts } from './account-facts.js';

/** Words people searched by are kept no longer than anything else. */
function wordDays({ QUERY_DAYS, RETENTION_DAYS }: Config): number {
  return Math.min(QUERY_DAYS, RETENTION_DAYS);
}

/** The tracked links both searches hand out. */
export function addIndexLinks(
  http: FastifyInstance,
  {
    config,
    db,
    clock,
    log,
    jobs,
    urls,
    clientAddress,
    describeAgent,
    countryOf,
    eventLog,
    sharedCounts,
    consent,
  }: Services,
  { isPublisherBlocked, isAdvertiserBlocked }: AccountFacts,
) {
  const links = createIndexLinks(urls);
  indexLinkRoutes(http, {
    db,
    clock,
    clientAddress,
    describeAgent,
    countryOf,
    eventLog,
    sharedCounts,
    consent,
    links,
    isPublisherBlocked,
    isAdvertiserBlocked,
  });
  indexLinkJobs({ db, clock, jobs, retentionDays: config.RETENTION_DAYS });
  return { links, otherLinks: followLinks({ db, clock, log, links }) };
}

/** `POST /search`: developer tools. */
export async function addToolSearch(
  http: FastifyInstance,
  {
    config,
    db,
    clock,
    mintId,
    log,
    jobs,
    guards,
    eventLog,
    embedder,
    toolReader,
    llm,
    disclosure,
    directory,
    consent,
    pseudonyms,
    choices,
  }: Services,
  { links, opened }: { links: IndexLinks; opened: OpenedTools },
): Promise<ToolSearchSurface> {
  const toolSearch = await startToolSearch({
    db,
    clock,
    mintId,
    log,
    jobs,
    eventLog,
    embedder,
    toolReader,
    llm,
    disclosure,
    directory,
    consent,
    pseudonyms,
    choices,
    links,
    opened,
    retentionDays: wordDays(config),
  });
  toolSearchRoutes(http, toolSearch, {
    guards,
    db,
    clock,
    mintId,
    consent,
    pseudonyms,
    choices,
  });
  return toolSearch;
}

/** `POST /shop/search`: products. */
export function addShopSearch(
  http: FastifyInstance,
  {
    config,
    db,
    clock,
    mintId,
    log,
    jobs,
    guards,
    llm,
    urls,
    disclosure,
    eventLog,
    consent,
    pseudonyms,
    choices,
    outbound,
  }: Services,
  {
    links,
    catalog,
    replacedOutbound,
  }: { links: IndexLinks; catalog: LiveCatalog; replacedOutbound: Outbound | undefined },
): ShopSearchDeps {
  const shopping = {
    db,
    clock,
    mintId,
    log,
    llm,
    urls,
    disclosure,
    eventLog,
    consent,
    pseudonyms,
    choices,
    catalog,
    links,
    findWebResults: createWebFinder({
      outbound,
      log,
      search: webSearchFor(config, replacedOutbound),
    }),
  };
  shopSearchRoutes(http, { ...shopping, guards });
  shopSearchJobs({ db, clock, jobs, retentionDays: wordDays(config) });
  return shopping;
}

/** The operator names the provider, so it may be private. */
function webSearchFor(
  { WEB_SEARCH_PROVIDER: provider, WEB_SEARCH_URL: url, WEB_SEARCH_API_KEY: apiKey }: Config,
  replaced: Outbound | undefined,
): WebSearch | null {
  return createWebSearch(
    { provider, url, apiKey },
    replaced ?? createOutbound({ allow: url === '' ? [] : [new URL(url).host] }),
  );
}

/** Where products come from: merchants' feeds, and the shop this server has for trying it out. */
export function addProducts(
  http: FastifyInstance,
  { config, db, clock, log, mintId, guards, jobs, outbound, urls }: Services,
  recordConversions: RecordConversions,
): void {
  catalogImportRoutes(http, { db, clock, mintId, guards });
  catalogImportJobs({
    db,
    clock,
    log,
    mintId,
    jobs,
    outbound,
    outboundStream: createOutboundStream({ allow: config.OUTBOUND_ALLOW }),
    indexUrl: () => urls.index,
    ownOrigin: () => urls.index,
    fetchOwn: (path) =>
      http.inject(path).then((answer) => ({ status: answer.statusCode, body: answer.body })),
  });
  demoStorefrontRoutes(http, {
    db,
    clock,
    mintId,
    origin: () => urls.store,
    reportOrder: createOrderReport({ db, clock, log, recordConversions }),
  });
  demoStorefrontJobs({ db, clock, jobs });
}
