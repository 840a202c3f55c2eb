import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colorDistance, unknownDistance } from './color-distance.js';

test('colours stand in the order in which they look alike', () => {
  for (const order of [
    ['purple', 'violet', 'burgundy', 'navy', 'red', 'white'],
    ['pink', 'blush', 'red', 'gray', 'navy'],
    ['yellow', 'gold', 'olive', 'sky blue', 'navy'],
    ['gold', 'mustard', 'brown', 'navy'],
    ['navy', 'indigo', 'blue', 'red', 'yellow'],
    ['black', 'charcoal', 'gray', 'white'],
  ]) {
    const [asked = '', ...others] = order;
    const far = others.map((other) => colorDistance(asked, other));
    assert.deepEqual(
      far,
      [...far].sort((a, b) => a - b),
      `${asked}: ${far.map((each) => each.toFixed(2)).join(' ')}`,
    );
  }
  assert.equal(colorDistance('teal', 'teal'), 0);
});

test('what has no look of its own is near to nothing but itself', () => {
  assert.equal(colorDistance('multicolor', 'red'), unknownDistance);
  assert.equal(colorDistance('multicolor', 'multicolor'), 0);
});
