import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measureAhead, sharedClock } from './clock.js';
import { silentLog } from './log.js';
import { createMetrics } from './metrics.js';
import { createVouching } from './vouching.js';

describe('what a node may act on', () => {
  const contact = { isAway: false, heardAt: performance.now(), epoch: 1, clockAheadMs: 0 };
  const vouching = (unheardMs: number) =>
    createVouching({
      contact,
      unheardMs,
      clockMs: 60_000,
      log: silentLog,
      metrics: createMetrics({ processMetrics: false }),
    });

  it('is what was known to be true not too long ago', () => {
    const strict = vouching(30_000);
    const trusting = vouching(0);
    assert.equal(strict.doubt(performance.now()), null);
    assert.equal(strict.doubt(performance.now() - 31_000), 'database_silent');
    assert.equal(trusting.doubt(performance.now() - 31_000), null);
    for (const one of [strict, trusting]) one.close();
  });

  it('is nothing while its clock is far from the database’s', () => {
    const one = vouching(30_000);
    for (const [ahead, doubt] of [
      [59_000, null],
      [61_000, 'clock_off'],
      [-61_000, 'clock_off'],
    ] as const) {
      contact.clockAheadMs = ahead;
      assert.equal(one.doubt(performance.now()), doubt);
    }
    one.close();
  });

  it('does not take a slow answer for a wrong clock', () => {
    assert.equal(measureAhead(0, 1_000, 1_005, 9_000), 0);
    assert.equal(measureAhead(0, 61_000, 1_005, 61_010), 59_995);
    assert.equal(measureAhead(60_000, 1_000, 1_005, 1_010), 5);
    assert.equal(measureAhead(0, 1_000, 61_005, 1_010), -59_995);
  });

  it('is measured by the clock of the database, unless the two agree', () => {
    const clock = sharedClock(contact, () => 10_000_000);
    for (const [ahead, now] of [
      [0, 10_000_000],
      [-900, 10_000_000],
      [45 * 60_000, 10_000_000 - 45 * 60_000],
      [-5_000, 10_005_000],
    ] as const) {
      contact.clockAheadMs = ahead;
      assert.equal(clock(), now);
    }
  });
});
