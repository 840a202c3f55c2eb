import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planSweep } from './plan-sweep.js';

describe('a sweep', () => {
  it('looks at every group once, in steps of a few hundred, and at what is known but gone', () => {
    const servable = Array.from({ length: 1300 }, (_, n) => ({
      campaignId: n < 1200 ? 'big' : `small ${n}`,
      groupId: `g${n}`,
    }));
    const steps = planSweep(
      [...servable, { campaignId: 'units', groupId: null }, { campaignId: 'units', groupId: 'u1' }],
      new Map([
        ['big', ['gone']],
        ['empty', []],
        ['ended', ['e1']],
        ['unlinked', null],
      ]),
    );
    const seen = steps.flatMap((step) =>
      [...step].flatMap(([id, groups]) =>
        groups === null ? [id] : [...groups].map((group) => `${id} ${group}`),
      ),
    );
    assert.deepEqual(
      [...seen].sort(),
      [
        ...servable.map(({ campaignId, groupId }) => `${campaignId} ${groupId}`),
        'big gone',
        'empty',
        'ended e1',
        'units',
        'unlinked',
      ].sort(),
    );
    assert.ok(
      steps.every(
        (step) => [...step.values()].reduce((sum, groups) => sum + (groups?.size ?? 1), 0) <= 500,
      ),
    );
  });
});
