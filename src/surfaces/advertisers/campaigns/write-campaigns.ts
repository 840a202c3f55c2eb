import { usualModel } from '../../../domain/billing/billing-models.js';
import { AppError } from '../../../platform/errors.js';
import type { CampaignEvent } from '../../../domain/review/review-state.js';
import { newCampaign } from '../../../domain/review/review-state.js';
import { leadAlike } from '../../../domain/utm-params.js';
import { insertCampaign, lockAnyCampaign, showsName, updateCampaign } from './campaign-queries.js';
import { chooseNetwork } from './choose-network.js';
import { linkNew } from '../ads/write-ad-units.js';
import { judgeCampaign, moveCampaign } from './move-campaign.js';
import {
  type CampaignColumns,
  checkDates,
  readCampaign,
  readNewCampaign,
} from './read-campaign.js';
import type { AdGroupRow, CampaignRow } from '../rows.js';
import type { CampaignPatch, NewCampaign } from '../schema.js';
import { keepCampaignVersion } from '../review/version-queries.js';
import {
  audit,
  changeCampaignRow,
  difference,
  keepBudget,
  keepPages,
  keepsApproved,
  syncCampaign,
  tellServing,
  type Write,
} from '../write.js';
import { newAdGroup, storeAdGroups } from '../ad-groups/write-ad-groups.js';
import { lockOwn } from '../ads/write-ads.js';

export interface CreatedCampaign {
  campaign: CampaignRow;
  groups: AdGroupRow[];
  adUnitIds: string[];
}

/**
 * A whole campaign from one body, stored, audited, handed in for review when it is to run. Also
 * what seeding calls.
 */
export async function createCampaign(write: Write, body: NewCampaign): Promise<CreatedCampaign> {
  const { tx, now } = write;
  const { reader, columns } = readNewCampaign(body);
  const at = new Date(now);
  const campaign: CampaignRow = {
    ...blankCampaign(write, at),
    ...columns,
    start_time: columns.start_time ?? at,
  };
  campaign.network = chooseNetwork(campaign);
  checkDates(reader, campaign.start_time, campaign.end_time);
  const created = (body.ad_groups ?? []).map((group, index) =>
    newAdGroup(write, reader.at('ad_groups', index), campaign, group, index),
  );
  reader.done();

  await insertCampaign(tx, campaign);
  await storeAdGroups(write, created);
  const adUnitIds = await linkNew(write, campaign, body.ad_unit_ids ?? []);
  const status = body.status ?? (body.is_active === true ? 'active' : 'draft');
  const moved = await moveCampaign(write, campaign, [
    { kind: 'set_status', status, ...(body.is_active === false ? { isActive: false } : {}) },
  ]);
  const stored = { ...campaign, ...moved };
  await updateCampaign(tx, campaign.id, { ...moved, updated_at: at });
  await audit(write, 'create', 'campaign', campaign.id, null, {
    ...stored,
    ad_groups: created.map(({ group, ads }) => ({ ...group, ads })),
    ad_unit_ids: adUnitIds,
  });
  await syncCampaign(write, campaign.id);
  await tellServing(write, campaign.id);
  return { campaign: stored, groups: created.map(({ group }) => group), adUnitIds };
}

function blankCampaign(write: Write, at: Date): CampaignRow {
  return {
    id: write.mintId(write.now),
    advertiser_id: write.advertiserId,
    name: '',
    status: newCampaign.status,
    is_active: newCampaign.isActive,
    is_archived: newCampaign.isArchived,
    landing_page: '',
    campaign_objective: 'conversions',
    billing_model: usualModel,
    bid_strategy: 'lowest_cost',
    daily_budget_micros: 0,
    click_goal: null,
    impression_goal: null,
    conversion_type: null,
    cpa_trust: 'server',
    max_cpc_micros: null,
    max_cpm_micros: null,
    max_cpa_micros: null,
    demographics: null,
    brand_safety: null,
    frequency_cap: null,
    utm_params: null,
    allowed_countries: [],
    allowed_devices: [],
    custom_favicon_url: null,
    lead_form_config: null,
    network: 'own',
    review_status: newCampaign.reviewStatus,
    deployment_status: newCampaign.deploymentStatus,
    shows_approved: newCampaign.showsApproved,
    review_notes: null,
    submitted_for_review_at: null,
    reviewed_at: null,
    start_time: null,
    end_time: null,
    created_at: at,
    updated_at: at,
  };
}

export async function editCampaign(
  write: Write,
  campaignId: string,
  body: CampaignPatch,
): Promise<CampaignRow> {
  return editLocked(write, await lockOwn(write, campaignId), body);
}

/** The same of one that is locked already. */
export async function editLocked(
  write: Write,
  campaign: CampaignRow,
  body: CampaignPatch,
): Promise<CampaignRow> {
  const { tx } = write;
  const { reader, columns } = readCampaign(body);
  // A campaign always has a start: clearing it means the day it was made.
  if (columns.start_time === null) columns.start_time = campaign.created_at;
  const wanted = { ...campaign, ...columns };
  checkDates(reader, wanted.start_time, wanted.end_time);
  reader.done();
  columns.network = chooseNetwork(wanted);

  const edits = difference(campaign, columns);
  if (edits !== null && campaign.review_status === 'approved') await keepPages(write, campaign);
  const events: CampaignEvent[] = [];
  if (body.status !== undefined) events.push({ kind: 'set_status', status: body.status });
  if (edits !== null && (await isSeen(write, campaign, edits.after))) {
    const keep = keepsApproved(write, campaign);
    if (keep) await keepCampaignVersion(tx, campaign);
    events.push({ kind: 'edit', keep });
  }
  const moved = events.length === 0 ? {} : await moveCampaign(write, wanted, events);
  const change = difference(campaign, { ...columns, ...moved });
  if (change === null) return campaign;
  const edited = { ...campaign, ...change.after, updated_at: new Date(write.now) };
  await changeCampaignRow(write, campaign.id, { ...change.after, updated_at: edited.updated_at });
  await keepBudget(write, campaign.id, change.before);
  await audit(write, 'update', 'campaign', campaign.id, change.before, change.after);
  // Groups without a page of their own write about the campaign's.
  if ('landing_page' in change.after)
    await write.jobs.enqueue(tx, 'rewrite-ads', campaign.id, { campaign_id: campaign.id });
  await syncCampaign(write, campaign.id);
  await tellServing(write, campaign.id);
  return edited;
}

async function isSeen(
  write: Write,
  campaign: CampaignRow,
  changed: CampaignColumns,
): Promise<boolean> {
  if ('landing_page' in changed || 'custom_favicon_url' in changed || 'lead_form_config' in changed)
    return true;
  if ('utm_params' in changed && !leadAlike(campaign.utm_params, changed.utm_params)) return true;
  return 'name' in changed && (await showsName(write.tx, campaign.id));
}

export async function toggleCampaignArchive(
  write: Write,
  campaignId: string,
): Promise<CampaignRow> {
  return toggleLocked(write, await lockOwn(write, campaignId));
}

export async function toggleLocked(write: Write, campaign: CampaignRow): Promise<CampaignRow> {
  const moved = await moveCampaign(write, campaign, [{ kind: 'toggle_archive' }]);
  const change = difference(campaign, moved);
  if (change === null) return campaign;
  await changeCampaignRow(write, campaign.id, {
    ...change.after,
    updated_at: new Date(write.now),
  });
  await audit(
    write,
    campaign.is_archived ? 'unarchive' : 'archive',
    'campaign',
    campaign.id,
    change.before,
    change.after,
  );
  await tellServing(write, campaign.id);
  return { ...campaign, ...change.after };
}

export type Verdict = { kind: 'approve' } | { kind: 'reject'; notes: string; keep: boolean };

/**
 * A person's decision about a campaign of any account. `seen` is when the version they looked at
 * was handed in.
 */
export async function decideCampaign(
  write: Omit<Write, 'advertiserId'>,
  campaignId: string,
  verdict: Verdict,
  seen: number | null,
): Promise<CampaignRow> {
  const campaign = await lockAnyCampaign(write.tx, campaignId);
  if (campaign === null) throw new AppError('not_found');
  const submittedAt = campaign.submitted_for_review_at?.getTime() ?? null;
  if (
    seen !== null &&
    (submittedAt === null || Math.floor(submittedAt / 1000) !== Math.floor(seen / 1000))
  )
    throw new AppError('conflict');
  const own: Write = { ...write, advertiserId: campaign.advertiser_id };
  const moved = await judgeCampaign(own, campaign, verdict);
  const change = difference(campaign, moved);
  if (change !== null) {
    await updateCampaign(write.tx, campaign.id, {
      ...change.after,
      updated_at: new Date(write.now),
    });
    await audit(own, verdict.kind, 'campaign', campaign.id, change.before, change.after);
  }
  await tellServing(own, campaign.id);
  return { ...campaign, ...moved };
}
