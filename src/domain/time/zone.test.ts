import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatDate } from './zone.js';

test('the counted date is the one Date writes, in every year it can write with four digits', () => {
  const slow = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
  fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (instant) =>
      assert.equal(formatDate(instant), slow(instant)),
    ),
    { numRuns: 2000 },
  );
  for (let year = 1970; year < 2500; year += 1)
    for (const [month, day] of [
      [0, 1],
      [1, 28],
      [1, 29],
      [2, 1],
      [11, 31],
    ] as const)
      assert.equal(formatDate(Date.UTC(year, month, day)), slow(Date.UTC(year, month, day)));
});
