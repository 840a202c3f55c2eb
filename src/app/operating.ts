import type { FastifyInstance } from 'fastify';
import { type Config, shownSettings } from '../config.js';
import { freeBytes } from '../platform/disk.js';
import { joinMeasurements } from '../platform/crew.js';
import type { Database, Db } from '../platform/db/db.js';
import { maintainEvents } from '../platform/events/maintain-events.js';
import { nodeFacts, type Services } from '../services.js';
import { afterRefund } from '../surfaces/billing/invoices/sync-spend.js';
import { forgetConversions } from '../surfaces/conversions/reversals/reverse-order.js';
import type { PayoutProvider } from '../surfaces/earnings/payout-provider.js';
import { earningsRoutes } from '../surfaces/earnings/routes.js';
import { createStripeConnect } from '../surfaces/earnings/stripe-connect.js';
import { judgeReadiness, type Readiness } from '../surfaces/health/readiness.js';
import { healthRoutes } from '../surfaces/health/routes.js';
import { operatorRoutes } from '../surfaces/operators/routes.js';
import type { Serving } from '../surfaces/serving/serving.js';
import type { LiveCatalog } from '../surfaces/shop-search/index/follow-catalog.js';
import { supplyPathRoutes } from '../surfaces/supply-path/routes.js';
import { trafficQualityJobs, trafficQualityRoutes } from '../surfaces/traffic-quality/routes.js';
import { attributionWindows } from './purchases.js';

/** Whether the node works, and the upkeep of what it stores. */
export function addHealth(
  http: FastifyInstance,
  services: Services,
  { matcher, catalog }: { matcher: Serving['matcher']; catalog: Pick<LiveCatalog, 'progress'> },
): () => Promise<Readiness> {
  const { config, db, clock, log, jobs, partitions, rateLimit, eventLog, metrics, guards } =
    services;
  const { clickMs, viewMs } = attributionWindows(config);
  maintainEvents(jobs, {
    db,
    clock,
    log,
    partitions,
    rateLimit,
    eventLog,
    retentionDays: config.RETENTION_DAYS,
    attributionMs: Math.max(clickMs, viewMs),
  });
  const { current, ready } = watchReadiness(services, matcher);
  healthRoutes(http, {
    status: () => ({
      readiness: current(),
      details: {
        node: services.node.number,
        pid: process.pid,
        matching: matcher.mode,
        products: catalog.progress(),
        database: services.vouching.state.database,
        journal: {
          lag_ms: Math.round(eventLog.stats.lagMs),
          damaged: eventLog.stats.damaged,
        },
      },
    }),
    readiness: ready,
    measure: async () => {
      const texts = await services.crew.measure();
      return texts === null ? metrics.text() : joinMeasurements(texts);
    },
    guards,
    metricsKey: config.METRICS_PORT === 0 ? config.METRICS_KEY : null,
  });
  return ready;
}

/**
 * How ready this node is: now, and for who must not wait for the disk, which may be why they ask,
 * with the room it had when it answered last.
 */
function watchReadiness(services: Services, matcher: Serving['matcher']) {
  let diskFreeBytes: number | null = null;
  const look = async (): Promise<void> => {
    diskFreeBytes = await freeBytes(services.nodeDir);
  };
  const judge = (): Readiness =>
    judgeReadiness({
      ...nodeFacts(services),
      diskFreeBytes,
      hasModel: matcher.mode === 'semantic',
    });
  return {
    ready: async (): Promise<Readiness> => {
      await look();
      return judge();
    },
    current(): Readiness {
      void look();
      return judge();
    },
  };
}

/** What operators of the network do: accounts, traffic that is no traffic, what publishers get. */
export function addOperating(
  http: FastifyInstance,
  { config, db, clock, log, mintId, guards, jobs, directory, urls }: Services,
  { settledDb, unlearn }: { settledDb: Database; unlearn: Serving['unlearn'] },
): void {
  const takingBack = {
    afterRefund: () => afterRefund({ db, clock, mintId }),
    onReversed: (tx: Db, ids: readonly string[]) => forgetConversions(tx, ids, new Date(clock())),
    unlearn,
  };
  const disclosing = {
    leastShare: config.DISCLOSED_PERCENT / 100,
    isHeld: () => config.UNDISCLOSED_EARNINGS === 'hold',
  };
  operatorRoutes(http, {
    db: settledDb,
    clock,
    mintId,
    guards,
    ...takingBack,
    refreshAccounts: directory.refresh,
    settings: shownSettings(config),
  });
  trafficQualityRoutes(http, { db: settledDb, clock, guards, disclosing });
  trafficQualityJobs(jobs, { db: settledDb, clock, log, mintId, ...takingBack });
  earningsRoutes(http, {
    db: settledDb,
    clock,
    mintId,
    guards,
    holdDays: config.EARNINGS_HOLD_DAYS,
    disclosing,
    payoutProvider: payoutsFor(config),
    returnUrl: () => `${urls.platform}/app/publisher/earnings`,
  });
  supplyPathRoutes(http, { db, systemDomain: () => new URL(urls.platform).hostname });
}

function payoutsFor({
  PAYOUTS: payouts,
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_API_URL: apiUrl,
}: Config): PayoutProvider | null {
  if (payouts === 'manual') return null;
  if (secretKey === '') throw new Error('PAYOUTS=stripe_connect needs STRIPE_SECRET_KEY');
  return createStripeConnect({ secretKey, apiUrl });
}
