import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { errorFields, type Log } from '../../platform/log.js';
import { discoverCheckout, type DiscoveryDeps } from './storefronts/discover-checkout.js';
import { feedFormats } from './feeds/feed-row.js';
import type { FeedDoors } from './feeds/open-feed.js';
import { claimDueFeeds, type FeedRecord } from './feed-queries.js';
import { announceBatch, listUncheckedMerchants, touchSales } from './queries.js';
import { readFeedApart } from './feeds/read-feed-apart.js';
import { describeShown, type ImportDeps, runImport } from './run-import.js';
import { dayMs } from '../../domain/time/utc-day.js';

export type CatalogJobDeps = ImportDeps & FeedDoors & DiscoveryDeps & { jobs: JobQueue; log: Log };

const minuteMs = 60_000;

/**
 * Feeds on their schedule, sales that begin and end, and whether merchants take agent checkouts.
 */
export function catalogImportJobs(deps: CatalogJobDeps): void {
  const { jobs, db, clock } = deps;
  jobs.every('catalog-feeds', minuteMs, async () => {
    for (const feed of await claimDueFeeds(db, new Date(clock()))) await importFeed(deps, feed);
  });
  jobs.every('catalog-sales', minuteMs, async () => {
    const now = clock();
    await db.transaction(async (tx) => {
      const batchId = deps.mintId(now);
      const touched = await touchSales(tx, batchId, new Date(now - 7 * dayMs), new Date(now));
      if (touched.length > 0) await announceBatch(tx, { id: batchId }, touched);
    });
  });
  jobs.every('discover-checkouts', 15 * minuteMs, async () => {
    for (const merchant of await listUncheckedMerchants(db, new Date(clock() - dayMs)))
      await discoverCheckout(deps, merchant);
  });
}

/** One feed that cannot be read keeps no other from being read; its run says why. */
export async function importFeed(deps: CatalogJobDeps, feed: FeedRecord): Promise<void> {
  const target = { merchantId: feed.merchantId, merchantSlug: feed.merchantSlug, feedId: feed.id };
  try {
    const outcome = await runImport(deps, {
      target,
      source: feed.url,
      format: feed.format,
      rows: readFeedApart(deps, {
        place: feed.url,
        format: feedFormats.find((known) => known === feed.format) ?? null,
        currency: feed.currency,
        storeUrl: feed.storeUrl,
      }),
      maxMissingPercent: feed.maxMissingPercent,
      isSnapshot: true,
    });
    deps.log.info(
      {
        feed: feed.id,
        status: outcome.status,
        read: outcome.read,
        written: outcome.written,
        removed: outcome.removed,
        shown: describeShown(outcome),
      },
      'feed imported',
    );
  } catch (error) {
    deps.log.warn({ feed: feed.id, ...errorFields(error) }, 'feed not imported');
  }
}
