import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { Outbound } from '../../platform/outbound/guarded-fetch.js';
import { checkLandingPage } from './check-landing-pages.js';
import { landingPages, replacePageChecks } from './queries.js';

const pagesPerCampaign = 20;

/** The check that needs the network, after a campaign was handed in. It flags; it never decides. */
export function reviewJobs({
  db,
  clock,
  jobs,
  outbound,
}: {
  db: Db;
  clock: Clock;
  jobs: JobQueue;
  outbound: Outbound;
}): void {
  jobs.handle(
    'review-campaign',
    async (_payload, { key }) => {
      const checks: Awaited<ReturnType<typeof checkLandingPage>>[] = [];
      for (const url of await landingPages(db, key, pagesPerCampaign))
        checks.push(await checkLandingPage(outbound, url, clock()));
      if (checks.length > 0) await db.transaction((tx) => replacePageChecks(tx, key, checks));
    },
    { slow: true },
  );
}
