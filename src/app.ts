import type { FastifyInstance } from 'fastify';
import type { RequestListener, Server } from 'node:http';
import { type Config, shownSettings } from './config.js';
import { createBudgetDays } from './domain/decision/budget-day.js';
import type { Db } from './platform/db/db.js';
import { afterJournal } from './platform/events/after-journal.js';
import { AppError } from './platform/errors.js';
import { maintainEvents } from './platform/events/maintain-events.js';
import { uuidDay } from './domain/uuid.js';
import { createAdmission } from './platform/http/admission.js';
import { createHttpApp, type Front } from './platform/http/create-http-app.js';
import { csvAnswers } from './platform/http/csv-answers.js';
import { limitRequests } from './platform/http/limit-requests.js';
import { createRoleGate } from './platform/http/role-gate.js';
import { createWorkTurns, inTurns } from './platform/http/work-turns.js';
import { describeApi } from './platform/http/openapi.js';
import { createOutbound, type Outbound } from './platform/outbound/guarded-fetch.js';
import { createMailer } from './platform/mail/mailer.js';
import { createOutboundStream } from './platform/outbound/guarded-stream.js';
import { addTrackingKey } from './platform/secrets/tracking-keys.js';
import { journalRecorders } from './recorders.js';
import { createServices, nodeFacts, type ServiceOptions, type Services } from './services.js';
import { accountRoutes } from './surfaces/accounts/routes.js';
import { adChoicesRoutes } from './surfaces/ad-choices/routes.js';
import { forgetUser } from './surfaces/ad-choices/forget-queries.js';
import { advertiserJobs } from './surfaces/advertisers/jobs.js';
import { reviewGeneratedAds } from './surfaces/advertisers/review-generated-ads.js';
import { AdUnitView } from './surfaces/advertisers/view-schema.js';
import { advertiserRoutes } from './surfaces/advertisers/routes.js';
import { pauseForBilling, resumeAfterBilling } from './surfaces/advertisers/campaign-queries.js';
import { decideCampaign } from './surfaces/advertisers/write-campaigns.js';
import { dedupeMs } from './surfaces/conversions/record-conversions.js';
import { createOrderReverser, forgetConversions } from './surfaces/conversions/reverse-order.js';
import { reversalRoutes } from './surfaces/conversions/reversal-routes.js';
import { conversionRoutes } from './surfaces/conversions/routes.js';
import { alertJobs } from './surfaces/alerts/jobs.js';
import { alertRoutes } from './surfaces/alerts/routes.js';
import { advertiserReportRoutes } from './surfaces/advertiser-reports/routes.js';
import { settleRefunds } from './surfaces/billing/bill-spend.js';
import { billingJobs } from './surfaces/billing/jobs.js';
import { createManualPayments, type PaymentProvider } from './surfaces/billing/payment-provider.js';
import { billingGate } from './surfaces/billing/queries.js';
import { billingRoutes } from './surfaces/billing/routes.js';
import { createStripePayments } from './surfaces/billing/stripe-payments.js';
import { afterRefund } from './surfaces/billing/sync-spend.js';
import { catalogImportJobs } from './surfaces/catalog-import/jobs.js';
import { catalogImportRoutes } from './surfaces/catalog-import/routes.js';
import { createOrderReport } from './surfaces/demo-storefront/report-order.js';
import { demoStorefrontJobs, demoStorefrontRoutes } from './surfaces/demo-storefront/routes.js';
import { dashboardRoutes } from './surfaces/dashboards/routes.js';
import { recordFeedback } from './surfaces/feedback/record-feedback.js';
import { earningsRoutes } from './surfaces/earnings/routes.js';
import { docsRoutes } from './surfaces/docs/routes.js';
import { experimentRoutes } from './surfaces/experiments/routes.js';
import { exportRoutes } from './surfaces/exports/routes.js';
import { feedbackRoutes } from './surfaces/feedback/routes.js';
import { generatedAdJobs } from './surfaces/generated-ads/jobs.js';
import { generatedAdRoutes } from './surfaces/generated-ads/routes.js';
import { judgeReadiness } from './surfaces/health/readiness.js';
import { healthRoutes } from './surfaces/health/routes.js';
import { followLinks } from './surfaces/index-links/follow-links.js';
import { createIndexLinks } from './surfaces/index-links/index-links.js';
import { findIndexClicks } from './surfaces/index-links/queries.js';
import { indexLinkJobs, indexLinkRoutes } from './surfaces/index-links/routes.js';
import { leadRoutes } from './surfaces/leads/routes.js';
import { collectRouteSchemas } from './surfaces/mcp/route-schemas.js';
import { mcpRoutes } from './surfaces/mcp/routes.js';
import { explainRequest } from './surfaces/operators/explain-request.js';
import { operatorRoutes } from './surfaces/operators/routes.js';
import { pixelJobs } from './surfaces/pixel-verification/jobs.js';
import { pixelManagementRoutes } from './surfaces/pixel-verification/routes.js';
import { erasePerson } from './surfaces/privacy/erase.js';
import { optOut } from './surfaces/privacy/opt-out.js';
import { privacyRoutes } from './surfaces/privacy/routes.js';
import { publisherReportRoutes } from './surfaces/publisher-reports/routes.js';
import { reviewJobs } from './surfaces/review/jobs.js';
import { reportRoutes } from './surfaces/reports/routes.js';
import { requestLogRoutes } from './surfaces/request-log/routes.js';
import { reviewRoutes } from './surfaces/review/routes.js';
import { askForAds } from './surfaces/serving/ask-for-ads.js';
import { servingRoutes } from './surfaces/serving/routes.js';
import type { ConversationMessage } from './domain/reading/turns.js';
import { explainConversation } from './surfaces/serving/explain-conversation.js';
import { readingRoutes } from './surfaces/serving/reading-routes.js';
import { type Serving, startServing } from './surfaces/serving/serving.js';
import { ShopQuery } from './surfaces/shop-search/schema.js';
import { searchProducts } from './surfaces/shop-search/search-products.js';
import { createWebFinder } from './surfaces/shop-search/find-web-results.js';
import { followCatalog, type LiveCatalog } from './surfaces/shop-search/follow-catalog.js';
import { shopSearchJobs, shopSearchRoutes } from './surfaces/shop-search/routes.js';
import { createWebSearch, type WebSearch } from './surfaces/shop-search/web-search.js';
import { supplyPathRoutes } from './surfaces/supply-path/routes.js';
import { storefrontJobs } from './surfaces/storefronts/jobs.js';
import { storefrontRoutes } from './surfaces/storefronts/routes.js';
import { followSharedSecret } from './surfaces/storefronts/shared-secret.js';
import { openToolCatalogue, type ToolCatalogue } from './surfaces/tool-search/open-catalogue.js';
import { toolSearchRoutes } from './surfaces/tool-search/routes.js';
import { ToolSearch } from './surfaces/tool-search/schema.js';
import { startToolSearch, type ToolSearchSurface } from './surfaces/tool-search/tool-search.js';
import { trafficQualityJobs, trafficQualityRoutes } from './surfaces/traffic-quality/routes.js';
import { trackingFront } from './surfaces/tracking/front.js';
import { trackingRoutes } from './surfaces/tracking/routes.js';
import { createTracking } from './surfaces/tracking/tracking.js';

export interface AppOptions extends Omit<ServiceOptions, 'recorders'> {
  /** What `prepareApp` began while the store was opening. */
  prepared?: Prepared;
  serverFor?: (handler: RequestListener) => Server;
}

export interface App {
  http: FastifyInstance;
  services: Services;
  serving: Serving;
  toolSearch: ToolSearchSurface;
  catalog: LiveCatalog;
  /** Learns of the links other nodes minted. */
  followLinks(): Promise<void>;
  /** Begins timed work; tests run it by hand instead. */
  start(): void;
  close(): Promise<void>;
}

/** What is slow to make and needs no store. */
export interface Prepared {
  toolCatalogue: Promise<ToolCatalogue>;
}

export function prepareApp(): Prepared {
  const toolCatalogue = openToolCatalogue();
  // Whoever builds the app will hear of it.
  toolCatalogue.catch(() => undefined);
  return { toolCatalogue };
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

function paymentsFor({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_URL: apiUrl,
}: Config): PaymentProvider | Promise<PaymentProvider> {
  return secretKey === ''
    ? createManualPayments()
    : createStripePayments({ secretKey, webhookSecret, apiUrl });
}

/** Read this first: every surface, and what each is given. */
export async function buildApp(options: AppOptions): Promise<App> {
  const services = await createServices({
    ...options,
    recorders: journalRecorders({ onConversion: (adId) => serving.onConversion(adId) }),
  });
  const { config, log, metrics, jobs } = services;
  let front: Front = () => false;
  const admit = createAdmission({
    queueMs: config.QUEUE_MS,
    onShed: services.onShed,
    callerOf: services.requestLimits.callerOf,
  });
  const roles = new Set<string>(config.ROLES);
  const isElsewhere = createRoleGate(roles);
  const turns = createWorkTurns();
  const { serverFor } = options;
  const http = createHttpApp({
    log,
    metrics,
    turns,
    ...(serverFor === undefined
      ? {}
      : {
          serverFor: (handler) =>
            serverFor(
              inTurns(turns, [isElsewhere, admit], (request, response) => {
                if (!front(request, response)) handler(request, response);
              }),
            ),
        }),
  });
  limitRequests(http, services.requestLimits);
  await describeApi(http, {
    base: config.PUBLIC_BASE_URL,
    api: config.PUBLIC_API_URL,
    platform: config.PUBLIC_PLATFORM_URL,
    index: config.PUBLIC_INDEX_URL,
  });
  csvAnswers(http);
  const schemasOf = collectRouteSchemas(http);
  const impressionWindowMs = config.IMPRESSION_WINDOW_MINUTES * 60_000;
  const caps = { session: config.SESSION_CAP, user: config.USER_CAP };
  const serving = await startServing({
    ...services,
    impressionWindowMs,
    unshownShare: config.UNSHOWN_BUDGET_PERCENT / 100,
    caps,
    holdsBudgets: roles.has('serve'),
  });
  const catalog = await followCatalog({ ...services, importWaitMs: config.IMPORT_WAIT_MS });
  const budgetDays = createBudgetDays();
  const shareBpsOf = (publisherId: string): number =>
    services.directory.publisher(publisherId)?.revenueShareBps ?? 0;
  const isPublisherBlocked = (publisherId: string): boolean =>
    services.directory.publisher(publisherId)?.status === 'blocked';
  const isAdvertiserBlocked = (advertiserId: string): boolean =>
    services.directory.advertiser(advertiserId)?.status === 'blocked';
  const budgetDay = (advertiserId: string, at: number): string =>
    budgetDays.at(services.directory.advertiser(advertiserId)?.timeZone ?? 'UTC', at).date;
  const windows = {
    clickMs: config.CLICK_WINDOW_DAYS * 86_400_000,
    viewMs: config.VIEW_WINDOW_HOURS * 3_600_000,
  };
  maintainEvents(jobs, {
    ...services,
    retentionDays: config.RETENTION_DAYS,
    attributionMs: Math.max(windows.clickMs, windows.viewMs),
  });
  healthRoutes(http, {
    status: () => ({
      ready: true,
      details: {
        node: services.node.number,
        pid: process.pid,
        matching: serving.matcher.mode,
        products: catalog.progress(),
        database: services.vouching.state.database,
        journal: {
          lag_ms: Math.round(services.eventLog.stats.lagMs),
          damaged: services.eventLog.stats.damaged,
        },
      },
    }),
    readiness: async () =>
      judgeReadiness({
        ...(await nodeFacts(services)),
        hasModel: serving.matcher.mode === 'semantic',
      }),
    metrics,
    guards: services.guards,
    metricsKey: config.METRICS_PORT === 0 ? config.METRICS_KEY : null,
  });
  accountRoutes(http, {
    ...services,
    mailer: createMailer({ ...services, smtpUrl: config.SMTP_URL, from: config.MAIL_FROM }),
    signUp: config.SIGN_UP,
    platformUrl: () => services.urls.platform,
    rotateTrackingKey: async () => (await addTrackingKey(services.db, services.sealer)) ?? 0,
    secureCookies: () => services.urls.platform.startsWith('https:'),
  });
  servingRoutes(http, { ...services, serveAds: serving.serveAds });
  // For people, who must see what was acknowledged a moment ago.
  const settled = { ...services, db: afterJournal(services.db, services.eventLog) };
  const explainMessages = (messages: readonly ConversationMessage[]) =>
    explainConversation({ ...services, ...serving }, messages);
  readingRoutes(http, { ...services, ...serving, explain: explainMessages });
  const tracking = createTracking({
    ...services,
    impressionWindowMs,
    // Totals are checked against raw events that arrive at most a week after their ad, and not
    // against days already dropped.
    expiresMs: Math.min(7, config.RETENTION_DAYS - 1) * 86_400_000,
    liveLanding: serving.inventory.landing,
    holdMs: serving.holdMs,
    onPaid: serving.onPaid,
    reserveLate: serving.reserveLate,
    settleLate: serving.settleLate,
    onCounted: serving.onCounted,
    shareBpsOf,
    isPublisherBlocked,
    isNative: (id) => services.directory.publisher(id)?.isNative ?? false,
    isAdvertiserBlocked,
    budgetDay,
    testLanding: () => `${services.urls.platform}/docs`,
  });
  trackingRoutes(http, tracking, { ...services, impressionWindowMs });
  front = trackingFront(tracking, { log, metrics, limits: services.requestLimits });
  feedbackRoutes(http, { ...settled, onVote: serving.onFeedback });
  leadRoutes(http, services);
  adChoicesRoutes(http, {
    ...settled,
    forget: (publisherId, userId) => forgetUser(settled.db, publisherId, userId),
  });
  const recordConversions = conversionRoutes(http, {
    ...services,
    windows,
    retentionDays: config.RETENTION_DAYS,
    pixelEventsPerDay: config.PIXEL_EVENTS_PER_DAY,
    shareBpsOf,
    isPublisherBlocked,
    budgetDay,
    otherClicks: findIndexClicks,
    optOut: (advertiserId, identities, source) =>
      optOut(services, advertiserId, identities, source),
  });
  const settleRefund = (advertiserId: string): Promise<unknown> =>
    settleRefunds(services, advertiserId);
  const reverseOrder = createOrderReverser({
    ...settled,
    dedupeMs,
    windowMs: config.REVERSAL_WINDOW_DAYS * 86_400_000,
    settleRefund,
    unlearn: serving.unlearn,
  });
  reversalRoutes(http, { ...settled, settleRefund, unlearn: serving.unlearn });
  storefrontRoutes(http, {
    ...services,
    recordConversions,
    reverseOrder,
    sharedSecrets: await followSharedSecret({
      ...services,
      secret: config.STOREFRONT_WEBHOOK_SECRET,
    }),
    erase: (advertiserId, identities) => erasePerson(settled, identities, advertiserId),
  });
  storefrontJobs(services);
  pixelManagementRoutes(http, services);
  pixelJobs(jobs, services);
  privacyRoutes(http, settled);
  const takingBack = {
    afterRefund: () => afterRefund(services),
    onReversed: (tx: Db, ids: readonly string[]) =>
      forgetConversions(tx, ids, new Date(services.clock())),
    unlearn: serving.unlearn,
  };
  operatorRoutes(http, {
    ...settled,
    ...takingBack,
    refreshAccounts: services.directory.refresh,
    settings: shownSettings(config),
  });
  const disclosing = {
    leastShare: config.DISCLOSED_PERCENT / 100,
    isHeld: () => config.UNDISCLOSED_EARNINGS === 'hold',
  };
  trafficQualityRoutes(http, { ...settled, disclosing });
  trafficQualityJobs(jobs, { ...settled, ...takingBack });
  earningsRoutes(http, { ...settled, holdDays: config.EARNINGS_HOLD_DAYS, disclosing });
  reportRoutes(http, settled);
  requestLogRoutes(http, services);
  const managing = { mintId: services.mintId, jobs, reviewMode: config.REVIEW, billingGate };
  advertiserRoutes(http, {
    ...services,
    ...managing,
    budgetDays,
    caps,
    contentCategories: serving.categories,
  });
  advertiserJobs(services);
  reviewRoutes(http, {
    ...services,
    decide: (tx, actor, campaignId, verdict, seen) =>
      decideCampaign({ ...managing, tx, actor, now: services.clock() }, campaignId, verdict, seen),
  });
  reviewJobs(services);
  generatedAdRoutes(http, { ...services, adUnitView: AdUnitView });
  generatedAdJobs({
    ...services,
    review: (tx, group) =>
      reviewGeneratedAds(tx, { reviewMode: config.REVIEW, now: services.clock() }, group),
  });
  const payments = await paymentsFor(config);
  const holding = { pauseCampaigns: pauseForBilling, resumeCampaigns: resumeAfterBilling };
  billingRoutes(http, {
    ...services,
    ...holding,
    payments,
    returnUrl: () => `${services.urls.platform}/app/advertiser/billing`,
  });
  billingJobs({ ...services, ...holding, payments });
  advertiserReportRoutes(http, { ...services, contentCategories: serving.categories });
  publisherReportRoutes(http, services);
  exportRoutes(http, services);
  experimentRoutes(http, settled);
  supplyPathRoutes(http, {
    ...services,
    systemDomain: () => new URL(services.urls.platform).hostname,
  });
  alertRoutes(http, services);
  alertJobs(services);
  mcpRoutes(http, { ...services, schemasOf, platformUrl: () => services.urls.platform });

  const wordDays = Math.min(config.QUERY_DAYS, config.RETENTION_DAYS);
  const links = createIndexLinks(services.urls);
  const otherLinks = followLinks({ ...services, links });
  indexLinkRoutes(http, { ...services, links, isPublisherBlocked, isAdvertiserBlocked });
  indexLinkJobs({ ...services, retentionDays: config.RETENTION_DAYS });
  const toolSearch = await startToolSearch({
    ...services,
    links,
    catalogue: await (options.prepared ?? prepareApp()).toolCatalogue,
    retentionDays: wordDays,
  });
  toolSearchRoutes(http, toolSearch, services);

  const shopping = {
    ...services,
    catalog,
    links,
    findWebResults: createWebFinder({
      ...services,
      search: webSearchFor(config, options.outbound),
    }),
  };
  shopSearchRoutes(http, shopping);
  shopSearchJobs({ ...services, retentionDays: wordDays });
  catalogImportRoutes(http, services);
  catalogImportJobs({
    ...services,
    outboundStream: createOutboundStream({ allow: config.OUTBOUND_ALLOW }),
    indexUrl: () => services.urls.index,
    ownOrigin: () => services.urls.index,
    fetchOwn: (path) =>
      http.inject(path).then((answer) => ({ status: answer.statusCode, body: answer.body })),
  });
  demoStorefrontRoutes(http, {
    ...services,
    origin: () => services.urls.store,
    reportOrder: createOrderReport({ ...services, recordConversions }),
  });
  demoStorefrontJobs(services);

  dashboardRoutes(http, {
    ...services,
    signUp: config.SIGN_UP,
    recordConversions,
    askForAds: roles.has('serve')
      ? askForAds({ ...services, serveAds: serving.serveAds })
      : () => Promise.reject(new AppError('wrong_role')),
    async giveFeedback(token, body) {
      const id = services.mintId(services.clock());
      const isVote = await recordFeedback(settled, { id, now: services.clock(), token, body });
      if (isVote) serving.onFeedback(token, body.sentiment);
      return { feedbackId: id };
    },
    explain: (requestId) => explainRequest(settled.db, requestId, uuidDay(requestId)),
    explainReading: explainMessages,
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
    docsDir: new URL('../../docs/', import.meta.url),
    openApi: () => http.swagger(),
  });

  await http.ready();
  services.eventLog.start();
  return {
    http,
    services,
    serving,
    toolSearch,
    catalog,
    followLinks: otherLinks.follow,
    start() {
      services.lifecycle.isOpen = true;
      http.compileAhead();
      if (roles.has('worker')) jobs.start();
      serving.start();
      services.sharedCounts.start();
      // Elsewhere the first search asks for it.
      if (roles.has('index')) catalog.start();
      if (roles.has('index')) otherLinks.start();
    },
    async close() {
      await http.close();
      await jobs.close();
      await catalog.close();
      otherLinks.close();
      await toolSearch.close();
      await services.eventLog.close();
      await serving.close();
      await services.reader.close();
      await services.embedder.close();
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
