import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlices } from './slices.js';

test('others get their turn after a millisecond, and not before', async () => {
  let now = 0;
  const slices = createSlices(10, () => now);
  const steps = (count: number): boolean[] => Array.from({ length: count }, () => slices.isOver());
  assert.equal(steps(64).includes(true), false);
  assert.equal(slices.isLong(), false);
  now = 1;
  assert.equal(steps(16).includes(true), true);
  assert.equal(slices.isLong(), true);
  let hadTurn = false;
  setImmediate(() => (hadTurn = true));
  await slices.next();
  assert.equal(hadTurn, true);
  assert.equal(slices.isLong(), false);
  assert.equal(steps(64).includes(true), false);
});

test('a batch of thousands goes on for longer before it gives way', () => {
  let now = 0;
  const slices = createSlices(2000, () => now);
  now = 3.9;
  assert.equal(slices.isLong(), false);
  now = 4;
  assert.equal(slices.isLong(), true);
});
