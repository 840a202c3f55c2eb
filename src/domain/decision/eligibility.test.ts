import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitOf, parseAgeRange, type Candidate } from './candidate.js';
import { planBid } from './derive-bid.js';
import { eligible, type EligibilityRequest, type IneligibleReason } from './eligibility.js';
import { createFrequencyCaps } from './frequency-cap.js';

const NOW = Date.UTC(2026, 10, 15);
const candidate: Candidate = {
  adId: 'ad',
  adGroupId: 'group',
  campaignId: 'campaign',
  advertiserId: 'advertiser',
  adIndex: 0,
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
  bid: planBid({
    billingModel: 'cpm',
    objective: 'impressions',
    bidStrategy: 'lowest_cost',
    dailyBudgetMicros: 1e8,
    maxCpmMicros: 5e6,
    maxCpcMicros: null,
    groupMaxCpcMicros: null,
    maxCpaMicros: null,
    impressionGoal: null,
    clickGoal: null,
  }),
  feedbackQuality: 1,
  excludedCategories: null,
  excludedPublishers: null,
  sessionCap: Infinity,
  userCap: Infinity,
  experiment: null,
};
const request: EligibilityRequest = {
  now: NOW,
  country: 'DE',
  device: 'mobile',
  gender: 'female',
  age: { from: 25, to: 34 },
  interests: new Set(['travel']),
  publisherId: 'publisher',
  variantOf: () => null,
  category: '210',
  excludedAdvertisers: new Set(),
  dislikedAds: new Set(),
  sessionCounts: null,
  userCounts: null,
  sessionCap: 2,
  userCap: 5,
};
const audience = (part: Partial<NonNullable<Candidate['demographics']>>) => ({
  demographics: { genders: null, ageRanges: null, interests: null, ...part },
});

test('an ad that meets every rule is eligible', () => {
  assert.equal(eligible(candidate, request, 1), null);
  const limited = {
    ...candidate,
    campaignCountries: new Set(['DE', 'FR']),
    groupCountries: new Set(['DE']),
    campaignDevices: new Set(['mobile']),
    groupDevices: new Set(['mobile']),
    excludedCategories: new Set(['286']),
    excludedPublishers: new Set(['other']),
    ...audience({
      genders: new Set(['female']),
      ageRanges: [{ from: 30, to: 40 }],
      interests: new Set(['travel', 'food']),
    }),
  };
  assert.equal(eligible(limited, request, 1), null);
});

test('every rule that fails names itself', () => {
  const failing: [IneligibleReason, Partial<Candidate>, Partial<EligibilityRequest>][] = [
    ['advertiser_blocked', { advertiserActive: false }, {}],
    ['campaign_archived', { campaignArchived: true }, {}],
    ['campaign_inactive', { campaignStatus: 'paused' }, {}],
    ['campaign_inactive', { campaignLive: false }, {}],
    ['not_approved', { reviewStatus: 'pending_review' }, {}],
    ['not_deployed', { deploymentStatus: 'pending_review' }, {}],
    ['group_inactive', { groupStatus: 'paused' }, {}],
    ['ad_inactive', { adStatus: 'archived' }, {}],
    ['ad_not_approved', { adReviewStatus: 'pending' }, {}],
    ['billing_required', { billable: false }, {}],
    ['not_started', { startsAt: NOW + 1 }, {}],
    ['ended', { endsAt: NOW }, {}],
    ['advertiser_excluded', {}, { excludedAdvertisers: new Set(['advertiser']) }],
    ['brand_safety', { excludedPublishers: new Set(['publisher']) }, {}],
    ['brand_safety', { excludedCategories: new Set(['286', '210']) }, {}],
    ['brand_safety', { excludedCategories: new Set(['286']) }, { category: null }],
    ['ad_disliked', {}, { dislikedAds: new Set(['ad']) }],
    ['country_unknown', { campaignCountries: new Set(['DE']) }, { country: null }],
    ['country', { campaignCountries: new Set(['US']) }, {}],
    ['country', { campaignCountries: new Set(['DE']), groupCountries: new Set(['US']) }, {}],
    ['device_unknown', { groupDevices: new Set(['mobile']) }, { device: null }],
    ['device', { campaignDevices: new Set(['desktop']) }, {}],
    ['gender', audience({ genders: new Set(['male']) }), {}],
    ['gender', audience({ genders: new Set(['male']) }), { gender: null }],
    [
      'age',
      audience({
        ageRanges: [
          { from: 18, to: 24 },
          { from: 35, to: Infinity },
        ],
      }),
      {},
    ],
    ['age', audience({ ageRanges: [{ from: 18, to: 99 }] }), { age: null }],
    ['interests', audience({ interests: new Set(['food']) }), {}],
    ['interests', audience({ interests: new Set(['food']) }), { interests: new Set() }],
  ];
  for (const [reason, change, situation] of failing)
    assert.equal(eligible({ ...candidate, ...change }, { ...request, ...situation }, 1), reason);
  assert.equal(eligible(candidate, request, 0), 'budget');
});

test('an unlimited campaign runs where nothing is known', () => {
  assert.equal(
    eligible(
      candidate,
      { ...request, country: null, device: null, gender: null, age: null, interests: new Set() },
      1,
    ),
    null,
  );
});

test('a campaign stops at the cap of the session and of the user, and comes back when the window is over', () => {
  const caps = createFrequencyCaps({ windowMs: 1000, maxSubjects: 10, maxCampaignsPerSubject: 4 });
  caps.record('s', 'campaign', NOW);
  assert.equal(eligible(candidate, { ...request, sessionCounts: caps.of('s') }, 1), null);
  caps.record('s', 'campaign', NOW + 1);
  const now = NOW + 2;
  assert.equal(
    eligible(candidate, { ...request, now, sessionCounts: caps.of('s') }, 1),
    'session_cap',
  );
  assert.equal(
    eligible(candidate, { ...request, now, userCounts: caps.of('s'), userCap: 2 }, 1),
    'user_cap',
  );
  assert.equal(
    eligible(
      { ...candidate, campaignId: 'other' },
      { ...request, now, sessionCounts: caps.of('s') },
      1,
    ),
    null,
  );
  assert.equal(
    eligible(candidate, { ...request, now: NOW + 1000, sessionCounts: caps.of('s') }, 1),
    null,
  );
});

test('ages are read as ranges, open ends and single years', () => {
  assert.deepEqual(parseAgeRange('25-34'), { from: 25, to: 34 });
  assert.deepEqual(parseAgeRange(' 65+ '), { from: 65, to: Infinity });
  assert.deepEqual(parseAgeRange('40'), { from: 40, to: 40 });
  for (const bad of ['', 'old', '34-25', '-5', '12-', '1e3'])
    assert.equal(parseAgeRange(bad), null, bad);
});

test('an empty limit is no limit', () => {
  const upper = (text: string) => text.toUpperCase();
  for (const none of [null, undefined, []]) assert.equal(limitOf(none, upper), null);
  assert.deepEqual(limitOf([' de', 'FR'], upper), new Set(['DE', 'FR']));
});
