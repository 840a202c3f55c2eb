import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dot, normalise } from './vectors.js';
import { VectorClusters } from './vector-clusters.js';

const width = 24;
const vectorFrom = (values: readonly number[]): Float32Array =>
  normalise(Float32Array.from(values));
const anyVector = fc
  .array(fc.integer({ min: -100, max: 100 }), { minLength: width, maxLength: width })
  .filter((values) => values.some((value) => value !== 0))
  .map(vectorFrom);

/** The same numbers on every run. */
function spread(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296 - 0.5;
  };
}

test('after any edits the nearest are those a look at every vector finds', () => {
  const edit = fc.record({ slot: fc.integer({ min: 0, max: 30 }), vector: fc.option(anyVector) });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 80 }), anyVector, (edits, query) => {
      const clusters = new VectorClusters();
      const plain = new Map<number, Float32Array>();
      for (const { slot, vector } of edits) {
        if (vector === null) {
          clusters.delete(slot);
          plain.delete(slot);
        } else {
          clusters.set(slot, vector);
          plain.set(slot, vector);
        }
      }
      assert.equal(clusters.size, plain.size);
      const { slots, scores } = clusters.nearest(query, 5);
      assert.equal(slots.length, Math.min(5, plain.size));
      const best = [...plain.values()].map((vector) => dot(vector, query)).sort((a, b) => b - a);
      scores.forEach((score, at) =>
        assert.ok(Math.abs(score - best[at]!) < 0.03, `${score} ${best[at]}`),
      );
      slots.forEach((slot, at) =>
        assert.ok(Math.abs(dot(plain.get(slot)!, query) - scores[at]!) < 0.02),
      );
    }),
  );
});

test('among thousands in many clusters nearly all of the nearest are found', () => {
  const random = spread(3);
  const themes = Array.from({ length: 60 }, () => Array.from({ length: 96 }, () => random()));
  const near = (theme: readonly number[]): Float32Array =>
    vectorFrom(theme.map((value) => value + random() * 0.7));
  const clusters = new VectorClusters();
  const all = Array.from({ length: 8000 }, (_, slot) => near(themes[slot % themes.length]!));
  all.forEach((vector, slot) => clusters.set(slot, vector));
  let found = 0;
  for (const theme of themes) {
    const query = near(theme);
    let nearest = 0;
    all.forEach((vector, slot) => {
      if (dot(vector, query) > dot(all[nearest]!, query)) nearest = slot;
    });
    if (clusters.nearest(query, 10).slots.includes(nearest)) found++;
  }
  assert.ok(found >= 0.95 * themes.length, `${found} of ${themes.length}`);
});

test('copies of one vector are split, found and removed', () => {
  const clusters = new VectorClusters();
  const vector = vectorFrom(Array.from({ length: width }, (_, at) => at + 1));
  for (let slot = 0; slot < 3000; slot++) clusters.set(slot, vector);
  assert.deepEqual(clusters.nearest(vector, 3).slots.length, 3);
  for (let slot = 0; slot < 2999; slot++) clusters.delete(slot);
  assert.deepEqual(clusters.nearest(vector, 3).slots, [2999]);
  clusters.delete(2999);
  assert.deepEqual(clusters.nearest(vector, 3).slots, []);
});

test('vectors of another model are refused until the last one of the old model is gone', () => {
  const clusters = new VectorClusters();
  clusters.set(1, vectorFrom([1, 2, 3]));
  assert.throws(() => clusters.set(2, vectorFrom([1, 2])));
  clusters.delete(1);
  clusters.set(2, vectorFrom([1, 2]));
  assert.equal(clusters.size, 1);
});

test('slots without a vector are near nothing', () => {
  const clusters = new VectorClusters();
  clusters.set(4, vectorFrom([1, 0]));
  const [none, some] = clusters.nearness([3, 4], vectorFrom([1, 0]));
  assert.equal(none, null);
  assert.ok(some !== null && some !== undefined && some > 0.99);
});
