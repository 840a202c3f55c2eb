import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nextMultiplier, smoothnessError } from './pacing.js';

const state = { budgetMicros: 100_000_000, share: 0.5, spentMicros: 50_000_000, reservedMicros: 0 };

test('on plan nothing changes; behind it the bid rises and ahead it falls, by the same step', () => {
  assert.equal(nextMultiplier(0.5, state), 0.5);
  assert.equal(nextMultiplier(0.5, { ...state, spentMicros: 40_000_000 }), 0.5 * Math.exp(0.15));
  assert.equal(nextMultiplier(0.5, { ...state, spentMicros: 60_000_000 }), 0.5 * Math.exp(-0.15));
  assert.equal(
    nextMultiplier(0.5, { ...state, spentMicros: 49_000_000 }),
    0.5 * Math.exp(0.15 * 0.5),
  );
});

test('what is out counts like what is spent', () => {
  assert.equal(
    nextMultiplier(0.5, { ...state, reservedMicros: 1_000_000 }),
    nextMultiplier(0.5, { ...state, spentMicros: 51_000_000 }),
  );
});

test('the multiplier stays within its limits', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.05, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 1e9 }),
      fc.integer({ min: 0, max: 1e9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (multiplier, budgetMicros, spentMicros, share) => {
        const next = nextMultiplier(multiplier, {
          budgetMicros,
          spentMicros,
          share,
          reservedMicros: 0,
        });
        assert.ok(next >= 0.05 && next <= 1);
      },
    ),
  );
});

test('smoothness is the mean distance from the plan', () => {
  assert.ok(Math.abs(smoothnessError([0, 0.4, 1], [0, 0.5, 0.9]) - 0.2 / 3) < 1e-12);
  assert.equal(smoothnessError([], []), 0);
});
