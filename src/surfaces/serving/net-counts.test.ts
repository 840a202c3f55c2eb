import assert from 'node:assert/strict';
import { test } from 'node:test';
import { netCounts } from './net-counts.js';

const row = (topic: string, impressions: number, clicks = 0, conversions = 0) => ({
  adId: 'ad',
  topic,
  impressions,
  clicks,
  conversions,
});

test('what a topic lacks is taken from what is known whatever the topic, then from others', () => {
  assert.deepEqual(netCounts([row('garden', -3, 1), row('', 5), row('travel', 2)]), [
    row('', 2),
    row('garden', 0, 1),
    row('travel', 2),
  ]);
  assert.deepEqual(netCounts([row('garden', -3), row('', 1), row('travel', 5)]), [
    row('', 0),
    row('garden', 0),
    row('travel', 3),
  ]);
});

test('parts of a topic are added up, and nothing is below zero', () => {
  assert.deepEqual(netCounts([row('', 0, 0, -2), row('', 0, 0, 1), row('', 4)]), [row('', 4)]);
  assert.deepEqual(netCounts([]), []);
});
