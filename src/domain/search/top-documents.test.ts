import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { topDocuments } from './top-documents.js';

test('the best come first, as a full sort would have them', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(6), { maxLength: 60 }), fc.nat(70), (scores, limit) => {
      const docs = scores.map((_, doc) => doc);
      const sorted = [...docs].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
      assert.deepEqual(
        topDocuments(docs, Uint32Array.from(scores), docs.length, limit),
        sorted.slice(0, limit),
      );
    }),
  );
});
