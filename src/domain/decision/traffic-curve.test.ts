import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createZone } from '../time/zone.js';
import { createTrafficCurve } from './traffic-curve.js';

const HOUR = 3_600_000;
const QUARTER = 900_000;
const START = Date.UTC(2026, 10, 1);

function learned(days: number, requestsAt: (hour: number) => number) {
  const curve = createTrafficCurve();
  for (let at = START; at <= START + days * 24 * HOUR; at += QUARTER)
    curve.observe(at, requestsAt(((at - START) / HOUR) % 24));
  return curve;
}

test('before anything is known the day is even', () => {
  const curve = createTrafficCurve();
  for (const hour of [0, 6, 12.1, 24])
    assert.ok(
      Math.abs(curve.share(START, START + 24 * HOUR, START + hour * HOUR) - hour / 24) < 1e-9,
    );
});

test('the shape of past days is learned', () => {
  const curve = learned(7, (hour) => (hour < 12 ? 10 : 30));
  const noon = curve.share(START, START + 24 * HOUR, START + 12 * HOUR);
  assert.ok(Math.abs(noon - 0.25) < 0.02, `${noon}`);
});

test('half a day of history does not make the other half look empty', () => {
  const curve = learned(0.5, () => 10);
  assert.ok(Math.abs(curve.share(START, START + 24 * HOUR, START + 12 * HOUR) - 0.5) < 0.01);
});

test('a local day is a stretch of the same curve, also at 25 hours and odd offsets', () => {
  const curve = learned(5, (hour) => (hour >= 12 && hour < 13 ? 100 : 1));
  for (const [tz, date, next] of [
    ['America/New_York', '2026-11-01', '2026-11-02'],
    ['Asia/Kathmandu', '2026-11-01', '2026-11-02'],
  ] as const) {
    const zone = createZone(tz);
    const [start, end] = [zone.startOfDay(date), zone.startOfDay(next)];
    const peak = Math.floor(start / (24 * HOUR)) * 24 * HOUR + 12 * HOUR;
    const inside = peak >= start ? peak : peak + 24 * HOUR;
    assert.ok(
      curve.share(start, end, inside) < 0.35 && curve.share(start, end, inside + HOUR) > 0.6,
      tz,
    );
  }
});

test('shares never fall during a day and run from 0 to 1', () => {
  const counts = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 10, maxLength: 200 });
  fc.assert(
    fc.property(counts, fc.integer({ min: 0, max: 23 }), (requests, offset) => {
      const curve = createTrafficCurve();
      requests.forEach((count, i) => curve.observe(START + i * QUARTER, count));
      const start = START + offset * HOUR;
      let last = 0;
      for (let at = start; at <= start + 24 * HOUR; at += QUARTER / 3) {
        const share = curve.share(start, start + 24 * HOUR, at);
        assert.ok(share >= last && share <= 1);
        last = share;
      }
      assert.equal(last, 1);
    }),
    { numRuns: 50 },
  );
});

test('a saved curve goes on where it was', () => {
  const curve = learned(2, (hour) => hour);
  const copy = createTrafficCurve(JSON.parse(JSON.stringify(curve.snapshot())));
  for (const each of [curve, copy]) each.observe(START + 3 * 24 * HOUR, 5);
  const now = START + 9 * HOUR;
  assert.equal(
    copy.share(START, START + 24 * HOUR, now),
    curve.share(START, START + 24 * HOUR, now),
  );
});
