import { AppError } from '../../../platform/errors.js';
import {
  archiveAds,
  findAdGroup,
  hasLiveManualAds,
  insertAdGroups,
  insertAds,
  listLiveAds,
  nextSortOrder,
  showsContext,
  unreviewAds,
  updateAd,
  updateAdGroup,
} from './ad-group-queries.js';
import { announceGroup } from '../campaigns/campaign-queries.js';
import { createFieldReader, type FieldReader } from '../fields/field-reader.js';
import { type AdGroupColumns, checkGroup, readAd, readAdGroup } from './read-ad-group.js';
import type { AdGroupRow, AdRow, CampaignRow } from '../rows.js';
import type { AdGroupPatch, EmbeddedGroup, ListedAd, NewAdGroup } from '../schema.js';
import { forgetAdVersions, keepAdVersions, keepGroupVersion } from '../review/version-queries.js';
import {
  audit,
  difference,
  keepBudget,
  keepsApproved,
  syncCampaign,
  type Write,
} from '../write.js';
import { changesWhatPeopleSee, lockOwn, newAd, resubmit } from '../ads/write-ads.js';

/** A body as rows, not stored yet. */
export function newAdGroup(
  write: Write,
  reader: FieldReader,
  campaign: Pick<CampaignRow, 'id'>,
  body: EmbeddedGroup,
  sortOrder: number,
): { group: AdGroupRow; ads: AdRow[] } {
  const columns = readAdGroup(reader, body);
  const at = new Date(write.now);
  const group: AdGroupRow = {
    id: write.mintId(write.now),
    campaign_id: campaign.id,
    advertiser_id: write.advertiserId,
    name: '',
    group_type: 'generative',
    status: 'active',
    context: null,
    negative_context: null,
    ad_prompt: null,
    brand_name: null,
    landing_page: null,
    daily_budget_micros: null,
    auto_optimize_budget: true,
    min_daily_budget_micros: null,
    max_daily_budget_micros: null,
    max_cpc_micros: null,
    allowed_countries: [],
    allowed_devices: [],
    sort_order: sortOrder,
    created_at: at,
    updated_at: at,
    ...columns,
  };
  checkGroup(reader, group, body.ads);
  const ads = (body.ads ?? []).map((ad, index) =>
    newAd(write, group, readAd(reader.at('ads', index), ad), index + 1),
  );
  return { group, ads };
}

/** Stores groups with their ads and asks for ads where they write themselves. */
export async function storeAdGroups(
  write: Write,
  created: readonly { group: AdGroupRow; ads: AdRow[] }[],
): Promise<void> {
  const { tx, jobs } = write;
  await insertAdGroups(
    tx,
    created.map(({ group }) => group),
  );
  await insertAds(
    tx,
    created.flatMap(({ ads }) => ads),
  );
  for (const { group } of created)
    if (group.group_type === 'generative')
      await jobs.enqueue(tx, 'generate-ads', group.id, { ad_group_id: group.id });
}

export async function createAdGroup(write: Write, body: NewAdGroup): Promise<AdGroupRow> {
  const campaign = await lockOwn(write, body.campaign_id);
  const reader = createFieldReader(body);
  const created = newAdGroup(
    write,
    reader,
    campaign,
    body,
    await nextSortOrder(write.tx, campaign.id),
  );
  reader.done();
  await storeAdGroups(write, [created]);
  await audit(write, 'create', 'ad_group', created.group.id, null, {
    ...created.group,
    ads: created.ads,
  });
  if (created.ads.length > 0) await resubmit(write, campaign, created.group.id);
  else await announceGroup(write.tx, campaign.id, created.group.id);
  await syncCampaign(write, campaign.id);
  return created.group;
}

export async function editAdGroup(
  write: Write,
  groupId: string,
  body: AdGroupPatch,
): Promise<AdGroupRow> {
  const { tx, jobs } = write;
  const { campaign, group } = await lockGroup(write, groupId);
  const reader = createFieldReader(body);
  if (body.campaign_id !== undefined && body.campaign_id !== group.campaign_id)
    reader.refuse('campaign_id', 'An ad group stays in its campaign', 'immutable');
  const columns = readAdGroup(reader, body);
  const edited: AdGroupRow = { ...group, ...columns };
  checkGroup(reader, edited, body.ads);
  if (
    group.group_type === 'manual' &&
    edited.group_type === 'generative' &&
    (await hasLiveManualAds(tx, group.id))
  )
    reader.refuse('group_type', 'Archive the manual ads first', 'conflict');
  const replaced = body.ads == null ? null : await planAds(write, reader, group, body.ads);
  reader.done();

  const change = difference(group, columns);
  if (change === null && replaced === null) return group;
  const at = new Date(write.now);
  const showedContext =
    change !== null && 'context' in change.after && (await showsContext(tx, group.id));
  if (change !== null) {
    await updateAdGroup(tx, group.id, { ...change.after, updated_at: at });
    await keepBudget(write, group.id, change.before);
    await audit(write, 'update', 'ad_group', group.id, change.before, change.after);
    if (change.after.status === 'archived') await archiveAds(tx, group.id, null, at);
  }
  const isSeen =
    showedContext ||
    (change !== null && ('brand_name' in change.after || 'landing_page' in change.after));
  if (isSeen) await reopenGroup(write, campaign, group);
  const adsChanged = replaced !== null && (await replaceAds(write, campaign, group, replaced));
  if (change !== null && writesAnew(edited, group, change.after))
    await jobs.enqueue(tx, 'generate-ads', group.id, { ad_group_id: group.id });
  if ((isSeen && (await listLiveAds(tx, group.id)).length > 0) || adsChanged)
    await resubmit(write, campaign, group.id);
  else await announceGroup(tx, campaign.id, group.id);
  await syncCampaign(write, campaign.id);
  return (await findAdGroup(tx, write.advertiserId, group.id)) ?? edited;
}

export async function archiveAdGroup(write: Write, groupId: string): Promise<void> {
  const { campaign, group } = await lockGroup(write, groupId);
  const at = new Date(write.now);
  const ads = await archiveAds(write.tx, group.id, null, at);
  if (group.status !== 'archived')
    await updateAdGroup(write.tx, group.id, { status: 'archived', updated_at: at });
  if (group.status !== 'archived' || ads > 0)
    await audit(
      write,
      'archive',
      'ad_group',
      group.id,
      { status: group.status },
      { status: 'archived', ads_archived: ads },
    );
  await announceGroup(write.tx, campaign.id, group.id);
}

/** The brief of a generative group changed, or a group became one. */
function writesAnew(edited: AdGroupRow, before: AdGroupRow, changed: AdGroupColumns): boolean {
  if (edited.group_type !== 'generative') return false;
  return (
    before.group_type !== 'generative' ||
    ['context', 'ad_prompt', 'brand_name', 'landing_page'].some((name) => name in changed)
  );
}

interface AdsPlan {
  added: AdRow[];
  edited: { ad: AdRow; body: ListedAd; place: number }[];
  gone: AdRow[];
}

/**
 * The list as it shall be: ads named by id stay and are edited, the others are new, what is not
 * listed goes.
 */
async function planAds(
  write: Write,
  reader: FieldReader,
  group: AdGroupRow,
  listed: readonly ListedAd[],
): Promise<AdsPlan> {
  const live = new Map((await listLiveAds(write.tx, group.id)).map((ad) => [ad.id, ad]));
  const plan: AdsPlan = { added: [], edited: [], gone: [] };
  for (const [place, body] of listed.entries()) {
    const inside = reader.at('ads', place);
    const ad = body.id == null ? undefined : live.get(body.id);
    const columns = readAd(inside, body);
    if (body.id == null) plan.added.push(newAd(write, group, columns, place + 1));
    else if (ad === undefined) inside.refuse('id', 'The group has no such ad', 'not_found');
    else if (ad.source !== 'manual' && difference(ad, columns) !== null)
      inside.refuse('id', 'Generated ads are read-only', 'not_accepted');
    else plan.edited.push({ ad, body, place });
  }
  const kept = new Set(plan.edited.map(({ ad }) => ad.id));
  plan.gone = [...live.values()].filter((ad) => !kept.has(ad.id));
  return plan;
}

function changesAd(ad: AdRow, body: ListedAd): boolean {
  const change = difference(ad, readAd(createFieldReader(body), body));
  return change !== null && changesWhatPeopleSee(change.after);
}

/** What is shown of the group has to be looked at again; as it was it may stay meanwhile. */
async function reopenGroup(write: Write, campaign: CampaignRow, group: AdGroupRow): Promise<void> {
  const { tx } = write;
  if (keepsApproved(write, campaign) && (await listLiveAds(tx, group.id)).length > 0) {
    await keepGroupVersion(tx, group, await showsContext(tx, group.id));
    await keepAdVersions(tx, group.id, null);
  }
  await unreviewAds(tx, group.id);
}

/** True when people will see something new. */
async function replaceAds(
  write: Write,
  campaign: CampaignRow,
  group: AdGroupRow,
  plan: AdsPlan,
): Promise<boolean> {
  const at = new Date(write.now);
  let isSeen = plan.added.length > 0;
  const seenBefore = [...plan.edited.map(({ ad }) => ad), ...plan.gone].map((ad) => ad.id);
  const isNew = isSeen || plan.edited.some(({ ad, body }) => changesAd(ad, body));
  // What is only taken away is not missed; what something new takes the place of stays until then.
  if (isNew && keepsApproved(write, campaign)) await keepAdVersions(write.tx, group.id, seenBefore);
  else
    await forgetAdVersions(
      write.tx,
      group.campaign_id,
      plan.gone.map((ad) => ad.id),
    );
  for (const { ad, body } of plan.edited) {
    const change = difference(ad, readAd(createFieldReader(body), body));
    if (change === null) continue;
    const isVisible = changesWhatPeopleSee(change.after);
    isSeen ||= isVisible;
    await updateAd(write.tx, ad.id, {
      ...change.after,
      ...(isVisible ? { review_status: 'pending' as const } : {}),
      updated_at: at,
    });
    await audit(write, 'update', 'ad', ad.id, change.before, change.after);
  }
  if (plan.gone.length > 0)
    await archiveAds(
      write.tx,
      group.id,
      plan.gone.map((ad) => ad.id),
      at,
    );
  await insertAds(write.tx, plan.added);
  if (plan.gone.length + plan.added.length > 0) {
    await audit(
      write,
      'replace_ads',
      'ad_group',
      group.id,
      { archived: plan.gone.map((ad) => ad.id) },
      { added: plan.added },
    );
  }
  return isSeen;
}

/**
 * The campaign first, then what is in it: always in this order, so that no two edits wait for each
 * other.
 */
async function lockGroup(
  write: Write,
  groupId: string,
): Promise<{ campaign: CampaignRow; group: AdGroupRow }> {
  const known = await findAdGroup(write.tx, write.advertiserId, groupId);
  if (known === null) throw new AppError('not_found');
  const campaign = await lockOwn(write, known.campaign_id);
  const group = await findAdGroup(write.tx, write.advertiserId, groupId);
  if (group === null) throw new AppError('not_found');
  return { campaign, group };
}
