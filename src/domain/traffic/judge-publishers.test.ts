import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgePublishers, type PublisherTraffic } from './judge-publishers.js';
import { rateBounds } from './rate-bounds.js';

const honest = (n: number, more: Partial<PublisherTraffic> = {}): PublisherTraffic => ({
  publisherId: `p${n}`,
  impressions: 5000,
  clicks: 120 + n,
  fastClicks: 1,
  placed: 4000,
  displaced: 30,
  conversions: 9,
  ...more,
});
const network = [1, 2, 3, 4, 5, 6].map((n) => honest(n));
const ruleOf = (more: Partial<PublisherTraffic>): string | undefined =>
  judgePublishers([...network, honest(9, more)]).find((one) => one.publisherId === 'p9')?.rule;

test('honest publishers are left alone, each other kind is named', () => {
  assert.deepEqual(judgePublishers(network), []);
  assert.equal(ruleOf({ clicks: 1000, conversions: 60 }), 'click_rate');
  assert.equal(ruleOf({ fastClicks: 60 }), 'time_to_click');
  assert.equal(ruleOf({ displaced: 2000 }), 'impossible_geography');
  assert.equal(ruleOf({ clicks: 400, conversions: 0 }), 'conversion_rate_low');
  assert.equal(ruleOf({ conversions: 80 }), 'conversion_rate_high');
});

test('few events prove nothing', () => {
  assert.equal(ruleOf({ impressions: 10, clicks: 5, fastClicks: 1, conversions: 0 }), undefined);
  assert.equal(ruleOf({ clicks: 5, fastClicks: 2, conversions: 3 }), undefined);
});

test('the bounds hold the rate and close in on it', () => {
  fc.assert(
    fc.property(fc.nat(1000), fc.integer({ min: 1, max: 1000 }), (hits, more) => {
      const trials = hits + more;
      const { low, high } = rateBounds(hits, trials);
      assert.ok(low <= hits / trials && hits / trials <= high && low >= 0 && high <= 1);
      const closer = rateBounds(hits * 100, trials * 100);
      assert.ok(closer.high - closer.low < high - low);
    }),
  );
});
