import type { Candidate } from '../../src/domain/decision/candidate.js';
import type { BidPlan } from '../../src/domain/decision/derive-bid.js';
import type { EligibilityRequest } from '../../src/domain/decision/eligibility.js';

/** A live, approved candidate without limits. */
export function makeCandidate(
  id: string,
  adIndex: number,
  bid: BidPlan,
  over: Partial<Candidate> = {},
): Candidate {
  return {
    adId: id,
    adGroupId: `group-${id}`,
    campaignId: `campaign-${id}`,
    advertiserId: `advertiser-${id}`,
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
    bid,
    feedbackQuality: 1,
    excludedCategories: null,
    excludedPublishers: null,
    sessionCap: Infinity,
    userCap: Infinity,
    experiment: null,
    ...over,
  };
}

export function makeRequest(over: Partial<EligibilityRequest> = {}): EligibilityRequest {
  return {
    now: 0,
    country: null,
    device: null,
    gender: null,
    age: null,
    interests: new Set(),
    publisherId: 'publisher',
    variantOf: () => null,
    category: null,
    excludedAdvertisers: new Set(),
    dislikedAds: new Set(),
    sessionCounts: null,
    userCounts: null,
    sessionCap: Infinity,
    userCap: Infinity,
    ...over,
  };
}

export function perClick(amountMicros: number): BidPlan {
  return {
    charge: 'cpc',
    goal: 'click',
    amountMicros,
    capMicros: amountMicros,
    clickCapMicros: Infinity,
    conversionCapMicros: Infinity,
    favourConversions: false,
    automatic: false,
  };
}

export function perImpression(amountMicros: number): BidPlan {
  return { ...perClick(amountMicros), charge: 'cpm', goal: 'impression' };
}
