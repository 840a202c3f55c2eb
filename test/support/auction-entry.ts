import fc from 'fast-check';
import type { Candidate } from '../../src/domain/decision/candidate.js';
import { type BillingModel, billingModelNames } from '../../src/domain/billing/billing-models.js';
import { type BidPlan, planBid } from '../../src/domain/decision/derive-bid.js';
import type { Entry } from '../../src/domain/decision/run-auction.js';

function plan(charge: BillingModel): BidPlan {
  return {
    charge,
    goal: 'click',
    amountMicros: 0,
    capMicros: Infinity,
    clickCapMicros: Infinity,
    conversionCapMicros: Infinity,
    favourConversions: false,
    automatic: false,
  };
}

/** A servable ad that takes part in an auction, with numbers that are easy to reckon with. */
export function entry(
  adIndex: number,
  change: Partial<Entry> & { charge?: BillingModel; advertiser?: number } = {},
): Entry {
  const { charge = 'cpc', advertiser = adIndex, ...rest } = change;
  const candidate: Candidate = {
    adId: `ad-${adIndex}`,
    adGroupId: null,
    campaignId: `campaign-${adIndex}`,
    advertiserId: `advertiser-${advertiser}`,
    adIndex,
    advertiserActive: true,
    billable: true,
    prepaid: false,
    timeZone: 'UTC',
    campaignStatus: 'active',
    campaignLive: true,
    campaignArchived: false,
    reviewStatus: 'approved',
    deploymentStatus: 'deployed',
    groupStatus: 'active',
    adStatus: 'active',
    adReviewStatus: 'approved',
    startsAt: 0,
    endsAt: Infinity,
    campaignCountries: null,
    groupCountries: null,
    campaignDevices: null,
    groupDevices: null,
    demographics: null,
    bid: plan(charge),
    feedbackQuality: 1,
    excludedCategories: null,
    excludedPublishers: null,
    sessionCap: Infinity,
    userCap: Infinity,
    experiment: null,
  };
  return {
    candidate,
    relevance: 0.8,
    pctr: 0.02,
    drawnPctr: 0.02,
    pcvr: 0.05,
    quality: 1,
    multiplier: 1,
    bidMicros: 1_000_000,
    roomMicros: 1e9,
    ...rest,
  };
}

const limit = fc.constantFrom(null, 10_000, 3_000_000);

/** What campaigns of every billing model, goal and limit bid. */
export const bidPlans: fc.Arbitrary<BidPlan> = fc
  .record({
    billingModel: fc.constantFrom<BillingModel>(...billingModelNames),
    objective: fc.constantFrom('impressions' as const, 'clicks' as const, 'conversions' as const),
    bidStrategy: fc.constantFrom('lowest_cost' as const, 'bid_cap' as const),
    dailyBudgetMicros: fc.constant(100_000_000),
    maxCpmMicros: limit,
    maxCpcMicros: limit,
    groupMaxCpcMicros: limit,
    maxCpaMicros: limit,
    impressionGoal: fc.constant(null),
    clickGoal: fc.constant(null),
  })
  .map(planBid);
