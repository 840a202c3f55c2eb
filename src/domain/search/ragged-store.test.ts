import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RaggedStore } from './ragged-store.js';

test('every document keeps its numbers, whatever is replaced and collected in between', () => {
  const steps = fc.array(fc.record({ doc: fc.nat(30), length: fc.nat(260), tidy: fc.nat(9) }), {
    minLength: 1,
    maxLength: 200,
  });
  fc.assert(
    fc.property(steps, (changes) => {
      const store = new RaggedStore();
      const expected = new Map<number, number[]>();
      for (const [at, { doc, length, tidy }] of changes.entries()) {
        const values = Array.from({ length }, (_, i) => at * 1000 + i);
        store.set(doc, values);
        expected.set(doc, values.slice(0, 255));
        store.tidy(tidy);
        for (const [known, numbers] of expected) assert.deepEqual([...store.get(known)], numbers);
      }
      assert.equal(store.get(99).length, 0);
    }),
    { numRuns: 60 },
  );
});

test('what replaced documents leave behind is collected', () => {
  const store = new RaggedStore();
  for (let round = 0; round < 400; round++) {
    for (let doc = 0; doc < 20; doc++)
      store.set(
        doc,
        Array.from({ length: 100 }, () => round),
      );
    store.tidy(1000);
  }
  assert.ok(store.bytes() < 4_000_000, String(store.bytes()));
  assert.deepEqual([...new Set(store.get(7))], [399]);
});
