import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { MintId } from '../../platform/ids.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { type DeliverDeps, deliverWebhook } from './deliver-webhook.js';
import { findAlerts, type FoundAlert } from './find-alerts.js';
import { deleteOldAlerts, insertAlert, insertDeliveries } from './queries.js';

export interface AlertJobDeps extends DeliverDeps {
  mintId: MintId;
  jobs: JobQueue;
}

const keepMs = 90 * 86_400_000;

/**
 * Looks for trouble every five minutes and tells the endpoints that want to know, again and again
 * until they take it.
 */
export function alertJobs(deps: AlertJobDeps): void {
  deps.jobs.every('find-alerts', 5 * 60_000, async () => {
    for (const found of await findAlerts(deps.db, deps.clock())) await raiseAlert(deps, found);
    await deleteOldAlerts(deps.db, new Date(deps.clock() - keepMs));
  });
  deps.jobs.handle(
    'deliver-webhook',
    ({ alert_id, endpoint_id }) => deliverWebhook(deps, alert_id, endpoint_id),
    { maxAttempts: 12 },
  );
}

/**
 * Stores the alert and its deliveries together with the jobs that carry them, or nothing. Resolves
 * to whether it is new.
 */
export function raiseAlert(
  deps: { db: Db; clock: Clock; mintId: MintId; jobs: JobQueue },
  found: FoundAlert,
  only: string | null = null,
): Promise<boolean> {
  const now = deps.clock();
  const alert = { ...found, id: deps.mintId(now), at: new Date(now) };
  return deps.db.transaction(async (tx) => {
    if (!(await insertAlert(tx, alert))) return false;
    for (const endpointId of await insertDeliveries(tx, alert, only)) {
      await deps.jobs.enqueue(tx, 'deliver-webhook', `${alert.id}:${endpointId}`, {
        alert_id: alert.id,
        endpoint_id: endpointId,
      });
    }
    return true;
  });
}
