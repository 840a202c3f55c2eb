import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Touchpoint, clockToleranceMs, creditedTo, evidenceOrder } from './attribution.js';

const day = 86_400_000;
const windows = { clickMs: 30 * day, viewMs: day };
const now = 1_790_000_000_000;
const touchpoint = fc.record({
  evidence: fc.constantFrom(...evidenceOrder),
  serveId: fc.uuid(),
  at: fc.integer({ min: now - 40 * day, max: now + day }),
});

test('the credited ad is the first of all that qualify, sorted by strength of evidence and then by time', () => {
  fc.assert(
    fc.property(fc.array(touchpoint, { maxLength: 8 }), (touchpoints) => {
      const qualify = (one: Touchpoint): boolean => {
        if (one.evidence === 'click_id') return now - one.at <= windows.clickMs;
        const longest = one.evidence === 'viewer_view' ? windows.viewMs : windows.clickMs;
        return one.at <= now + clockToleranceMs && one.at >= now - longest;
      };
      const sorted = touchpoints
        .filter(qualify)
        .sort(
          (a, b) =>
            evidenceOrder.indexOf(a.evidence) - evidenceOrder.indexOf(b.evidence) ||
            b.at - a.at ||
            (a.serveId < b.serveId ? 1 : -1),
        );
      assert.deepEqual(creditedTo(touchpoints, now, windows), sorted[0] ?? null);
    }),
  );
});

test('any click inside the window beats any view, and without a view window there are no views', () => {
  const view: Touchpoint = { evidence: 'viewer_view', serveId: 'v', at: now - 1 };
  const click: Touchpoint = { evidence: 'viewer_click', serveId: 'c', at: now - 29 * day };
  assert.equal(creditedTo([view, click], now, windows), click);
  assert.equal(creditedTo([view], now, { ...windows, viewMs: 0 }), null);
});
