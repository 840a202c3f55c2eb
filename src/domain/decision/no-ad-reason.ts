import type { Refusal } from '../matching/match-query.js';
import type { IneligibleReason } from './eligibility.js';
import type { AuctionResult } from './run-auction.js';
import type { Rejected } from './score-candidates.js';

/** Why a request got no ad, in the words publishers read. */
export type NoAdReason =
  | Refusal['reason']
  | 'language'
  | 'no_fit'
  | 'capped'
  | 'no_budget'
  | 'not_approved_inventory'
  | 'consent';

const meaningOf: Partial<Record<IneligibleReason, NoAdReason>> = {
  session_cap: 'capped',
  cap_uncounted: 'capped',
  user_cap: 'capped',
  budget: 'no_budget',
  billing_required: 'no_budget',
  not_approved: 'not_approved_inventory',
  not_deployed: 'not_approved_inventory',
  ad_not_approved: 'not_approved_inventory',
  advertiser_excluded: 'excluded',
  brand_safety: 'excluded',
  ad_disliked: 'excluded',
  adults_only: 'consent',
};

/**
 * The first thing that stood in the way: of what was said, then of the offer that would have fitted
 * best.
 */
export function noAdReason(
  query: { refusal: Refusal | null; foreign: boolean },
  { rejected, losers }: Pick<AuctionResult, 'losers'> & { rejected: readonly Rejected[] },
): NoAdReason {
  if (query.refusal !== null) return query.refusal.reason;
  let best: { relevance: number; reason: NoAdReason } | null = null;
  for (const { relevance, reason } of rejected) {
    if (reason === 'low_relevance') continue;
    if (best === null || relevance > best.relevance)
      best = { relevance, reason: meaningOf[reason] ?? 'no_fit' };
  }
  if (best !== null) return best.reason;
  if (losers.length > 0) return 'no_budget';
  return query.foreign ? 'language' : 'no_fit';
}
