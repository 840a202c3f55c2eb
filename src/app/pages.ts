import type { FastifyInstance } from 'fastify';
import { uuidDay } from '../domain/uuid.js';
import type { Database } from '../platform/db/db.js';
import { AppError } from '../platform/errors.js';
import type { Services } from '../services.js';
import type { RecordConversions } from '../surfaces/conversions/record-conversions.js';
import { dashboardRoutes, type DashboardDeps } from '../surfaces/dashboards/routes.js';
import { docsRoutes } from '../surfaces/docs/routes.js';
import { recordFeedback } from '../surfaces/feedback/record-feedback.js';
import { explainRequest } from '../surfaces/operators/explain-request.js';
import { askForAds } from '../surfaces/serving/ask-for-ads.js';
import type { Serving } from '../surfaces/serving/serving.js';
import { ShopQuery } from '../surfaces/shop-search/schema.js';
import { searchProducts, type ShopSearchDeps } from '../surfaces/shop-search/search-products.js';
import { ToolSearch } from '../surfaces/tool-search/schema.js';
import type { ToolSearchSurface } from '../surfaces/tool-search/tool-search.js';

/** Dashboards with their playground, which tries out what other surfaces do; and the docs. */
export function addPages(
  http: FastifyInstance,
  services: Services,
  given: {
    settledDb: Database;
    serving: Serving;
    explain: DashboardDeps['explainReading'];
    recordConversions: RecordConversions;
    shopping: ShopSearchDeps;
    toolSearch: ToolSearchSurface;
  },
): void {
  const { config, db, clock, mintId, guards, directory, urls, rateLimit } = services;
  const { clientAddress, countryOf, describeAgent, trackingKeys, pseudonyms } = services;
  const { settledDb, serving, shopping, toolSearch } = given;
  const { serveAds } = serving;
  dashboardRoutes(http, {
    db,
    clock,
    mintId,
    guards,
    directory,
    urls,
    rateLimit,
    clientAddress,
    trackingKeys,
    signUp: config.SIGN_UP,
    recordConversions: given.recordConversions,
    askForAds: config.ROLES.includes('serve')
      ? askForAds({ clock, mintId, clientAddress, countryOf, describeAgent, directory, serveAds })
      : () => Promise.reject(new AppError('wrong_role')),
    async giveFeedback(token, body) {
      const now = clock();
      const id = mintId(now);
      const isVote = await recordFeedback({ db: settledDb, pseudonyms }, { id, now, token, body });
      if (isVote) serving.onFeedback(token, body.sentiment);
      return { feedbackId: id };
    },
    explain: (requestId) => explainRequest(settledDb, requestId, uuidDay(requestId)),
    explainReading: given.explain,
    // The route checked the body with this schema.
    shop: {
      body: ShopQuery,
      search: (publisher, body) => searchProducts(shopping, publisher, body as ShopQuery),
    },
    tools: {
      body: ToolSearch,
      search: (publisher, body) => toolSearch.searchTools(publisher, body as ToolSearch),
    },
  });
  docsRoutes(http, {
    docsDir: new URL('../../../docs/', import.meta.url),
    openApi: () => http.swagger(),
  });
}
