import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPriceWish } from './price-wish.js';

test('an upper bound is taken out of the query', () => {
  assert.deepEqual(readPriceWish('running shoes under $1,250.50 for women'), {
    rest: 'running shoes for women',
    maxMicros: 1_250_500_000,
    currency: 'USD',
  });
  assert.deepEqual(readPriceWish('sofa below 300 euros'), {
    rest: 'sofa',
    maxMicros: 300_000_000,
    currency: 'EUR',
  });
});

test('lower bounds and ranges are read', () => {
  assert.equal(readPriceWish('watch over $200').minMicros, 200_000_000);
  const wish = readPriceWish('a tent between $50 and $90');
  assert.deepEqual([wish.rest, wish.minMicros, wish.maxMicros], ['a tent', 50_000_000, 90_000_000]);
  assert.equal(readPriceWish('lamp £20-£40').maxMicros, 40_000_000);
});

test('a number without money is no price', () => {
  for (const query of [
    'desk under 5 feet',
    'under armour shoes',
    'monitor over 27 inch',
    '1/2 inch binder',
    'books for kids between 3 and 5',
  ])
    assert.deepEqual(readPriceWish(query), { rest: query });
});
