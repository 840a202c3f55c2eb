import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hasConversionRateFallen, hasDeliveryStopped, isBudgetNearlySpent } from './alert-rules.js';

test('a budget is nearly spent from four fifths on', () => {
  assert.equal(isBudgetNearlySpent(799, 1000), false);
  assert.equal(isBudgetNearlySpent(800, 1000), true);
  assert.equal(isBudgetNearlySpent(0, 0), false);
});

test('delivery stopped only where there was plenty a day ago', () => {
  assert.equal(hasDeliveryStopped({ impressionsNow: 0, impressionsBefore: 50 }), true);
  assert.equal(hasDeliveryStopped({ impressionsNow: 1, impressionsBefore: 5000 }), false);
  assert.equal(hasDeliveryStopped({ impressionsNow: 0, impressionsBefore: 49 }), false);
});

test('a conversion rate fell when it halved and chance cannot explain it', () => {
  assert.equal(
    hasConversionRateFallen({
      recentClicks: 1000,
      recentConversions: 10,
      usualClicks: 9000,
      usualConversions: 450,
    }),
    true,
  );
  assert.equal(
    hasConversionRateFallen({
      recentClicks: 1000,
      recentConversions: 30,
      usualClicks: 9000,
      usualConversions: 450,
    }),
    false,
  );
  assert.equal(
    hasConversionRateFallen({
      recentClicks: 60,
      recentConversions: 1,
      usualClicks: 9000,
      usualConversions: 450,
    }),
    false,
  );
  assert.equal(
    hasConversionRateFallen({
      recentClicks: 49,
      recentConversions: 0,
      usualClicks: 100,
      usualConversions: 90,
    }),
    false,
  );
});

test('more conversions than usual are never an alert', () => {
  fc.assert(
    fc.property(
      fc.nat(10_000),
      fc.nat(10_000),
      fc.nat(10_000),
      fc.nat(10_000),
      (recentClicks, recentConversions, usualClicks, usualConversions) => {
        fc.pre(recentConversions * usualClicks >= usualConversions * recentClicks);
        assert.equal(
          hasConversionRateFallen({
            recentClicks,
            recentConversions,
            usualClicks,
            usualConversions,
          }),
          false,
        );
      },
    ),
  );
});
