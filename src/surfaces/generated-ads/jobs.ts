import type { PageFacts } from '../../domain/ad-writing/page-facts.js';
import { createBoundedCache } from '../../platform/bounded-cache.js';
import type { Clock } from '../../platform/clock.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { Outbound } from '../../platform/outbound/guarded-fetch.js';
import { readPage } from '../../platform/outbound/read-page.js';
import { listInheritingGroups } from './queries.js';
import { refineAttempts, refineGroupAds, type RefineDeps } from './refine-group-ads.js';
import { replaceLosers } from './replace-losers.js';
import { writeGroupAds } from './write-group-ads.js';

const hourMs = 3_600_000;

/**
 * Generative groups: first ads from the brief at once, then better ones from the page, then better
 * ones from the results. `generate-ads` never leaves the machine; what does runs as `refine-ads`,
 * beside the quick jobs.
 */
export function generatedAdJobs(
  deps: Omit<RefineDeps, 'readPage'> & { jobs: JobQueue; outbound: Outbound },
): void {
  const { db, jobs } = deps;
  const own: RefineDeps = { ...deps, readPage: createPageReader(deps.outbound, deps.clock) };
  jobs.handle('generate-ads', async (_payload, { key }) => {
    await db.transaction(async (tx) => {
      if (await writeGroupAds(own, tx, key))
        await jobs.enqueue(tx, 'refine-ads', key, { ad_group_id: key });
    });
  });
  jobs.handle('rewrite-ads', async (_payload, { key }) => {
    // One at a time: asking is safe to repeat, and nobody waits for a lock held over thousands of
    // groups.
    for (const groupId of await listInheritingGroups(db, key))
      await jobs.enqueue(db, 'generate-ads', groupId, { ad_group_id: groupId });
  });
  jobs.handle('refine-ads', (_payload, { key, attempt }) => refineGroupAds(own, key, attempt), {
    slow: true,
    maxAttempts: refineAttempts,
    backoffMs: (attempt) => 60_000 * 5 ** (attempt - 1),
  });
  jobs.every('replace-losing-ads', hourMs, () => replaceLosers(own), { slow: true });
}

const keptMs = 5 * 60_000;

/**
 * Groups of one campaign share a page: it is fetched once for all of them. Failures are not kept.
 */
function createPageReader(outbound: Outbound, clock: Clock): (url: string) => Promise<PageFacts> {
  const pages = createBoundedCache<string, { at: number; page: Promise<PageFacts> }>(200);
  return (url) => {
    const known = pages.get(url);
    if (known !== undefined && clock() - known.at < keptMs) return known.page;
    const page = readPage(outbound, url);
    pages.set(url, { at: clock(), page });
    page.catch(() => pages.delete(url));
    return page;
  };
}
