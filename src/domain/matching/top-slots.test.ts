import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TopSlots } from './top-slots.js';

test('the best few are kept whatever the order they come in, the lower slot first when equal', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5 })),
      fc.integer({ min: 1, max: 6 }),
      (scores, limit) => {
        const sorted = scores
          .map((score, slot) => ({ score, slot }))
          .sort((a, b) => b.score - a.score || a.slot - b.slot)
          .slice(0, limit);
        for (const order of [
          scores.map((_, slot) => slot),
          scores.map((_, slot) => slot).reverse(),
        ]) {
          const top = new TopSlots(limit);
          for (const slot of order) top.offer(slot, scores[slot]!);
          assert.deepEqual(
            top.slots,
            sorted.map(({ slot }) => slot),
          );
          assert.deepEqual(
            top.scores,
            sorted.map(({ score }) => score),
          );
        }
      },
    ),
  );
});
