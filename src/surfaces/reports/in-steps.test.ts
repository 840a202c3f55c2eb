import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inSteps } from './in-steps.js';

describe('steps', () => {
  it('take everything once, in order, however many rows there are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(5000),
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.nat(100_000), { minLength: 1 }),
        async (total, atFirst, rows) => {
          const taken: number[] = [];
          let step = 0;
          await inSteps(total, atFirst, async (from, to) => {
            assert.ok(from < to);
            for (let at = from; at < to; at += 1) taken.push(at);
            step += 1;
            return rows[step % rows.length] ?? 0;
          });
          assert.deepEqual(
            taken,
            Array.from({ length: total }, (_, at) => at),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it('become longer where there is little, and never longer than what may be waited for', async () => {
    const lengths = async (rowsEach: number): Promise<number[]> => {
      const found: number[] = [];
      await inSteps(1000, 25, async (from, to) => {
        found.push(to - from);
        return (to - from) * rowsEach;
      });
      return found;
    };
    assert.deepEqual(await lengths(15), [25, 100, 400, 475]);
    assert.deepEqual(new Set(await lengths(1000)), new Set([25]));
  });
});
