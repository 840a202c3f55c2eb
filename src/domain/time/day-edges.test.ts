import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayEdges } from './day-edges.js';
import { dayRange } from './day-range.js';

test('a midnight, its hours and the rest lead to the start of every local day', () => {
  const zones = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia', 'Pacific/Kiritimati', 'Pacific/Chatham', 'America/St_Johns', 'Asia/Kolkata'];
  fc.assert(fc.property(fc.constantFrom(...zones), fc.integer({ min: 1, max: 3000 }), (tz, days) => {
    const { boundaries } = dayRange({ days }, tz, Date.UTC(2026, 10, 15, 9, 30));
    const { midnights, hours, rests } = dayEdges(boundaries);
    const reached = [...midnights];
    for (const { index, from, to, sign } of [...hours, ...rests]) {
      assert.ok(from < to && to - from <= 12 * 3_600_000);
      reached[index] = (reached[index] ?? 0) + sign * (to - from);
    }
    assert.deepEqual(reached, boundaries);
    assert.ok(midnights.every((midnight) => midnight % 86_400_000 === 0));
    assert.ok(hours.every(({ from, to }) => from % 3_600_000 === 0 && to % 3_600_000 === 0));
    assert.ok(rests.every(({ from, to }) => to - from < 3_600_000));
    if (tz === 'UTC') assert.deepEqual([hours, rests], [[], []]);
  }), { numRuns: 60 });
});
