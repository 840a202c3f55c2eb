import type { Db } from '../../../platform/db/db.js';
import { announceGroup, lockAnyCampaign } from '../campaigns/campaign-queries.js';
import { checkAd } from './check-submission.js';
import { judgeAds, keepApprovedPages, loadPendingAds, retireSuperseded } from './review-queries.js';

/**
 * After the service wrote ads into a group. Unlike an advertiser's edit it does not take an
 * approved campaign off the air: the new ads wait alone, are turned down when a check stops them,
 * and where review is automatic are approved at once.
 */
export async function reviewGeneratedAds(
  tx: Db,
  { reviewMode, now }: { reviewMode: 'manual' | 'auto'; now: number },
  { campaignId, id: groupId }: { campaignId: string; id: string },
): Promise<void> {
  const campaign = await lockAnyCampaign(tx, campaignId);
  if (campaign === null) return;
  const pending = (await loadPendingAds(tx, campaignId)).filter((ad) => ad.source === 'generated');
  const isStopped = (ad: (typeof pending)[number]): boolean =>
    checkAd(campaign, ad).some((finding) => finding.level === 'block');
  const stopped = pending.filter(isStopped).map((ad) => ad.id);
  await judgeAds(tx, stopped, 'rejected');
  if (reviewMode === 'auto' && campaign.review_status === 'approved') {
    await judgeAds(
      tx,
      pending.map((ad) => ad.id).filter((id) => !stopped.includes(id)),
      'approved',
    );
    await keepApprovedPages(tx, [campaign], { replacing: true });
  }
  const retired = await retireSuperseded(tx, campaignId, new Date(now));
  for (const changed of new Set([groupId, ...pending.map((ad) => ad.ad_group_id), ...retired]))
    await announceGroup(tx, campaignId, changed);
}
