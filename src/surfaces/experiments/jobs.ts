import { announce, channels } from '../../platform/channels.js';
import type { ExperimentsDeps } from './routes.js';
import {
  forgetUnits,
  listForgettable,
  listOverlong,
  lockUnforgotten,
  stopExperiment,
} from './queries.js';
import { reportExperiment } from './report-experiment.js';
import { dayMs } from '../../domain/time/utc-day.js';

/**
 * Who was in which arm is known only for a while. What came of it is worked out once more, and
 * stays.
 */
export function experimentJobs(deps: ExperimentsDeps): void {
  const { db, clock, jobs } = deps;
  jobs.every('forget-experiments', dayMs, async () => {
    const now = clock();
    const at = new Date(now);
    for (const { id, campaignId } of await listOverlong(db, new Date(now - deps.runDays * dayMs)))
      await db.transaction(async (tx) => {
        await stopExperiment(tx, id, at);
        await announce(tx, channels.inventory, { campaignId, adGroupId: null });
      });
    const ended = await listForgettable(db, new Date(now - deps.keptDays * dayMs));
    for (const row of ended)
      await db.transaction(async (tx) => {
        // Another node may be at it: counting what it is deleting would keep half of the result.
        if (!(await lockUnforgotten(tx, row.id))) return;
        const { results } = await reportExperiment({ ...deps, db: tx }, row.advertiserId, row, now);
        await forgetUnits(tx, row.id, results);
      });
  });
}
