import type { FastifyInstance } from 'fastify';
import { type Config, demoMode } from '../config.js';
import { openDemoPage } from '../domain/demo-site.js';
import type { ConversationMessage } from '../domain/reading/turns.js';
import type { Database } from '../platform/db/db.js';
import type { Front } from '../platform/http/create-http-app.js';
import type { ReadBodies } from '../platform/http/read-bodies.js';
import type { Services } from '../services.js';
import { adChoicesRoutes } from '../surfaces/ad-choices/routes.js';
import { feedbackRoutes } from '../surfaces/feedback/routes.js';
import { leadRoutes } from '../surfaces/leads/routes.js';
import { answerPerson } from '../surfaces/privacy/answer-request.js';
import { explainConversation } from '../surfaces/serving/deciding/explain-conversation.js';
import { servingFront, type ServingFrontDeps } from '../surfaces/serving/door/front.js';
import { readingRoutes } from '../surfaces/serving/learning/reading-routes.js';
import { servingRoutes } from '../surfaces/serving/routes.js';
import { type Serving, startServing } from '../surfaces/serving/serving.js';
import { trackingFront } from '../surfaces/tracking/front.js';
import { trackingRoutes } from '../surfaces/tracking/routes.js';
import { createTracking } from '../surfaces/tracking/tracking.js';
import type { AccountFacts } from './account-facts.js';
import { dayMs } from '../domain/time/utc-day.js';

export function networkCaps({ SESSION_CAP: session, USER_CAP: user }: Config) {
  return { session, user };
}

function impressionWindowMs({ IMPRESSION_WINDOW_MINUTES: minutes }: Config): number {
  return minutes * 60_000;
}

export function openServing({
  config,
  db,
  log,
  clock,
  reader,
  metrics,
  mintId,
  node,
  trackingKeys,
  trackingTokens,
  urls,
  disclosure,
  directory,
  choices,
  pseudonyms,
  experimentSecret,
  sharedCounts,
  eventLog,
}: Services): Promise<Serving> {
  return startServing({
    db,
    log,
    clock,
    reader,
    metrics,
    mintId,
    node,
    trackingKeys,
    trackingTokens,
    urls,
    disclosure,
    directory,
    choices,
    pseudonyms,
    experimentSecret,
    sharedCounts,
    eventLog,
    impressionWindowMs: impressionWindowMs(config),
    unshownShare: config.UNSHOWN_BUDGET_PERCENT / 100,
    caps: networkCaps(config),
    holdsBudgets: config.ROLES.includes('serve'),
  });
}

/** `POST /api/v1/ad`, and how conversations are read. */
export function addServing(
  http: FastifyInstance,
  services: Services,
  { serveAds, matcher, inventory, calibration, counts }: Serving,
) {
  const { db, clock, mintId, guards, reader } = services;
  const { clientAddress, countryOf, describeAgent, consent } = services;
  const answering = { clock, mintId, clientAddress, countryOf, describeAgent, consent, serveAds };
  const readBodies: ReadBodies = new WeakMap();
  servingRoutes(http, { ...answering, guards, readBodies });
  const explain = (messages: readonly ConversationMessage[]) =>
    explainConversation({ matcher, reader, inventory }, messages);
  readingRoutes(http, { db, clock, mintId, guards, calibration, counts, explain });
  return {
    explain,
    /** Answers plain requests before the framework. */
    frontFor(note: ServingFrontDeps['note']): Front {
      const { log, metrics, requestLimits: limits, directory, lifecycle } = services;
      return servingFront({
        ...answering,
        http,
        log,
        metrics,
        limits,
        directory,
        lifecycle,
        readBodies,
        note,
      });
    },
  };
}

/** Beacons and clicks; the returned front answers them before the framework. */
export function addTracking(
  http: FastifyInstance,
  services: Services,
  serving: Serving,
  facts: AccountFacts,
): Front {
  const { config, clock, log, metrics, eventLog, urls, requestLimits } = services;
  const tracking = createTracking({
    db: services.db,
    clock,
    node: services.node,
    eventLog,
    sharedCounts: services.sharedCounts,
    trackingTokens: services.trackingTokens,
    clientAddress: services.clientAddress,
    countryOf: services.countryOf,
    isDataCentre: services.isDataCentre,
    describeAgent: services.describeAgent,
    consent: services.consent,
    disclosure: services.disclosure,
    impressionWindowMs: impressionWindowMs(config),
    // Totals are checked against raw events that arrive at most a week after their ad, and not
    // against days already dropped.
    expiresMs: Math.min(7, config.RETENTION_DAYS - 1) * dayMs,
    liveLanding: serving.inventory.landing,
    holdMs: serving.holdMs,
    onPaid: serving.onPaid,
    reserveLate: serving.reserveLate,
    settleLate: serving.settleLate,
    onCounted: serving.onCounted,
    shareBpsOf: facts.shareBpsOf,
    isPublisherBlocked: facts.isPublisherBlocked,
    isNative: facts.isNative,
    isAdvertiserBlocked: facts.isAdvertiserBlocked,
    budgetDay: facts.budgetDay,
    testLanding: () => `${urls.platform}/docs`,
    openAt: demoMode(config) === '1' ? (url) => openDemoPage(url, urls.platform) : (url) => url,
  });
  trackingRoutes(http, tracking);
  return trackingFront(tracking, { log, metrics, limits: requestLimits });
}

/** What people say about an ad, tell its advertiser, or choose for the next ones. */
export function addReactions(
  http: FastifyInstance,
  {
    db,
    clock,
    mintId,
    guards,
    rateLimit,
    pseudonyms,
    partitions,
    trackingKeys,
    sealer,
    disclosure,
    directory,
    choices,
    eventLog,
  }: Services,
  { settledDb, onFeedback }: { settledDb: Database; onFeedback: Serving['onFeedback'] },
): void {
  feedbackRoutes(http, {
    db: settledDb,
    clock,
    mintId,
    guards,
    rateLimit,
    pseudonyms,
    partitions,
    trackingKeys,
    onVote: onFeedback,
  });
  leadRoutes(http, { db, clock, mintId, guards, sealer, partitions, trackingKeys });
  const asking = { db: settledDb, clock, mintId, sealer, pseudonyms, eventLog, choices };
  adChoicesRoutes(http, {
    db: settledDb,
    clock,
    disclosure,
    directory,
    trackingKeys,
    choices,
    rateLimit,
    answerPerson: (kind, person) => answerPerson(asking, kind, person),
  });
}
