import { isUuid } from '../../../domain/uuid.js';
import { AppError, fieldError } from '../../../platform/errors.js';
import {
  archiveAds,
  findAd,
  findAdGroup,
  insertAds,
  updateAd,
} from '../ad-groups/ad-group-queries.js';
import { announceGroup, lockCampaign, updateCampaign } from '../campaigns/campaign-queries.js';
import { createFieldReader } from '../fields/field-reader.js';
import { moveCampaign } from '../campaigns/move-campaign.js';
import { waitsElsewhere } from '../review/review-queries.js';
import { type AdColumns, readAd } from '../ad-groups/read-ad-group.js';
import type { AdGroupRow, AdRow, CampaignRow } from '../rows.js';
import type { AdInput } from '../schema.js';
import { forgetAdVersions, keepAdVersions } from '../review/version-queries.js';
import { audit, difference, keepsApproved, tellServing, type Write } from '../write.js';

const visible = ['headline', 'copy', 'cta', 'description', 'landing_page', 'image_url'] as const;

export function changesWhatPeopleSee(changed: AdColumns): boolean {
  return visible.some((name) => name in changed);
}

/** A new ad as it is stored: nobody has looked at it. */
export function newAd(
  write: Write,
  group: Pick<AdGroupRow, 'id' | 'campaign_id'>,
  columns: AdColumns,
  number: number,
): AdRow {
  const at = new Date(write.now);
  return {
    id: write.mintId(write.now),
    ad_group_id: group.id,
    campaign_id: group.campaign_id,
    advertiser_id: write.advertiserId,
    name: columns.name ?? columns.headline?.trim().slice(0, 80) ?? `Ad ${number}`,
    headline: columns.headline ?? null,
    copy: columns.copy ?? null,
    cta: columns.cta ?? null,
    description: columns.description ?? null,
    landing_page: columns.landing_page ?? null,
    image_url: columns.image_url ?? null,
    source: 'manual',
    status: columns.status ?? 'active',
    review_status: 'pending',
    created_at: at,
    updated_at: at,
  };
}

export async function createAd(write: Write, groupId: string, body: AdInput): Promise<AdRow> {
  const { tx } = write;
  const group = await findAdGroup(tx, write.advertiserId, groupId);
  if (group === null) throw new AppError('not_found');
  const campaign = await lockOwn(write, group.campaign_id);
  const current = await findAdGroup(tx, write.advertiserId, groupId);
  if (current?.group_type !== 'manual')
    throw fieldError(
      ['path', 'ad_group_id'],
      'A generative group writes its own ads',
      'not_accepted',
    );
  const reader = createFieldReader(body);
  const columns = readAd(reader, body);
  reader.done();
  const ad = newAd(write, group, columns, 1);
  await insertAds(tx, [ad]);
  await audit(write, 'create', 'ad', ad.id, null, ad);
  await resubmit(write, campaign, group.id);
  return (await findAd(tx, write.advertiserId, ad.id)) ?? ad;
}

export async function editAd(write: Write, adId: string, body: AdInput): Promise<AdRow> {
  const { tx } = write;
  const { campaign, ad } = await lockAd(write, adId);
  requireAuthored(ad);
  const reader = createFieldReader(body);
  const columns = readAd(reader, body);
  reader.done();
  const change = difference(ad, columns);
  if (change === null) return ad;
  const isVisible = changesWhatPeopleSee(change.after);
  if (isVisible && keepsApproved(write, campaign))
    await keepAdVersions(tx, ad.ad_group_id, [ad.id]);
  await updateAd(tx, ad.id, {
    ...change.after,
    ...(isVisible ? { review_status: 'pending' as const } : {}),
    updated_at: new Date(write.now),
  });
  await audit(write, 'update', 'ad', ad.id, change.before, change.after);
  if (isVisible) await resubmit(write, campaign, ad.ad_group_id);
  else await announceGroup(tx, campaign.id, ad.ad_group_id);
  return (await findAd(tx, write.advertiserId, ad.id)) ?? ad;
}

export async function archiveAd(write: Write, adId: string): Promise<void> {
  const { campaign, ad } = await lockAd(write, adId);
  requireAuthored(ad);
  if (ad.status === 'archived') return;
  await archiveAds(write.tx, ad.ad_group_id, [ad.id], new Date(write.now));
  await forgetAdVersions(write.tx, campaign.id, [ad.id]);
  await audit(write, 'archive', 'ad', ad.id, { status: ad.status }, { status: 'archived' });
  await announceGroup(write.tx, campaign.id, ad.ad_group_id);
}

/**
 * Something people see in a locked campaign changed, perhaps in one group only: hand it in again
 * where it had been handed in, and tell serving.
 */
export async function resubmit(
  write: Write,
  campaign: CampaignRow,
  groupId: string | null,
): Promise<void> {
  const isAlone = groupId !== null && !(await waitsElsewhere(write.tx, campaign.id, groupId));
  const moved = difference(
    campaign,
    await moveCampaign(write, campaign, [{ kind: 'edit', keep: keepsApproved(write, campaign) }]),
  );
  if (moved !== null) {
    await updateCampaign(write.tx, campaign.id, {
      ...moved.after,
      updated_at: new Date(write.now),
    });
    await audit(write, 'resubmit', 'campaign', campaign.id, moved.before, moved.after);
  }
  if (
    isAlone &&
    (moved === null || !('review_status' in moved.after || 'deployment_status' in moved.after))
  )
    await announceGroup(write.tx, campaign.id, groupId);
  else await tellServing(write, campaign.id);
}

export async function lockOwn(write: Write, campaignId: string): Promise<CampaignRow> {
  const locked = write.later?.locked.get(campaignId);
  if (locked !== undefined) return locked;
  const campaign = isUuid(campaignId)
    ? await lockCampaign(write.tx, write.advertiserId, campaignId)
    : null;
  if (campaign === null) throw new AppError('not_found');
  return campaign;
}

/**
 * The campaign first, then what is in it: always in this order, so that no two edits wait for each
 * other.
 */
async function lockAd(write: Write, adId: string): Promise<{ campaign: CampaignRow; ad: AdRow }> {
  const known = await findAd(write.tx, write.advertiserId, adId);
  if (known === null) throw new AppError('not_found');
  const campaign = await lockOwn(write, known.campaign_id);
  const ad = await findAd(write.tx, write.advertiserId, adId);
  if (ad === null) throw new AppError('not_found');
  return { campaign, ad };
}

function requireAuthored(ad: AdRow): void {
  if (ad.source !== 'manual')
    throw fieldError(['path', 'ad_id'], 'Generated ads are read-only', 'not_accepted');
}
