import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chargeRate } from '../billing/billing-models.js';
import { bidFor, planBid, type BidSettings } from './derive-bid.js';

const settings: BidSettings = {
  billingModel: 'cpm',
  objective: 'conversions',
  bidStrategy: 'lowest_cost',
  dailyBudgetMicros: 50_000_000,
  maxCpmMicros: null,
  maxCpcMicros: null,
  groupMaxCpcMicros: null,
  maxCpaMicros: null,
  impressionGoal: null,
  clickGoal: null,
};
const bid = (change: Partial<BidSettings>, pctr = 0.02, pcvr = 0.05) => {
  const plan = planBid({ ...settings, ...change });
  return [plan.charge, Math.round(bidFor(plan, pctr, pcvr, 0.05))];
};

test('the limit of the billing model is the bid for one of its events', () => {
  assert.deepEqual(bid({ maxCpmMicros: 10_000_000 }), ['cpm', 10_000]);
  assert.deepEqual(bid({ billingModel: 'cpc', maxCpcMicros: 2_000_000 }), ['cpc', 2_000_000]);
  assert.deepEqual(bid({ billingModel: 'cpa', maxCpaMicros: 30_000_000 }), ['cpa', 30_000_000]);
});

test('a click limit means a bid per click, paid per click', () => {
  assert.deepEqual(bid({ maxCpcMicros: 1_500_000 }), ['cpc', 1_500_000]);
  assert.deepEqual(bid({ maxCpcMicros: 1_500_000, groupMaxCpcMicros: 900_000 }), ['cpc', 900_000]);
  assert.deepEqual(bid({ maxCpcMicros: 1_500_000, maxCpmMicros: 4_000_000 }), ['cpm', 4_000]);
  assert.deepEqual(bid({ maxCpcMicros: 1_500_000, billingModel: 'cpa', maxCpaMicros: 9_000_000 }), [
    'cpa',
    9_000_000,
  ]);
});

test('a limit of 0 is unset', () => {
  assert.deepEqual(
    bid({ maxCpcMicros: 0, groupMaxCpcMicros: 0, maxCpmMicros: 0, maxCpaMicros: 0 }),
    bid({}),
  );
});

test('a conversions campaign with a click limit bids less for clicks that rarely convert', () => {
  assert.deepEqual(bid({ maxCpcMicros: 1_000_000 }, 0.02, 0.025), ['cpc', 500_000]);
  assert.deepEqual(bid({ maxCpcMicros: 1_000_000 }, 0.02, 0.2), ['cpc', 1_000_000]);
  assert.deepEqual(bid({ maxCpcMicros: 1_000_000, objective: 'clicks' }, 0.02, 0.025), [
    'cpc',
    1_000_000,
  ]);
});

test('without a bid a conversions campaign bids by the chance of a conversion, others per impression or click', () => {
  assert.deepEqual(bid({}), ['cpm', 25_000_000 * 0.02 * 0.05]);
  assert.deepEqual(bid({ objective: 'impressions' }), ['cpm', 25_000]);
  assert.deepEqual(bid({ objective: 'clicks' }), ['cpm', 25_000]);
  assert.deepEqual(bid({ objective: 'impressions', impressionGoal: 10_000 }), ['cpm', 5_000]);
  assert.deepEqual(bid({ objective: 'clicks', billingModel: 'cpc', clickGoal: 100 }), [
    'cpc',
    500_000,
  ]);
});

test('the limit of a deeper event is carried over by its probability', () => {
  assert.deepEqual(bid({ maxCpaMicros: 20_000_000 }), ['cpm', 20_000]);
  assert.deepEqual(bid({ billingModel: 'cpc', maxCpaMicros: 20_000_000 }), ['cpc', 1_000_000]);
});

test('a bid cap makes every limit hold at once', () => {
  assert.deepEqual(
    bid({
      billingModel: 'cpc',
      maxCpcMicros: 2_000_000,
      maxCpaMicros: 10_000_000,
      objective: 'clicks',
      bidStrategy: 'bid_cap',
    }),
    ['cpc', 500_000],
  );
  assert.deepEqual(
    bid({ maxCpmMicros: 10_000_000, maxCpcMicros: 100_000, bidStrategy: 'bid_cap' }),
    ['cpm', 2_000],
  );
});

test('a bid never passes the limit of the charged event', () => {
  const limit = fc.option(fc.integer({ min: 0, max: 50_000_000 }));
  const anySettings = fc.record({
    billingModel: fc.constantFrom('cpm' as const, 'cpc' as const, 'cpa' as const),
    objective: fc.constantFrom('impressions' as const, 'clicks' as const, 'conversions' as const),
    bidStrategy: fc.constantFrom('lowest_cost' as const, 'bid_cap' as const),
    dailyBudgetMicros: fc.integer({ min: 0, max: 1e10 }),
    maxCpmMicros: limit,
    maxCpcMicros: limit,
    groupMaxCpcMicros: limit,
    maxCpaMicros: limit,
    impressionGoal: limit,
    clickGoal: limit,
  });
  fc.assert(
    fc.property(
      anySettings,
      fc.double({ min: 0.0001, max: 1, noNaN: true }),
      fc.double({ min: 0.0001, max: 1, noNaN: true }),
      (given, pctr, pcvr) => {
        const plan = planBid(given);
        const amount = bidFor(plan, pctr, pcvr, 0.05);
        assert.ok(Number.isFinite(amount) && amount >= 0);
        assert.ok(chargeRate(plan.charge, pctr, pcvr) > 0);
        const own =
          plan.charge === 'cpm'
            ? (given.maxCpmMicros ?? 0) / 1000
            : plan.charge === 'cpc'
              ? given.groupMaxCpcMicros || given.maxCpcMicros
              : given.maxCpaMicros;
        if (own !== null && own > 0 && (given.billingModel === plan.charge || !plan.automatic))
          assert.ok(amount <= own + 1e-6, `${amount} > ${own}`);
      },
    ),
  );
});
