import { type CampaignStatus, hasApproved, type ReviewStatus } from './review-state.js';

// Whether a campaign is shown right now and why not, as one status in place of four.

export interface DeliveryFacts {
  readonly status: CampaignStatus;
  readonly isActive: boolean;
  readonly isArchived: boolean;
  readonly reviewStatus: ReviewStatus;
  readonly showsApproved: boolean;
  readonly submittedAt: number | null;
  readonly reviewedAt: number | null;
  readonly reviewNotes: string | null;
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly dailyBudgetMicros: number;
  readonly spentTodayMicros: number;
  readonly isPausedForBilling: boolean;
  /** Billing enabled, or credit left. */
  readonly canPay: boolean;
  readonly isBlocked: boolean;
  /** An ad or ad unit people may be shown, in a group that runs. */
  readonly hasAds: boolean;
}

export const deliveryStatuses = [
  'showing',
  'not_showing',
  'scheduled',
  'ended',
  'paused',
  'draft',
  'archived',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const deliveryReasons = [
  'live',
  'edit_in_review',
  'edit_rejected',
  'in_review',
  'rejected',
  'no_ads',
  'daily_budget_spent',
  'no_credit',
  'account_blocked',
  'switched_off',
  'paused',
  'paused_for_billing',
  'not_started',
  'ended',
  'not_submitted',
  'archived',
] as const;
export type DeliveryReason = (typeof deliveryReasons)[number];

export interface Delivery {
  readonly status: DeliveryStatus;
  readonly reason: DeliveryReason;
  /** The reason in words, for people. */
  readonly message: string;
  /** Since when, or from when on where it has not begun. */
  readonly since: number | null;
}

/** The first thing that has to change for the campaign to be shown, or that it is shown. */
export function deliveryOf(facts: DeliveryFacts, now: number): Delivery {
  return (
    setAside(facts) ??
    stopped(facts, now) ??
    (hasApproved(facts) ? null : judged(facts)) ??
    starved(facts) ??
    shown(facts)
  );
}

function setAside(facts: DeliveryFacts): Delivery | null {
  if (facts.isArchived) return say('archived', 'archived', 'Archived.');
  if (facts.isBlocked)
    return say('not_showing', 'account_blocked', 'The account is blocked. Ask the operator.');
  if (facts.status === 'draft')
    return say('draft', 'not_submitted', 'A draft. Activate it to submit it for review.');
  if (facts.status === 'paused')
    return facts.isPausedForBilling
      ? say('paused', 'paused_for_billing', 'Paused until billing is settled.')
      : say('paused', 'paused', 'Paused by you.');
  return facts.isActive
    ? null
    : say('not_showing', 'switched_off', 'Switched off (is_active is false).');
}

function stopped(facts: DeliveryFacts, now: number): Delivery | null {
  if (facts.endsAt !== null && facts.endsAt <= now)
    return say('ended', 'ended', 'Its end date has passed.', facts.endsAt);
  if (facts.startsAt !== null && facts.startsAt > now && hasApproved(facts))
    return say('scheduled', 'not_started', 'Approved; it has not begun yet.', facts.startsAt);
  return null;
}

function judged(facts: DeliveryFacts): Delivery {
  if (facts.reviewStatus === 'rejected')
    return say(
      'not_showing',
      'rejected',
      `Rejected: ${facts.reviewNotes ?? 'no reason was given.'}`,
      facts.reviewedAt,
    );
  return say('not_showing', 'in_review', 'Waiting for review.', facts.submittedAt);
}

function starved(facts: DeliveryFacts): Delivery | null {
  if (!facts.canPay)
    return say('not_showing', 'no_credit', 'No billing and no credit left. See Billing.');
  if (!facts.hasAds) return say('not_showing', 'no_ads', 'No approved ad in a running ad group.');
  return null;
}

function shown(facts: DeliveryFacts): Delivery {
  if (facts.spentTodayMicros >= facts.dailyBudgetMicros)
    return say(
      'not_showing',
      'daily_budget_spent',
      'Today’s budget is spent. Ads resume at midnight in your time zone.',
    );
  if (facts.reviewStatus === 'rejected')
    return say(
      'showing',
      'edit_rejected',
      `The approved version is shown. Your edit was rejected: ${facts.reviewNotes ?? 'no reason was given.'}`,
      facts.reviewedAt,
    );
  if (facts.showsApproved)
    return say(
      'showing',
      'edit_in_review',
      'The approved version is shown until your edit is approved.',
      facts.submittedAt,
    );
  return say('showing', 'live', 'Shown where it fits.');
}

function say(
  status: DeliveryStatus,
  reason: DeliveryReason,
  message: string,
  since: number | null = null,
): Delivery {
  return { status, reason, message, since };
}
