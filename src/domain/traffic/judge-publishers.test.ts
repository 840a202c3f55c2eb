import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { judgePublishers, type PublisherTraffic } from './judge-publishers.js';
import { rateBounds } from './rate-bounds.js';

const honest = (n: number, more: Partial<PublisherTraffic> = {}): PublisherTraffic => ({
  publisherId: `p${n}`,
  impressions: 5000,
  toldImpressions: 5000,
  clicks: 120 + n,
  expectedClicks: 130,
  fastClicks: 1,
  placed: 4000,
  displaced: 30,
  converted: 12,
  claimed: 5,
  settledConversions: 10,
  expectedConversions: 8,
  elsewhereConversions: 8,
  elsewhereDue: 7,
  wasFound: false,
  ...more,
});
const network = [1, 2, 3, 4, 5, 6].map((n) => honest(n));
const ruleOf = (more: Partial<PublisherTraffic>): string | undefined =>
  judgePublishers([...network, honest(9, more)]).find((one) => one.publisherId === 'p9')?.rule;

test('honest publishers are left alone, each other kind is named', () => {
  assert.deepEqual(judgePublishers(network), []);
  assert.equal(ruleOf({ clicks: 1000, converted: 60 }), 'click_rate');
  assert.equal(ruleOf({ fastClicks: 60 }), 'time_to_click');
  assert.equal(ruleOf({ displaced: 2000 }), 'impossible_geography');
  assert.equal(ruleOf({ expectedConversions: 25, settledConversions: 1 }), 'conversion_rate_low');
  assert.equal(ruleOf({ converted: 80 }), 'conversion_rate_high');
});

test('clicks nobody buys after are told sooner where there are many, and not by other audiences', () => {
  const few = { expectedConversions: 9, settledConversions: 0 };
  assert.equal(ruleOf(few), undefined);
  assert.equal(ruleOf({ ...few, clicks: 350 }), 'conversion_rate_low');
  assert.equal(ruleOf({ clicks: 350 }), undefined);
  assert.equal(ruleOf({ expectedConversions: 25, settledConversions: 14 }), undefined);
  // Of advertisers that tell nobody of purchases nothing can be expected.
  assert.equal(ruleOf({ expectedConversions: 0, settledConversions: 0 }), undefined);
  assert.equal(ruleOf({ claimed: 60 }), 'conversion_rate_high');
});

test('a place where everybody clicks more is no offence', () => {
  assert.equal(ruleOf({ clicks: 1000, expectedClicks: 900, converted: 60 }), undefined);
});

test('those found out do not set the measure for the others', () => {
  const farms = [11, 12, 13, 14, 15].map((n) =>
    honest(n, { clicks: 2000, expectedClicks: 500, expectedConversions: 50 }),
  );
  const shy = honest(9, { expectedConversions: 30, settledConversions: 1 });
  const found = judgePublishers([...network, ...farms, shy]).map((one) => one.publisherId);
  assert.deepEqual(found.sort(), ['p11', 'p12', 'p13', 'p14', 'p15', 'p9']);
});

test('few events prove nothing', () => {
  assert.equal(
    ruleOf({ impressions: 10, clicks: 5, fastClicks: 1, expectedConversions: 1 }),
    undefined,
  );
  assert.equal(ruleOf({ clicks: 5, fastClicks: 2, converted: 3 }), undefined);
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
