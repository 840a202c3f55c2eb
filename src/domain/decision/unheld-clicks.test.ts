import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createUnheldClicks } from './unheld-clicks.js';

const price = 100;
const nodes = 16;

test('nothing is served of a budget that is held, nor before the store was looked at', () => {
  const clicks = createUnheldClicks(30_000);
  clicks.looked('a', 1000, 5000);
  assert.equal(clicks.has('a'), false);
  assert.equal(clicks.room('a', price, nodes, 0), 0);
  clicks.begin('a');
  assert.equal(clicks.room('a', price, nodes, 0), 0);
  clicks.looked('a', 1000, 5000);
  assert.equal(clicks.room('a', price, nodes, 0), 1000);
});

test('one ad of the last click is out at each node; one more when its time is over', () => {
  const clicks = createUnheldClicks(30_000);
  clicks.begin('a');
  clicks.looked('a', price, 5000);
  clicks.served('a', 0);
  assert.equal(clicks.room('a', price, nodes, 30_000), 0);
  assert.equal(clicks.room('a', price, nodes, 30_001), price);
  assert.equal(clicks.room('a', price + 1, nodes, 30_001), 0, 'too dear for what is left');
});

test('the more clicks there is room for, the more are out', () => {
  const clicks = createUnheldClicks(30_000);
  clicks.begin('a');
  clicks.looked('a', 8 * price, 5000);
  clicks.served('a', 0);
  assert.equal(clicks.room('a', price, nodes, 1), 8 * price);
  clicks.served('a', 1);
  assert.equal(clicks.room('a', price, nodes, 1), 0);
});

test('a budget with plenty again is held again; one that is not live is forgotten', () => {
  const clicks = createUnheldClicks(30_000);
  for (const key of ['a', 'b']) clicks.begin(key);
  clicks.looked('a', 5001, 5000);
  assert.deepEqual([clicks.has('a'), clicks.has('b')], [false, true]);
  clicks.keepOnly(new Set(['a']));
  assert.equal(clicks.has('b'), false);
});
