import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeReadiness, type NodeFacts } from './readiness.js';

const well: NodeFacts = {
  crew: null,
  isStopping: false,
  database: 'ok',
  silentMs: 300,
  doubt: null,
  clockAheadMs: -20,
  journalLagMs: 90,
  journalDamaged: 0,
  journalRefusal: null,
  diskFreeBytes: 5e9,
  wantsModel: true,
  hasModel: true,
};

describe('readiness of a node', () => {
  it('is given while the node can serve and take events', () => {
    assert.deepEqual(
      [judgeReadiness(well).status, judgeReadiness({ ...well, diskFreeBytes: null }).ready],
      ['ok', true],
    );
    for (const wrong of [
      { isStopping: true },
      { doubt: 'database_silent' },
      { doubt: 'clock_off' },
      { diskFreeBytes: 1e6 },
      { journalRefusal: 'EACCES' },
    ])
      assert.deepEqual(judgeReadiness({ ...well, ...wrong }).status, 'unready');
  });

  it('tells what is wrong without sending everybody away', () => {
    for (const [wrong, check] of [
      [{ database: 'away' }, 'database'],
      [{ journalDamaged: 1 }, 'journal'],
      [{ journalLagMs: 61_000 }, 'journal'],
      [{ clockAheadMs: 5_000 }, 'clock'],
      [{ hasModel: false }, 'model'],
      [{ crew: { ready: 1, of: 2 } }, 'workers'],
    ] as const) {
      const { status, ready, checks } = judgeReadiness({ ...well, ...wrong });
      assert.deepEqual([status, ready, checks[check]?.ok], ['degraded', true, false]);
    }
    assert.equal(judgeReadiness({ ...well, wantsModel: false, hasModel: false }).status, 'ok');
  });
});
