import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, mix, normalAt } from './seeded-random.js';

test('the same seed gives the same stream', () => {
  const [a, b, c] = [createRandom(7), createRandom(7), createRandom(8)];
  const first = Array.from({ length: 5 }, a);
  assert.deepEqual(first, Array.from({ length: 5 }, b));
  assert.notDeepEqual(first, Array.from({ length: 5 }, c));
  assert.ok(first.every((value) => value >= 0 && value < 1));
});

test('streams are spread evenly and draws are standard normal', () => {
  const random = createRandom(1);
  let sum = 0;
  for (let i = 0; i < 10_000; i++) sum += random();
  assert.ok(Math.abs(sum / 10_000 - 0.5) < 0.02);
  let mean = 0;
  let square = 0;
  for (let index = 0; index < 10_000; index++) {
    const draw = normalAt(42, index);
    mean += draw / 10_000;
    square += (draw * draw) / 10_000;
  }
  assert.ok(Math.abs(mean) < 0.05 && Math.abs(square - 1) < 0.06, `${mean} ${square}`);
});

test('neighbouring seeds and indexes are unrelated', () => {
  const seen = new Set<number>();
  for (let seed = 0; seed < 100; seed++)
    for (let index = 0; index < 100; index++) seen.add(mix(seed, index));
  assert.ok(seen.size > 9990);
});
