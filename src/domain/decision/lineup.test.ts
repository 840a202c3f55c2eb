import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bidPlans, entry } from '../../../test/support/auction-entry.js';
import { shifted } from '../reading/calibration.js';
import type { Candidate } from './candidate.js';
import { createClickModel } from './click-model.js';
import { type Entry } from './contenders.js';
import { bidFor } from './derive-bid.js';
import { eligible, type EligibilityRequest } from './eligibility.js';
import { createFrequencyCaps } from './frequency-cap.js';
import { Lineup } from './lineup.js';
import { quality } from './quality.js';
import { runAuction } from './run-auction.js';
import { type Rejected, Scoring } from './score-candidates.js';

const now = 1000;
const seldom = <T>(value: T, otherwise: T) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(otherwise) }, fc.constant(value));

/** Mostly one that asks for nothing; of each of the others some. */
const wishes = fc.record({
  servable: seldom<boolean | undefined>(undefined, true),
  adStatus: seldom('paused', 'active'),
  startsAt: fc.constantFrom(0, 999, 1000, 1001),
  endsAt: fc.constantFrom(Infinity, Infinity, 1000, 1001),
  campaignCountries: seldom<Candidate['campaignCountries']>(new Set(['DE']), null),
  groupCountries: seldom<Candidate['groupCountries']>(new Set(['FR']), null),
  campaignDevices: seldom<Candidate['campaignDevices']>(new Set(['mobile']), null),
  groupDevices: seldom<Candidate['groupDevices']>(new Set(['tablet']), null),
  demographics: seldom<Candidate['demographics']>(
    { genders: new Set(['female']), ageRanges: null, interests: null },
    null,
  ),
  excludedCategories: seldom<Candidate['excludedCategories']>(new Set(['IAB1']), null),
  excludedPublishers: seldom<Candidate['excludedPublishers']>(new Set(['p']), null),
  sessionCap: fc.constantFrom(Infinity, Infinity, 1),
  userCap: fc.constantFrom(Infinity, Infinity, 2),
  experiment: seldom<Candidate['experiment']>(
    { id: 'e', kind: 'holdout', variants: [{ name: 'holdout', weight: 1, ad_group_ids: [] }] },
    null,
  ),
  feedbackQuality: fc.constantFrom(1, 0.5),
});
const one = fc.record({
  wishes,
  bid: bidPlans,
  advertiser: fc.nat(5),
  relevance: fc.double({ min: 0, max: 1, noNaN: true }),
  multiplier: fc.constantFrom(1, 0.4),
  room: fc.constantFrom(0, 0.5, 1, 5000, 1e9),
});
const asked = fc.record({
  country: fc.constantFrom(null, 'DE', 'FR'),
  device: fc.constantFrom(null, 'mobile', 'tablet'),
  gender: fc.constantFrom(null, 'female'),
  category: fc.constantFrom(null, 'IAB1', 'IAB2'),
  excludedAdvertisers: seldom<ReadonlySet<string>>(new Set(['advertiser-1']), new Set()),
  dislikedAds: seldom<ReadonlySet<string>>(new Set(['ad-0', 'ad-2']), new Set()),
  isUncounted: fc.boolean(),
  variantOf: fc.constantFrom<EligibilityRequest['variantOf']>(
    () => null,
    () => 'holdout',
  ),
});

/** Each candidate by itself, with everything worked out for it. */
function obviously(
  found: readonly { candidate: Candidate; relevance: number; multiplier: number; room: number }[],
  terms: ConstructorParameters<typeof Scoring>[0],
  offset: number,
): { entries: Entry[]; rejected: Rejected[] } {
  const { request, model, topicIndex, minRelevance, seed } = terms;
  const entries: Entry[] = [];
  const rejected: Rejected[] = [];
  for (const { candidate, relevance: stated, multiplier, room } of found) {
    const relevance = shifted(stated, offset);
    const reason = relevance >= minRelevance ? eligible(candidate, request, room) : 'low_relevance';
    const pctr = model.pctr(candidate.adIndex, topicIndex, relevance);
    const pcvr = model.pcvr(candidate.adIndex);
    if (reason !== null) rejected.push({ candidate, relevance, reason });
    else
      entries.push({
        candidate,
        relevance,
        pctr,
        drawnPctr: model.explore(pctr, candidate.adIndex, topicIndex, seed),
        pcvr,
        quality: quality(relevance, candidate.feedbackQuality),
        multiplier,
        bidMicros: bidFor(candidate.bid, pctr, pcvr, model.networkPcvr()),
        roomMicros: room,
      });
  }
  return { entries, rejected };
}

test('a lineup is judged as each of its candidates is, and its auction ends the same', () => {
  fc.assert(
    fc.property(
      fc.array(one, { maxLength: 30 }),
      asked,
      fc.constantFrom('nobody', 'session', 'both'),
      fc.constantFrom(0, 0, -0.7, 0.4),
      fc.integer(),
      (ones, wanted, counted, offset, seed) => {
        const found = ones.map(({ wishes: own, bid, advertiser, ...rest }, at) => ({
          candidate: { ...entry(at, { advertiser }).candidate, ...own, bid },
          ...rest,
        }));
        const caps = createFrequencyCaps({
          windowMs: 1e6,
          maxSubjects: 9,
          maxCampaignsPerSubject: 9,
        });
        for (const at of [0, 0, 1, 3]) caps.record('s', `campaign-${at}`, now);
        const terms = {
          request: {
            now,
            age: null,
            interests: new Set<string>(),
            publisherId: 'p',
            sessionCap: 2,
            userCap: 3,
            sessionCounts: counted === 'nobody' ? null : caps.of('s'),
            userCounts: counted === 'both' ? caps.of('s') : null,
            ...wanted,
          },
          model: createClickModel(),
          topicIndex: 0,
          minRelevance: 0.3,
          seed,
        };
        const scoring = new Scoring(terms);
        scoring.considerAll(new Lineup(found), offset, (index) => found[index]?.room ?? 0);
        const slow = obviously(found, terms, offset);
        assert.deepEqual(scoring.rejected, slow.rejected);
        assert.deepEqual(
          scoring.entries.candidates,
          slow.entries.map(({ candidate }) => candidate),
        );
        const [fast, plain] = [scoring.entries, slow.entries].map((entries) =>
          runAuction({
            entries,
            placements: [
              { factor: 1, floorCpmMicros: 2000 },
              { factor: 0.8, floorCpmMicros: 0 },
              { factor: 1.2, floorCpmMicros: 0 },
            ],
            minRelevance: 0.3,
            reserveCpmMicros: 1000,
            seed,
          }),
        );
        assert.deepEqual(fast?.winners, plain?.winners);
        assert.deepEqual(fast?.losers, plain?.losers);
        assert.deepEqual(fast?.nextBest(6), plain?.nextBest(6));
        assert.equal(fast?.bestRelevance, plain?.bestRelevance);
      },
    ),
    { numRuns: 400 },
  );
});
