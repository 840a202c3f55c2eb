// One ad with the settings of its group, campaign and account, flattened when the inventory
// snapshot is built, so that a decision only reads.
import type { BidPlan } from './derive-bid.js';

export type AgeRange = { from: number; to: number };

export type Demographics = {
  /** Lower case; null where the campaign sets no limit. */
  genders: ReadonlySet<string> | null;
  ageRanges: readonly AgeRange[] | null;
  interests: ReadonlySet<string> | null;
};

/** Which people are shown which groups of a campaign, or none of it. */
export type Experiment = {
  readonly id: string;
  readonly kind: 'ab' | 'holdout';
  readonly variants: readonly {
    readonly name: string;
    readonly weight: number;
    readonly ad_group_ids: readonly string[];
  }[];
};

export type Candidate = {
  adId: string;
  /** null for a legacy ad unit. */
  adGroupId: string | null;
  campaignId: string;
  advertiserId: string;
  /**
   * The ad's number in the click model (`model.adIndex(adId)`); also its identity in draws and
   * ties.
   */
  adIndex: number;

  /**
   * Known to pass every rule that does not depend on the request: those are not asked again for
   * each one. Anything but true: not known.
   */
  servable?: boolean;
  advertiserActive: boolean;
  /** Billing enabled, or prepaid credit left. */
  billable: boolean;
  /** Paid from credit, which is a budget of its own. */
  prepaid: boolean;
  /** Of the account that pays: its days are those of its budgets. */
  timeZone: string;
  campaignStatus: 'draft' | 'active' | 'paused';
  campaignLive: boolean;
  campaignArchived: boolean;
  reviewStatus: string;
  deploymentStatus: string;
  groupStatus: 'active' | 'paused' | 'archived';
  adStatus: string;
  adReviewStatus: string;
  /** Epoch milliseconds; 0 and Infinity when not set. */
  startsAt: number;
  endsAt: number;

  /**
   * Upper-case country codes; null where there is no limit. Campaign and group limits both hold.
   */
  campaignCountries: ReadonlySet<string> | null;
  groupCountries: ReadonlySet<string> | null;
  campaignDevices: ReadonlySet<string> | null;
  groupDevices: ReadonlySet<string> | null;
  demographics: Demographics | null;

  bid: BidPlan;
  /** From end-user feedback, see `feedbackQuality`. */
  feedbackQuality: number;
  /** Where the advertiser does not want to stand; null: anywhere. */
  excludedCategories: ReadonlySet<string> | null;
  excludedPublishers: ReadonlySet<string> | null;
  /** Its own, which can only be tighter than everybody's. */
  sessionCap: number;
  userCap: number;
  experiment: Experiment | null;
};

/** Younger people are aimed at by nobody: a campaign that names ages is not shown to them. */
export const adultFrom = 18;

/** `25-34`, `65+` or a single age; null when it is none of these. */
export function parseAgeRange(text: string): AgeRange | null {
  const match = /^(\d{1,3}) ?(?:(?:-|–) ?(\d{1,3})|(\+))?$/.exec(text.trim());
  if (match === null) return null;
  const from = Number(match[1]);
  const to = match[3] === '+' ? Infinity : match[2] === undefined ? from : Number(match[2]);
  return to >= from ? { from, to } : null;
}

/** A limit as sent: nothing or an empty list means everyone. */
export function limitOf(
  values: readonly string[] | null | undefined,
  fold: (value: string) => string,
): ReadonlySet<string> | null {
  return values === null || values === undefined || values.length === 0
    ? null
    : new Set(values.map((value) => fold(value.trim())));
}
