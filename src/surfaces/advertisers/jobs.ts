import { deploymentOf } from '../../domain/review/review-state.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { forgetOldKeys } from '../../platform/http/write-once.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { announceCampaign, lockAnyCampaign, updateCampaign } from './campaigns/campaign-queries.js';
import { chooseNetwork } from './campaigns/choose-network.js';
import { difference } from './write.js';

/** Background sync: what is derived agrees with what was set. */
export function advertiserJobs({
  db,
  clock,
  jobs,
}: {
  db: Db;
  clock: Clock;
  jobs: JobQueue;
}): void {
  jobs.handle('sync-campaign', async (_payload, { key }) => {
    await db.transaction(async (tx) => {
      const campaign = await lockAnyCampaign(tx, key);
      if (campaign === null) return;
      const state = {
        status: campaign.status,
        isActive: campaign.is_active,
        isArchived: campaign.is_archived,
        reviewStatus: campaign.review_status,
      };
      const change = difference(campaign, {
        network: chooseNetwork(campaign),
        deployment_status: deploymentOf(state),
      });
      if (change === null) return;
      await updateCampaign(tx, campaign.id, { ...change.after, updated_at: new Date(clock()) });
      await announceCampaign(tx, campaign.id);
    });
  });
  jobs.every('forget-idempotency-keys', 3_600_000, () => forgetOldKeys(db, clock()));
}
