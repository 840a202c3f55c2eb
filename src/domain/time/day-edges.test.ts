import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayEdges, type EdgeRun, moveEdge } from './day-edges.js';
import { dayIndex, dayRange } from './day-range.js';

const hour = 3_600_000;
const day = 24 * hour;
const zones = [
  'UTC',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Chatham',
  'America/St_Johns',
  'Asia/Kolkata',
];

test('UTC days with their edges moved are the local days', () => {
  const starts = fc.constantFrom('2026-11-15', '2012-01-20', '2011-12-30', '2026-03-30');
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      starts,
      fc.integer({ min: 1, max: 800 }),
      fc.array(fc.nat({ max: 810 * 96 }), { maxLength: 60 }),
      (tz, last, days, quarters) => {
        const end = Date.parse(`${last}T09:30:00Z`);
        const { boundaries } = dayRange({ days }, tz, end);
        const { first, end: stop, owners, hours, rests } = dayEdges(boundaries);
        const events = quarters.map((quarter) => end + 2 * day - (quarter * hour) / 4);
        const sums = new Float64Array(days);
        for (const at of events)
          if (at >= first && at < stop)
            sums[owners[Math.floor((at - first) / day)] ?? 0] =
              (sums[owners[Math.floor((at - first) / day)] ?? 0] ?? 0) + 1;
        for (const run of [...hours, ...rests])
          for (let n = 0; n < run.days; n += 1)
            moveEdge(
              sums,
              run,
              n,
              events.filter((at) => at >= run.from + n * day && at < run.to + n * day).length,
            );
        const expected = new Float64Array(days);
        for (const at of events) {
          const index = dayIndex(boundaries, at);
          if (index >= 0 && index < days) expected[index] = (expected[index] ?? 0) + 1;
        }
        assert.deepEqual(sums, expected);
      },
    ),
    { numRuns: 150 },
  );
});

test('edges are whole hours and at most half an hour beside them, in a few runs', () => {
  const lengths = (runs: readonly EdgeRun[]): number[] => runs.map((run) => run.to - run.from);
  for (const tz of zones) {
    const { hours, rests } = dayEdges(
      dayRange({ days: 3650 }, tz, Date.UTC(2026, 10, 15)).boundaries,
    );
    assert.ok(lengths(hours).every((length) => length % hour === 0 && length <= 12 * hour));
    assert.ok(lengths(rests).every((length) => length <= hour / 2));
    assert.ok(hours.length <= 41 && rests.length <= 41);
    if (tz === 'UTC') assert.deepEqual([hours, rests], [[], []]);
  }
});
