import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuseRankings } from './rank-fusion.js';

test('what both lists have goes first, and words weigh more than vectors', () => {
  assert.deepEqual(fuseRankings(['a', 'b', 'c'], ['c', 'd']).map((each) => each.id), ['c', 'a', 'b', 'd']);
});

test('without vectors the order stays', () => {
  assert.deepEqual(fuseRankings(['a', 'b'], []).map((each) => each.id), ['a', 'b']);
});
