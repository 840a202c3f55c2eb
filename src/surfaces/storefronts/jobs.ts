import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { forgetWebhooks } from './queries.js';

const keptMs = 30 * 86_400_000;

/** Webhooks are repeated for days, not weeks. */
export function storefrontJobs({
  db,
  clock,
  jobs,
}: {
  db: Db;
  clock: Clock;
  jobs: JobQueue;
}): void {
  jobs.every('forget-webhooks', 86_400_000, () => forgetWebhooks(db, new Date(clock() - keptMs)));
}
