import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.js';
import type { Database } from '../platform/db/db.js';
import type { Services } from '../services.js';
import { settleRefunds } from '../surfaces/billing/invoices/bill-spend.js';
import { dedupeMs, type RecordConversions } from '../surfaces/conversions/record-conversions.js';
import { reversalRoutes } from '../surfaces/conversions/reversals/reversal-routes.js';
import { createOrderReverser } from '../surfaces/conversions/reversals/reverse-order.js';
import { conversionRoutes } from '../surfaces/conversions/routes.js';
import { findIndexClicks } from '../surfaces/index-links/queries.js';
import { pixelJobs } from '../surfaces/pixel-verification/jobs.js';
import { pixelManagementRoutes } from '../surfaces/pixel-verification/routes.js';
import { erasePerson } from '../surfaces/privacy/erasing/erase.js';
import { optOut } from '../surfaces/privacy/opt-out.js';
import type { Serving } from '../surfaces/serving/serving.js';
import { storefrontJobs } from '../surfaces/storefronts/jobs.js';
import { storefrontRoutes } from '../surfaces/storefronts/routes.js';
import { followSharedSecret } from '../surfaces/storefronts/shared-secret.js';
import type { AccountFacts } from './account-facts.js';
import { dayMs } from '../domain/time/utc-day.js';

export function attributionWindows({ CLICK_WINDOW_DAYS: days, VIEW_WINDOW_HOURS: hours }: Config) {
  return { clickMs: days * dayMs, viewMs: hours * 3_600_000 };
}

/** Conversions as servers and pixels tell of them. */
export function addConversions(
  http: FastifyInstance,
  services: Services,
  { shareBpsOf, isPublisherBlocked, budgetDay }: AccountFacts,
): RecordConversions {
  const { config, db, clock, mintId, choices } = services;
  return conversionRoutes(http, {
    db,
    clock,
    mintId,
    partitions: services.partitions,
    eventLog: services.eventLog,
    pseudonyms: services.pseudonyms,
    consent: services.consent,
    sharedCounts: services.sharedCounts,
    clientAddress: services.clientAddress,
    describeAgent: services.describeAgent,
    isDataCentre: services.isDataCentre,
    guards: services.guards,
    jobs: services.jobs,
    windows: attributionWindows(config),
    retentionDays: config.RETENTION_DAYS,
    pixelEventsPerDay: config.PIXEL_EVENTS_PER_DAY,
    shareBpsOf,
    isPublisherBlocked,
    budgetDay,
    otherClicks: findIndexClicks,
    optOut: (advertiserId, identities, source) =>
      optOut({ db, clock, choices }, advertiserId, identities, source),
  });
}

/** Shops that tell of orders and refunds, and pixels that are checked. */
export async function addShops(
  http: FastifyInstance,
  {
    config,
    db,
    clock,
    mintId,
    guards,
    outbound,
    log,
    rateLimit,
    sealer,
    pseudonyms,
    jobs,
    urls,
  }: Services,
  {
    settledDb,
    recordConversions,
    unlearn,
  }: {
    settledDb: Database;
    recordConversions: RecordConversions;
    unlearn: Serving['unlearn'];
  },
): Promise<void> {
  const settleRefund = (advertiserId: string): Promise<unknown> =>
    settleRefunds({ db, clock, mintId }, advertiserId);
  reversalRoutes(http, { db: settledDb, clock, mintId, guards, settleRefund, unlearn });
  storefrontRoutes(http, {
    db,
    clock,
    mintId,
    guards,
    outbound,
    log,
    rateLimit,
    sealer,
    recordConversions,
    reverseOrder: createOrderReverser({
      db: settledDb,
      clock,
      dedupeMs,
      windowMs: config.REVERSAL_WINDOW_DAYS * dayMs,
      settleRefund,
      unlearn,
    }),
    sharedSecrets: await followSharedSecret({
      db,
      clock,
      sealer,
      secret: config.STOREFRONT_WEBHOOK_SECRET,
    }),
    erase: (advertiserId, identities) =>
      erasePerson({ db: settledDb, sealer, pseudonyms }, identities, advertiserId),
  });
  storefrontJobs({ db, clock, jobs });
  pixelManagementRoutes(http, { db, clock, mintId, guards, jobs });
  pixelJobs(jobs, { db, clock, log, outbound, urls });
}
