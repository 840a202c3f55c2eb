// How a campaign moves between being written, looked at and shown. `docs/review-states.md` draws
// it; a test keeps the two equal.

export const campaignStatuses = ['draft', 'active', 'paused'] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];
export const reviewStatuses = ['not_submitted', 'pending_review', 'approved', 'rejected'] as const;
export type ReviewStatus = (typeof reviewStatuses)[number];
export type DeploymentStatus = 'not_deployed' | 'pending_review' | 'deployed' | 'paused';

export interface CampaignState {
  readonly status: CampaignStatus;
  readonly isActive: boolean;
  readonly isArchived: boolean;
  /** Of the newest version, as `deploymentStatus` is. */
  readonly reviewStatus: ReviewStatus;
  /** The newest version is not approved, and the one approved before it is shown meanwhile. */
  readonly showsApproved: boolean;
  readonly deploymentStatus: DeploymentStatus;
}

export type CampaignEvent =
  /** `isActive: false` keeps an active campaign off the air from the start. */
  | { readonly kind: 'set_status'; readonly status: CampaignStatus; readonly isActive?: boolean }
  /** Something people see was changed; `keep` leaves what was approved on the air meanwhile. */
  | { readonly kind: 'edit'; readonly keep: boolean }
  | { readonly kind: 'toggle_archive' }
  | { readonly kind: 'approve' }
  /** `keep` turns down the newer version only. */
  | { readonly kind: 'reject'; readonly keep: boolean };

export interface Move {
  readonly state: CampaignState;
  /** It was handed in for review, again or for the first time. */
  readonly submitted: boolean;
}

/** What a campaign is before its first status is set. */
export const newCampaign: CampaignState = {
  status: 'draft',
  isActive: false,
  isArchived: false,
  reviewStatus: 'not_submitted',
  showsApproved: false,
  deploymentStatus: 'not_deployed',
};

/** null: the state does not allow it. */
export function nextState(state: CampaignState, event: CampaignEvent): Move | null {
  switch (event.kind) {
    case 'set_status': {
      const reviewStatus = reviewAfterStatus(state.reviewStatus, event.status);
      const isActive = event.status === 'active' && !state.isArchived && event.isActive !== false;
      return move(
        state,
        {
          status: event.status,
          isActive,
          reviewStatus,
          showsApproved: state.showsApproved && reviewStatus !== 'not_submitted',
        },
        reviewStatus === 'pending_review' && state.reviewStatus !== 'pending_review',
      );
    }
    case 'edit':
      // Nobody has been asked to look yet: they will see the newest version.
      if (state.reviewStatus === 'not_submitted') return { state, submitted: false };
      return move(
        state,
        { reviewStatus: 'pending_review', showsApproved: event.keep && hasApproved(state) },
        true,
      );
    case 'toggle_archive':
      if (state.isArchived)
        return move(state, { isArchived: false, isActive: state.status === 'active' }, false);
      return move(state, { isArchived: true, isActive: false, status: 'paused' }, false);
    case 'approve':
      return state.reviewStatus === 'not_submitted'
        ? null
        : move(state, { reviewStatus: 'approved', showsApproved: false }, false);
    case 'reject':
      return state.reviewStatus === 'not_submitted'
        ? null
        : move(
            state,
            { reviewStatus: 'rejected', showsApproved: event.keep && state.showsApproved },
            false,
          );
  }
}

/** Whether there is an approved version, the newest or one before it. */
export function hasApproved(state: Pick<CampaignState, 'reviewStatus' | 'showsApproved'>): boolean {
  return state.reviewStatus === 'approved' || state.showsApproved;
}

/**
 * A draft is withdrawn from review. Activating hands in what was never judged, or was turned down.
 */
function reviewAfterStatus(review: ReviewStatus, status: CampaignStatus): ReviewStatus {
  if (status === 'draft') return 'not_submitted';
  if (status === 'active' && (review === 'not_submitted' || review === 'rejected'))
    return 'pending_review';
  return review;
}

function move(state: CampaignState, changes: Partial<CampaignState>, submitted: boolean): Move {
  const next = { ...state, ...changes };
  return { state: { ...next, deploymentStatus: deploymentOf(next) }, submitted };
}

/** Follows from the rest; stored because serving filters on it. */
export function deploymentOf(
  state: Omit<CampaignState, 'deploymentStatus' | 'showsApproved'>,
): DeploymentStatus {
  switch (state.reviewStatus) {
    case 'not_submitted':
    case 'rejected':
      return 'not_deployed';
    case 'pending_review':
      return 'pending_review';
    case 'approved':
      return state.status === 'active' && state.isActive && !state.isArchived
        ? 'deployed'
        : 'paused';
  }
}
