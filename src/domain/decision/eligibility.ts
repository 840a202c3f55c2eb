// May this ad be shown for this request at all? The first rule that fails is the reason an operator
// reads.
import type { AgeRange, Candidate, Demographics, Experiment } from './candidate.js';
import type { CampaignCounts } from './frequency-cap.js';

export type IneligibleReason =
  | 'advertiser_blocked'
  | 'billing_required'
  | 'campaign_archived'
  | 'campaign_inactive'
  | 'not_approved'
  | 'not_deployed'
  | 'group_inactive'
  | 'ad_inactive'
  | 'ad_not_approved'
  | 'not_started'
  | 'ended'
  | 'advertiser_excluded'
  | 'brand_safety'
  | 'ad_disliked'
  | 'adults_only'
  | 'country_unknown'
  | 'country'
  | 'device_unknown'
  | 'device'
  | 'gender'
  | 'age'
  | 'interests'
  | 'session_cap'
  /** How often it was shown may not be counted, and it asks to be shown only so often. */
  | 'cap_uncounted'
  | 'user_cap'
  | 'budget'
  /** Would have run, but for the arm of an experiment the person is in. */
  | 'experiment';

export type EligibilityRequest = {
  now: number;
  /** Upper case, null when unknown. */
  country: string | null;
  /** Lower case, null when unknown. */
  device: string | null;
  gender: string | null;
  age: AgeRange | null;
  /** Lower case. */
  interests: ReadonlySet<string>;
  publisherId: string;
  /** IAB content category of the conversation; null when unknown. */
  category: string | null;
  excludedAdvertisers: ReadonlySet<string>;
  /** Ads this user gave a thumbs down. */
  dislikedAds: ReadonlySet<string>;
  /** What this session and user have already seen; null when there is no history. */
  sessionCounts: CampaignCounts | null;
  userCounts: CampaignCounts | null;
  sessionCap: number;
  userCap: number;
  /** Nothing may be counted of this person. */
  isUncounted?: boolean;
  /** The arm of an experiment the person is in; null: not part of it. */
  variantOf: (experiment: Experiment) => string | null;
};

/**
 * `roomMicros` is what is left of the tightest budget the ad would be paid from; the auction never
 * lets a price pass it.
 */
export function eligible(
  candidate: Candidate,
  request: EligibilityRequest,
  roomMicros: number,
): IneligibleReason | null {
  return (
    (candidate.servable === true ? null : unservable(candidate)) ??
    outsideDates(candidate, request.now) ??
    unwanted(candidate, request) ??
    wrongPlace(candidate, request) ??
    wrongAudience(candidate.demographics, request) ??
    tooOften(candidate, request) ??
    (roomMicros < 1 ? 'budget' : null) ??
    otherArm(candidate, request)
  );
}

/** The part that does not depend on the request: inventory that fails it need not be indexed. */
export function unservable(candidate: Candidate): IneligibleReason | null {
  if (!candidate.advertiserActive) return 'advertiser_blocked';
  if (candidate.campaignArchived) return 'campaign_archived';
  if (candidate.campaignStatus !== 'active' || !candidate.campaignLive) return 'campaign_inactive';
  if (candidate.reviewStatus !== 'approved') return 'not_approved';
  if (candidate.deploymentStatus !== 'deployed') return 'not_deployed';
  if (candidate.groupStatus !== 'active') return 'group_inactive';
  if (candidate.adStatus !== 'active') return 'ad_inactive';
  if (candidate.adReviewStatus !== 'approved') return 'ad_not_approved';
  return candidate.billable ? null : 'billing_required';
}

/** Whether anybody may see it while its campaign runs: no place, person or number was set. */
export function asksForNothing(candidate: Candidate): boolean {
  return (
    candidate.servable === true &&
    candidate.excludedCategories === null &&
    candidate.excludedPublishers === null &&
    candidate.campaignCountries === null &&
    candidate.groupCountries === null &&
    candidate.campaignDevices === null &&
    candidate.groupDevices === null &&
    candidate.demographics === null &&
    candidate.sessionCap === Infinity &&
    candidate.userCap === Infinity &&
    candidate.experiment === null
  );
}

/** Whether the same holds of who asks: nobody and nothing was turned down, nothing shown before. */
export function refusesNothing(request: EligibilityRequest): boolean {
  return (
    request.excludedAdvertisers.size === 0 &&
    request.dislikedAds.size === 0 &&
    request.sessionCounts === null &&
    request.userCounts === null
  );
}

/** `eligible` for a candidate that asks for nothing, on one of its days. */
export function eligibleAnywhere(
  candidate: Candidate,
  request: EligibilityRequest,
  roomMicros: number,
): IneligibleReason | null {
  return (
    unwanted(candidate, request) ??
    tooOften(candidate, request) ??
    (roomMicros < 1 ? 'budget' : null)
  );
}

function outsideDates(candidate: Candidate, now: number): IneligibleReason | null {
  if (now < candidate.startsAt) return 'not_started';
  return now >= candidate.endsAt ? 'ended' : null;
}

function unwanted(candidate: Candidate, request: EligibilityRequest): IneligibleReason | null {
  const { excludedAdvertisers, dislikedAds } = request;
  // Mostly there are none, and it is asked for every candidate.
  if (excludedAdvertisers.size > 0 && excludedAdvertisers.has(candidate.advertiserId))
    return 'advertiser_excluded';
  if (isUnsafe(candidate, request)) return 'brand_safety';
  return dislikedAds.size > 0 && dislikedAds.has(candidate.adId) ? 'ad_disliked' : null;
}

/** A conversation nobody could tell the category of may be of the excluded one. */
function isUnsafe(candidate: Candidate, request: EligibilityRequest): boolean {
  const { excludedCategories, excludedPublishers } = candidate;
  if (excludedPublishers?.has(request.publisherId) === true) return true;
  if (excludedCategories === null) return false;
  return request.category === null || excludedCategories.has(request.category);
}

/** A limit that is not known to be met is not met. */
function wrongPlace(candidate: Candidate, request: EligibilityRequest): IneligibleReason | null {
  const { campaignCountries, groupCountries, campaignDevices, groupDevices } = candidate;
  if (campaignCountries !== null || groupCountries !== null) {
    const country = request.country;
    if (country === null) return 'country_unknown';
    if (
      (campaignCountries !== null && !campaignCountries.has(country)) ||
      (groupCountries !== null && !groupCountries.has(country))
    )
      return 'country';
  }
  if (campaignDevices !== null || groupDevices !== null) {
    const device = request.device;
    if (device === null) return 'device_unknown';
    if (
      (campaignDevices !== null && !campaignDevices.has(device)) ||
      (groupDevices !== null && !groupDevices.has(device))
    )
      return 'device';
  }
  return null;
}

function wrongAudience(
  wanted: Demographics | null,
  request: EligibilityRequest,
): IneligibleReason | null {
  if (wanted === null) return null;
  if (wanted.genders !== null && (request.gender === null || !wanted.genders.has(request.gender)))
    return 'gender';
  if (wanted.ageRanges !== null && !overlaps(wanted.ageRanges, request.age)) return 'age';
  if (wanted.interests !== null && !intersects(wanted.interests, request.interests))
    return 'interests';
  return null;
}

function overlaps(ranges: readonly AgeRange[], age: AgeRange | null): boolean {
  if (age === null) return false;
  for (const range of ranges) if (range.from <= age.to && age.from <= range.to) return true;
  return false;
}

function intersects(wanted: ReadonlySet<string>, given: ReadonlySet<string>): boolean {
  for (const interest of given) if (wanted.has(interest)) return true;
  return false;
}

/** Asked last: people count in an experiment when nothing else stood in the way. */
function otherArm(candidate: Candidate, request: EligibilityRequest): IneligibleReason | null {
  const { experiment, adGroupId } = candidate;
  const name = experiment === null ? null : request.variantOf(experiment);
  if (experiment === null || name === null) return null;
  if (experiment.kind === 'holdout') return name === 'holdout' ? 'experiment' : null;
  const groups = experiment.variants.find((one) => one.name === name)?.ad_group_ids ?? [];
  return groups.length === 0 || (adGroupId !== null && groups.includes(adGroupId))
    ? null
    : 'experiment';
}

function tooOften(candidate: Candidate, request: EligibilityRequest): IneligibleReason | null {
  const { sessionCounts, userCounts } = request;
  // A cap that cannot be kept is not dropped: the network's own is nobody's wish, an advertiser's
  // is.
  if (request.isUncounted === true && Math.min(candidate.sessionCap, candidate.userCap) < Infinity)
    return 'cap_uncounted';
  if (
    sessionCounts !== null &&
    sessionCounts.count(candidate.campaignId, request.now) >=
      Math.min(request.sessionCap, candidate.sessionCap)
  )
    return 'session_cap';
  return userCounts !== null &&
    userCounts.count(candidate.campaignId, request.now) >=
      Math.min(request.userCap, candidate.userCap)
    ? 'user_cap'
    : null;
}
