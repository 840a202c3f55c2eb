import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entry } from '../../../test/support/auction-entry.js';
import {
  type DecidedWith,
  type DecisionRecord,
  readRecord,
  recordDecision,
} from './decision-record.js';
import { type AuctionResult, type Loser, runAuction } from './run-auction.js';

const decision = Object.assign(
  runAuction({
    entries: [1, 2, 3].map((index) =>
      entry(index, { bidMicros: 1_000_000 * index, relevance: 0.5 + index / 10 }),
    ),
    placements: [{ factor: 1, floorCpmMicros: 0 }],
    minRelevance: 0.3,
    reserveCpmMicros: 0,
    seed: 1,
  }),
  {
    rejected: [{ candidate: entry(4).candidate, relevance: 0.1234567, reason: 'budget' as const }],
  },
);
const decidedWith = { matching: 'lexical', model: 'words', clicksLearned: 12.4, reading: null };
/** As the database gives it back. */
const read = (record: string): DecisionRecord => readRecord(Buffer.from(record, 'base64'));
const kept = (limit: number): Record<string, unknown>[] =>
  read(recordDecision(decision, limit, decidedWith)).candidates;

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
    const none = { ...lostOnly([]), rejected };
    return read(recordDecision(none, 12, decidedWith)).candidates;
  };
  const common = { relevance: 0.5, outcome: 'budget', ad_id: adId };
  assert.deepEqual(recordOf(null), [{ ...common, campaign_id: campaignId }]);
  assert.deepEqual(recordOf('group'), [{ ...common, campaign_id: null }]);
});

/** An auction nobody won. */
function lostOnly(losers: Loser[]): Pick<AuctionResult, 'winners' | 'nextBest' | 'bestRelevance'> {
  return {
    winners: [],
    nextBest: (count) => [...losers].sort((a, b) => (a.score < b.score ? 1 : -1)).slice(0, count),
    bestRelevance: Math.max(-1, ...losers.map((loser) => loser.entry.relevance)),
  };
}

test('what it was decided with comes back, known words and others', () => {
  const said = (of: Partial<DecidedWith>): DecidedWith => {
    const { candidates, ...rest } = read(recordDecision(decision, 12, { ...decidedWith, ...of }));
    assert.equal(candidates.length, 4);
    return rest as DecidedWith;
  };
  assert.deepEqual(said({}), { ...decidedWith, clicksLearned: 12 });
  const other = { matching: 'semantic', model: 'e5-größer@3', clicksLearned: 70_000 };
  for (const reading of [[990, 3, null, 801], [0, 1000, 12, 0], 'unread'] as const)
    assert.deepEqual(said({ ...other, reading }), { ...other, reading });
});

test('every reason and number comes back, however many alike or large', () => {
  const names = ['country', 'budget', 'a reason of a later version', 'experiment'];
  const rejected = names.flatMap((reason, n) =>
    [-0.000001, 0, 0.5, 1].map((relevance, m) => ({
      candidate: {
        ...entry(4).candidate,
        adId: `019a8c00-0000-7000-8000-00000000${n % 2}0f${m}`,
        adGroupId: 'group',
      },
      relevance,
      reason: reason as 'budget',
    })),
  );
  const large = { ...decision.losers[0]!, score: 2 ** 51 + 1 };
  const endless = { ...large, score: Infinity, reason: 'below_floor' as const };
  const record = recordDecision({ ...lostOnly([large, endless]), rejected }, 60, decidedWith);
  const rows = read(record).candidates;
  assert.deepEqual(
    rows.slice(2).map((row) => [row['outcome'], row['relevance'], row['ad_id']]),
    rejected.map(({ reason, relevance, candidate }) => [reason, relevance, candidate.adId]),
  );
  assert.deepEqual(
    rows.slice(0, 2).map((row) => row['score']),
    [0, 2 ** 51 + 1],
  );
});

test('six candidates of different ads and numbers are no more than 270 bytes', () => {
  const losers = Array.from({ length: 6 }, (_, n) => ({
    score: 4_700_000 + 91_003 * n,
    reason: 'outbid' as const,
    entry: {
      ...entry(n),
      candidate: {
        ...entry(n).candidate,
        adId: `019${n}${n}c0${n}-4${n}00-7${n}1${n}-8${n}00-${n}000000${n}0000`,
        adGroupId: 'group',
      },
      relevance: 0.61 + n * 0.031_007,
      pctr: 0.011 + n * 0.000_307,
      pcvr: 0.05 + n * 0.001_307,
      quality: 0.9 + n * 0.012_345,
      multiplier: 1 + n * 0.012_345,
      bidMicros: 5_000_000 + n * 100_000,
    },
  }));
  const record = recordDecision({ ...lostOnly(losers), rejected: [] }, 6, decidedWith);
  assert.ok(
    Buffer.byteLength(record, 'base64') <= 270,
    String(Buffer.byteLength(record, 'base64')),
  );
});

test('records of earlier versions are read as they are, and what is no record is empty', () => {
  const former = (candidates: unknown): Record<string, unknown>[] =>
    readRecord(null, { candidates }).candidates;
  const first = { relevance: 0.5, outcome: 'budget', ad_id: 'ad-1', campaign_id: 'campaign-1' };
  assert.deepEqual(former([[500_000, 'budget', 'ad-1', 'campaign-1']]), [first]);
  assert.deepEqual(former('apsw,budget,ad-1,campaign-1'), [first]);
  assert.deepEqual(former(''), []);
  assert.deepEqual(former([{ ad_id: 'x', outcome: 'won', relevance: 0.5 }]), [
    { ad_id: 'x', outcome: 'won', relevance: 0.5 },
  ]);
  assert.deepEqual(former(undefined), []);
  assert.deepEqual(readRecord(null, { matching: 'lexical', model: ['words', 3] }), {
    matching: 'lexical',
    model: 'words',
    clicksLearned: 3,
    reading: null,
    candidates: [],
  });
  assert.deepEqual(readRecord(Buffer.from([9, 1, 2])).candidates, []);
});
