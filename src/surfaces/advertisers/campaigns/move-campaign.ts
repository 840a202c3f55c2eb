import {
  type CampaignEvent,
  type CampaignState,
  hasApproved,
  nextState,
} from '../../../domain/review/review-state.js';
import { AppError, type FieldProblem } from '../../../platform/errors.js';
import { checkSubmission, describeBlocks } from '../review/check-submission.js';
import { linkedUnits } from '../ads/ad-unit-queries.js';
import {
  judgePendingAds,
  judgeUnits,
  keepApprovedPages,
  loadPendingAds,
  reopenRejectedAds,
  retireSuperseded,
  submitUnits,
} from '../review/review-queries.js';
import type { AdUnitRow, CampaignRow } from '../rows.js';
import { forgetVersions } from '../review/version-queries.js';
import type { Write } from '../write.js';

type StateColumns = Pick<
  CampaignRow,
  | 'status'
  | 'is_active'
  | 'is_archived'
  | 'review_status'
  | 'deployment_status'
  | 'shows_approved'
  | 'review_notes'
  | 'submitted_for_review_at'
  | 'reviewed_at'
>;

/**
 * Takes a locked campaign, already holding its new texts, through what happened to it, and says
 * what its state columns become.
 * Handing in checks what nobody has judged yet and, where review is automatic, approves it on the
 * spot.
 */
export async function moveCampaign(
  write: Write,
  campaign: CampaignRow,
  events: readonly CampaignEvent[],
): Promise<Partial<StateColumns>> {
  let state = stateOf(campaign);
  let submitted = false;
  for (const event of events) {
    if (
      event.kind === 'set_status' &&
      event.status === 'active' &&
      !(await write.billingGate(write.tx, campaign.advertiser_id))
    )
      throw new AppError('billing_required');
    const move = nextState(state, event);
    if (move === null) throw new AppError('conflict');
    state = move.state;
    submitted ||= move.submitted;
  }
  const moved =
    state.reviewStatus === 'not_submitted'
      ? {
          ...columnsOf(state),
          submitted_for_review_at: null,
          reviewed_at: null,
          review_notes: null,
        }
      : submitted
        ? await submit(write, campaign, state)
        : columnsOf(state);
  await settleVersions(write, campaign, moved);
  return moved;
}

/** A version that is not shown any longer is not kept. */
async function settleVersions(
  write: Write,
  campaign: CampaignRow,
  moved: Partial<StateColumns>,
): Promise<void> {
  const next = { ...campaign, ...moved };
  if (!next.shows_approved) await forgetVersions(write.tx, campaign.id);
  write.moves?.push({
    wasShown: isShown(campaign),
    isShown: isShown(next),
    waits: next.review_status === 'pending_review',
  });
}

function isShown(campaign: CampaignRow): boolean {
  return (
    campaign.status === 'active' &&
    campaign.is_active &&
    !campaign.is_archived &&
    hasApproved(stateOf(campaign))
  );
}

async function submit(
  write: Write,
  campaign: CampaignRow,
  state: CampaignState,
): Promise<Partial<StateColumns>> {
  const { tx, now } = write;
  const at = new Date(now);
  requireComplete(await linkedUnits(tx, campaign.id));
  if (campaign.review_status === 'rejected') await reopenRejectedAds(tx, campaign.id);
  const units = await submitUnits(tx, campaign.id, at);
  const findings = checkSubmission(campaign, await loadPendingAds(tx, campaign.id), units);
  const notes = describeBlocks(findings);
  // Whether the pages answer takes a while to find out and only flags.
  await write.jobs.enqueue(tx, 'review-campaign', campaign.id, { campaign_id: campaign.id });
  if (notes !== null || write.reviewMode === 'manual')
    return {
      ...columnsOf(state),
      submitted_for_review_at: at,
      reviewed_at: null,
      review_notes: notes,
    };
  return { ...(await approve(write, campaign, state)), submitted_for_review_at: at };
}

async function approve(
  write: Write,
  campaign: CampaignRow,
  state: CampaignState,
): Promise<Partial<StateColumns>> {
  const move = nextState(state, { kind: 'approve' });
  if (move === null) throw new AppError('conflict');
  const at = new Date(write.now);
  await judgePendingAds(write.tx, campaign.id, 'approved');
  await retireSuperseded(write.tx, campaign.id, at);
  await judgeUnits(write.tx, campaign.id, 'approved', null, at);
  await keepApprovedPages(write.tx, [campaign], { replacing: true });
  return { ...columnsOf(move.state), reviewed_at: at, review_notes: null };
}

/** A person's decision. */
export async function judgeCampaign(
  write: Write,
  campaign: CampaignRow,
  verdict: { kind: 'approve' } | { kind: 'reject'; notes: string; keep: boolean },
): Promise<Partial<StateColumns>> {
  const state = stateOf(campaign);
  if (verdict.kind === 'approve') {
    const moved = await approve(write, campaign, state);
    await settleVersions(write, campaign, moved);
    return moved;
  }
  const move = nextState(state, { kind: 'reject', keep: verdict.keep });
  if (move === null) throw new AppError('conflict');
  const at = new Date(write.now);
  await judgePendingAds(write.tx, campaign.id, 'rejected');
  await judgeUnits(write.tx, campaign.id, 'rejected', verdict.notes, at);
  const moved = { ...columnsOf(move.state), reviewed_at: at, review_notes: verdict.notes };
  await settleVersions(write, campaign, moved);
  return moved;
}

/** Ad units may be saved half written, but not handed in so. */
export function requireComplete(units: readonly AdUnitRow[]): void {
  const needed = ['description', 'landing_page', 'static_ad_text', 'static_cta'] as const;
  const problems: FieldProblem[] = [];
  for (const unit of units) {
    if (unit.status === 'archived') continue;
    for (const name of needed)
      if ((unit[name] ?? '').trim() === '')
        problems.push({
          type: 'missing',
          loc: ['body', 'ad_unit_ids', unit.id, name],
          msg: 'Required before the ad unit can be reviewed',
        });
  }
  if (problems.length > 0) throw new AppError('validation_failed', { detail: problems });
}

function stateOf(campaign: CampaignRow): CampaignState {
  return {
    status: campaign.status,
    isActive: campaign.is_active,
    isArchived: campaign.is_archived,
    reviewStatus: campaign.review_status,
    showsApproved: campaign.shows_approved,
    deploymentStatus: campaign.deployment_status,
  };
}

function columnsOf(state: CampaignState): Partial<StateColumns> {
  return {
    status: state.status,
    is_active: state.isActive,
    is_archived: state.isArchived,
    review_status: state.reviewStatus,
    deployment_status: state.deploymentStatus,
    shows_approved: state.showsApproved,
  };
}
