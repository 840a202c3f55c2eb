import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { topDocuments } from './top-documents.js';

test('the best come first, as a full sort would have them', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(6), { maxLength: 60 }), fc.nat(70), (scores, limit) => {
      // In no order, each once.
      const docs = Uint32Array.from(scores, (_, place) => (place * 37) % 61);
      const sorted = [...scores.keys()].sort(
        (a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || (docs[a] ?? 0) - (docs[b] ?? 0),
      );
      assert.deepEqual(
        topDocuments(docs, Uint32Array.from(scores), docs.length, limit),
        sorted.slice(0, limit),
      );
    }),
  );
});
