import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bidPlans, entry } from '../../../test/support/auction-entry.js';
import type { Candidate } from './candidate.js';
import { createClickModel } from './click-model.js';
import { bidFor } from './derive-bid.js';
import { quality } from './quality.js';
import { runAuction } from './run-auction.js';
import { scoreCandidates } from './score-candidates.js';

const offer = fc.record({ bid: bidPlans, relevance: fc.double({ min: 0.3, max: 1, noNaN: true }) });

test('an auction is the same whether chances are worked out for all or for who is told of', () => {
  fc.assert(
    fc.property(fc.array(offer, { minLength: 1, maxLength: 30 }), fc.integer(), (offers, seed) => {
      const model = createClickModel();
      const candidates = offers.map(({ bid }, at): Candidate => ({ ...entry(at).candidate, bid }));
      const found = offers.flatMap(({ relevance }, at) => {
        const candidate = candidates[at];
        return candidate === undefined ? [] : [{ candidate, relevance }];
      });
      const scored = scoreCandidates(found, {
        request: { ...request, now: 1 },
        model,
        topicIndex: 0,
        minRelevance: 0.3,
        room: () => 1e9,
        multiplier: () => 0.5,
        seed,
      });
      const all = found.map(({ candidate, relevance }) => {
        const pctr = model.pctr(candidate.adIndex, 0, relevance);
        const pcvr = model.pcvr(candidate.adIndex);
        return {
          candidate,
          relevance,
          pctr,
          drawnPctr: model.explore(pctr, candidate.adIndex, 0, seed),
          pcvr,
          quality: quality(relevance, 1),
          multiplier: 0.5,
          bidMicros: bidFor(candidate.bid, pctr, pcvr, model.networkPcvr()),
          roomMicros: 1e9,
        };
      });
      const input = {
        placements: [
          { factor: 1, floorCpmMicros: 2000 },
          { factor: 0.8, floorCpmMicros: 0 },
        ],
        minRelevance: 0.3,
        reserveCpmMicros: 1000,
        seed,
      };
      const [few, every] = [scored.entries, all].map((entries) =>
        runAuction({ ...input, entries }),
      );
      assert.deepEqual(few?.winners, every?.winners);
      assert.deepEqual(few?.losers, every?.losers);
      assert.deepEqual(few?.nextBest(6), every?.nextBest(6));
    }),
  );
});

const request = {
  country: null,
  device: null,
  gender: null,
  age: null,
  interests: new Set<string>(),
  publisherId: 'p',
  category: null,
  excludedAdvertisers: new Set<string>(),
  dislikedAds: new Set<string>(),
  sessionCounts: null,
  userCounts: null,
  sessionCap: Infinity,
  userCap: Infinity,
  variantOf: () => null,
};
