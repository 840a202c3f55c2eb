import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { createAccountFacts } from './app/account-facts.js';
import { addAccounts, addAccountServices } from './app/accounts.js';
import { addReactions, addServing, addTracking, openServing } from './app/ads.js';
import { addBilling, addCampaigns } from './app/campaigns.js';
import { openHttp, type ServerFor } from './app/open-http.js';
import { addHealth, addOperating } from './app/operating.js';
import { addPages } from './app/pages.js';
import { addConversions, addShops } from './app/purchases.js';
import { addMcp, addReports } from './app/reports.js';
import { addIndexLinks, addProducts, addShopSearch, addToolSearch } from './app/search.js';
import { afterJournal } from './platform/events/after-journal.js';
import type { Front } from './platform/http/create-http-app.js';
import { journalRecorders } from './recorders.js';
import { createServices, type ServiceOptions, type Services } from './services.js';
import type { Readiness } from './surfaces/health/readiness.js';
import { collectRouteSchemas } from './surfaces/mcp/route-schemas.js';
import type { Serving } from './surfaces/serving/serving.js';
import { followCatalog, type LiveCatalog } from './surfaces/shop-search/index/follow-catalog.js';
import { openTools, type OpenedTools } from './surfaces/tool-search/open-tools.js';
import type { ToolSearchSurface } from './surfaces/tool-search/tool-search.js';

export interface AppOptions extends Omit<ServiceOptions, 'recorders'> {
  /** What `prepareApp` began while the store was opening. */
  prepared?: Prepared;
  serverFor?: ServerFor;
}

export interface App {
  http: FastifyInstance;
  services: Services;
  serving: Serving;
  toolSearch: ToolSearchSurface;
  catalog: LiveCatalog;
  /** What `/ready` tells. */
  readiness(): Promise<Readiness>;
  /** Learns of the links other nodes minted. */
  followLinks(): Promise<void>;
  /** Begins timed work; tests run it by hand instead. */
  start(): void;
  close(): Promise<void>;
}

/** What is slow to make and needs no store. */
export interface Prepared {
  openingTools: Promise<OpenedTools>;
}

export function prepareApp(): Prepared {
  const openingTools = openTools();
  // Whoever builds the app will hear of it.
  openingTools.catch(() => undefined);
  return { openingTools };
}

/** Read this first: every area of the app; each file in `app/` says what its surfaces are given. */
export async function buildApp(options: AppOptions): Promise<App> {
  const services = await createServices({
    ...options,
    recorders: journalRecorders({ onConversion: (adId) => serving.onConversion(adId) }),
  });
  const { config, db, clock, log, eventLog } = services;
  let front: Front = () => false;
  const http = await openHttp(services, options.serverFor, (request, response) =>
    front(request, response),
  );
  const schemasOf = collectRouteSchemas(http);
  // For people, who must see what was acknowledged a moment ago.
  const settledDb = afterJournal(db, eventLog);
  const facts = createAccountFacts(services);
  const serving = await openServing(services);
  const { unlearn, onFeedback, categories, matcher } = serving;
  const catalog = await followCatalog({
    db,
    clock,
    log,
    importWaitMs: config.IMPORT_WAIT_MS,
    kept: { path: join(options.nodeDir, 'product-index') },
    rowBytes: config.LISTINGS_MB * 2 ** 20,
  });

  const readiness = addHealth(http, services, { matcher, catalog });
  addAccounts(http, services);
  const { explain, frontFor } = addServing(http, services, serving);
  const beacons = addTracking(http, services, serving, facts);
  addReactions(http, services, { settledDb, onFeedback });
  const recordConversions = addConversions(http, services, facts);
  await addShops(http, services, { settledDb, recordConversions, unlearn });
  const { noteRequest } = addAccountServices(http, services, { settledDb });
  const ads = frontFor(noteRequest);
  front = (request, response) => beacons(request, response) || ads(request, response);
  addOperating(http, services, { settledDb, unlearn });
  const { forecasts } = addCampaigns(http, services, facts, serving);
  await addBilling(http, services);
  addReports(http, services, { settledDb, categories });
  addMcp(http, services, schemasOf);
  const { links, otherLinks } = addIndexLinks(http, services, facts);
  const { openingTools } = options.prepared ?? prepareApp();
  const opened = await openingTools;
  const toolSearch = await addToolSearch(http, services, { links, opened });
  const replacedOutbound = options.outbound;
  const shopping = addShopSearch(http, services, { links, catalog, replacedOutbound });
  addProducts(http, services, recordConversions);
  addPages(http, services, {
    settledDb,
    serving,
    explain,
    recordConversions,
    shopping,
    toolSearch,
  });

  await http.ready();
  eventLog.start();
  const built = { http, services, serving, toolSearch, catalog };
  const life = lifeOf(built, { otherLinks, forecasts });
  return { ...built, ...life, readiness, followLinks: otherLinks.follow };
}

type Running = Pick<App, 'http' | 'services' | 'serving' | 'toolSearch' | 'catalog'>;

function lifeOf(
  { http, services, serving, toolSearch, catalog }: Running,
  {
    otherLinks,
    forecasts,
  }: Pick<ReturnType<typeof addIndexLinks>, 'otherLinks'> &
    Pick<ReturnType<typeof addCampaigns>, 'forecasts'>,
): Pick<App, 'start' | 'close'> {
  const { jobs, lifecycle } = services;
  const roles = new Set<string>(services.config.ROLES);
  return {
    start() {
      lifecycle.isOpen = true;
      http.compileAhead();
      if (roles.has('worker')) jobs.start();
      serving.start();
      services.sharedCounts.start();
      // An embedded store has one process, and that one its journal.
      if (services.db.engine === 'server') services.corners.start();
      // Elsewhere the first search asks for it.
      if (roles.has('index')) catalog.start();
      if (roles.has('index')) otherLinks.start();
      if (roles.has('platform')) forecasts.start();
    },
    async close() {
      await http.close();
      await jobs.close();
      await catalog.close();
      otherLinks.close();
      await forecasts.close();
      await toolSearch.close();
      await services.corners.close();
      await services.eventLog.close();
      await serving.close();
      await services.reader.close();
      await services.embedder.close();
      await services.toolReader.close();
      await services.trackingKeys.close();
      await services.directory.close();
      await services.choices.close();
      await services.consent.close();
      await services.sharedCounts.close();
      services.vouching.close();
      await services.node.close();
    },
  };
}
