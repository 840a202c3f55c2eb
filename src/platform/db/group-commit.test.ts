import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createGroupCommit } from './group-commit.js';

test('items that come while a batch commits are written together, in order', async () => {
  const batches: number[][] = [];
  let release = (): void => undefined;
  const first = new Promise<void>((resolve) => (release = resolve));
  const write = createGroupCommit<number>(async (items) => {
    batches.push([...items]);
    if (batches.length === 1) await first;
  });
  const done = [write(1)];
  await Promise.resolve();
  await Promise.resolve();
  done.push(write(2), write(3));
  release();
  await Promise.all(done);
  assert.deepEqual(batches, [[1], [2, 3]]);
});

test('an item that cannot be written fails alone', async () => {
  const written: number[] = [];
  const write = createGroupCommit<number>(async (items) => {
    if (items.includes(2)) throw new Error('refused');
    written.push(...items);
  });
  const outcomes = await Promise.allSettled([write(1), write(2), write(3)]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(written, [1, 3]);
});
