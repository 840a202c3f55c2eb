import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entry } from '../../../test/support/auction-entry.js';
import { readRecord, recordDecision } from './decision-record.js';
import { runAuction } from './run-auction.js';

const decision = {
  ...runAuction({
    entries: [1, 2, 3].map((index) =>
      entry(index, { bidMicros: 1_000_000 * index, relevance: 0.5 + index / 10 }),
    ),
    placements: [{ factor: 1, floorCpmMicros: 0 }],
    minRelevance: 0.3,
    reserveCpmMicros: 0,
    seed: 1,
  }),
  rejected: [{ candidate: entry(4).candidate, relevance: 0.1234567, reason: 'budget' as const }],
};
/** As the database gives it back. */
const kept = (limit: number): Record<string, unknown>[] =>
  readRecord(JSON.parse(JSON.stringify(recordDecision(decision, limit))));

test('a record names the winner with its price first, then the others by score, then who could not take part', () => {
  const rows = kept(12);
  assert.deepEqual(
    rows.map((row) => [row['ad_id'], row['outcome']]),
    [
      ['ad-3', 'won'],
      ['ad-2', 'outbid'],
      ['ad-1', 'outbid'],
      ['ad-4', 'budget'],
    ],
  );
  assert.deepEqual(rows[0], {
    relevance: 0.8,
    outcome: 'won',
    ad_id: 'ad-3',
    campaign_id: 'campaign-3',
    pctr: 0.02,
    pcvr: 0.05,
    quality: 1,
    multiplier: 1,
    bid_micros: 3_000_000,
    score: 60_000_000,
    placement: 0,
    price_micros: 2_000_000,
    charge: 'cpc',
    basis: 'second_price',
    runner_up_score: 40_000_000,
  });
  assert.deepEqual(rows[3], {
    relevance: 0.123457,
    outcome: 'budget',
    ad_id: 'ad-4',
    campaign_id: 'campaign-4',
  });
});

test('it keeps no more than asked, winners and best losers before the rest', () => {
  assert.deepEqual(
    kept(2).map((row) => row['ad_id']),
    ['ad-3', 'ad-2'],
  );
});

test('ids come back whole, and the campaign of an ad is left to the ad', () => {
  const [adId, campaignId] = [
    '019a8c00-0000-7000-8000-0000000000ff',
    '019a8c00-0000-7000-8000-00000000abcd',
  ];
  const recordOf = (adGroupId: string | null): Record<string, unknown>[] => {
    const candidate = { ...entry(4).candidate, adId, campaignId, adGroupId };
    const rejected = [{ candidate, relevance: 0.5, reason: 'budget' as const }];
    return readRecord(recordDecision({ ...decision, winners: [], losers: [], rejected }, 12));
  };
  const common = { relevance: 0.5, outcome: 'budget', ad_id: adId };
  assert.deepEqual(recordOf(null), [{ ...common, campaign_id: campaignId }]);
  assert.deepEqual(recordOf('group'), [{ ...common, campaign_id: null }]);
});

test('records of the first versions are read as they are, and what is no record is empty', () => {
  assert.deepEqual(readRecord([[500_000, 'budget', 'ad-1', 'campaign-1']]), [
    { relevance: 0.5, outcome: 'budget', ad_id: 'ad-1', campaign_id: 'campaign-1' },
  ]);
  assert.deepEqual(readRecord(''), []);
  assert.deepEqual(readRecord([{ ad_id: 'x', outcome: 'won', relevance: 0.5 }]), [
    { ad_id: 'x', outcome: 'won', relevance: 0.5 },
  ]);
  assert.deepEqual(readRecord(undefined), []);
});
