import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedbackQuality, quality } from './quality.js';

test('an ad without votes, or with good ones, ranks at its full worth', () => {
  assert.equal(feedbackQuality(0, 0), 1);
  assert.equal(feedbackQuality(50, 0), 1);
});

test('every thumbs down lowers an ad, and never below the least', () => {
  let last = 1;
  for (let down = 1; down <= 50; down++) {
    const now = feedbackQuality(2, down);
    assert.ok(now <= last && now >= 0.3);
    last = now;
  }
  assert.equal(last, 0.3);
});

test('quality grows with relevance', () => {
  assert.ok(quality(0.9, 1) > quality(0.5, 1));
  assert.equal(quality(1, 1), 1);
});
