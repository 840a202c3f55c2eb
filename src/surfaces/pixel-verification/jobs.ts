import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { listStalePixels } from './queries.js';
import { verifyAttempts, type VerifyDeps, verifyPixel } from './verify-pixel.js';
import { dayMs } from '../../domain/time/utc-day.js';

/**
 * Verifies a pixel soon after it is made, again with growing pauses while its page does not answer,
 * and every day.
 */
export function pixelJobs(jobs: JobQueue, deps: VerifyDeps): void {
  jobs.handle('verify-pixel', (_payload, { key, attempt }) => verifyPixel(deps, key, attempt), {
    maxAttempts: verifyAttempts,
    slow: true,
  });
  jobs.every('reverify-pixels', 3_600_000, async () => {
    for (const id of await listStalePixels(deps.db, new Date(deps.clock() - dayMs), 10_000))
      await jobs.enqueue(deps.db, 'verify-pixel', id, {});
  });
}
