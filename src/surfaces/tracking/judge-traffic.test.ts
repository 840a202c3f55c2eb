import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Beacon, createTrafficJudge } from './judge-traffic.js';

const rules = {
  impressionWindowMs: 1000,
  minClickDelayMs: 100,
  impressionsPerMinute: 5,
  clicksPerMinute: 3,
};
const beacon = (more: Partial<Beacon>): Beacon => ({
  kind: 'impression',
  serveId: 'a',
  servedAt: 0,
  at: 10,
  address: '8.8.8.8',
  bot: null,
  isHosted: false,
  ...more,
});

describe('traffic judge', () => {
  it('names the reason', () => {
    const judge = createTrafficJudge(rules);
    assert.equal(judge(beacon({ bot: 'crawler' })), 'bot');
    assert.equal(judge(beacon({ bot: 'empty' })), 'no_agent');
    assert.equal(judge(beacon({ bot: 'user_agent_bot' })), 'assistant_agent');
    assert.equal(judge(beacon({ isHosted: true })), 'data_centre');
    assert.equal(judge(beacon({ at: 1001 })), 'late');
    assert.equal(judge(beacon({ at: 1000 })), null);
  });

  it('calls a click too fast only within the delay after the first impression of the same ad', () => {
    const judge = createTrafficJudge(rules);
    judge(beacon({ at: 100 }));
    judge(beacon({ at: 190 }));
    assert.equal(judge(beacon({ kind: 'click', at: 199 })), 'too_fast');
    assert.equal(judge(beacon({ kind: 'click', at: 200 })), null);
    assert.equal(judge(beacon({ kind: 'click', serveId: 'b', at: 101 })), null);
  });

  it('counts rates per address, kind and minute, and says nothing about unknown addresses', () => {
    const judge = createTrafficJudge(rules);
    const clicks = (count: number, more: Partial<Beacon> = {}) =>
      Array.from({ length: count }, () => judge(beacon({ kind: 'click', ...more })));
    assert.deepEqual(clicks(5), [null, null, null, 'too_many', 'too_many']);
    assert.deepEqual(clicks(1, { address: '9.9.9.9' }), [null]);
    assert.deepEqual(clicks(1, { at: 60_000 }), [null]);
    assert.deepEqual(clicks(9, { address: null }), Array<null>(9).fill(null));
  });
});
