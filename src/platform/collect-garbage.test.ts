import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getHeapSpaceStatistics } from 'node:v8';
import { collectGarbage, collectWhenQuiet } from './collect-garbage.js';

function sizeOf(name: string): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === name)?.space_size ?? 0;
}

describe('memory a start leaves behind', () => {
  it('is given back, also that of the young heap', async () => {
    let held: object[] = [];
    for (let n = 0; n < 400_000; n += 1) {
      held.push({ n });
      if (held.length > 100_000) held = held.slice(50_000);
    }
    const before = sizeOf('new_space');
    assert.ok(before > 4 * 1024 * 1024, `the young heap grew to ${before} bytes only`);
    held = [];
    await collectGarbage();
    assert.ok(sizeOf('new_space') < before / 2, `${before}, then ${sizeOf('new_space')}`);
  });

  it('is collected once, when nobody asks anything', async () => {
    let times = 0;
    collectWhenQuiet({ collect: async () => void (times += 1), everyMs: 40 });
    const busyUntil = performance.now() + 150;
    while (performance.now() < busyUntil) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(times, 0);
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(times, 1);
  });
});

describe('memory a crowd leaves behind', () => {
  it('is collected after each crowd, and not for little', async () => {
    const mb = 1024 * 1024;
    let held = 60 * mb;
    const collected: number[] = [];
    collectWhenQuiet({
      collect: async () => {
        collected.push(held / mb);
        held = 60 * mb;
      },
      everyMs: 20,
      measure: () => held,
    });
    const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));
    await rest();
    for (const now of [400, 90, 300]) {
      held = now * mb;
      await rest();
    }
    assert.deepEqual(collected, [60, 400, 300]);
  });
});
