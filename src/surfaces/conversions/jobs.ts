import { formatUuidV7 } from '../../domain/uuid.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { deleteExpired, deleteOldConversions } from './queries.js';
import { dayMs } from '../../domain/time/utc-day.js';

/**
 * Forgets repeats after 48 hours, links once no conversion can use them, and conversions after the
 * retention period.
 */
export function conversionJobs(
  jobs: Pick<JobQueue, 'every'>,
  deps: { db: Db; clock: Clock; clickWindowMs: number; retentionDays: number },
): void {
  jobs.every('sweep-conversions', 3_600_000, () => sweepConversions(deps));
}

export async function sweepConversions({
  db,
  clock,
  clickWindowMs,
  retentionDays,
}: {
  db: Db;
  clock: Clock;
  clickWindowMs: number;
  retentionDays: number;
}): Promise<void> {
  const now = clock();
  await deleteExpired(db, 'conversion_keys', new Date(now - 2 * dayMs));
  await deleteExpired(db, 'pixel_sessions', new Date(now - 2 * dayMs));
  // A conversion may be a week late.
  await deleteExpired(db, 'click_links', new Date(now - clickWindowMs - 8 * dayMs));
  await deleteExpired(db, 'conversion_charges', new Date(now - clickWindowMs - 8 * dayMs));
  await deleteExpired(db, 'past_budgets', new Date(now - clickWindowMs - 8 * dayMs));
  await deleteOldConversions(db, formatUuidV7(now - retentionDays * dayMs, new Uint8Array(16)));
}
