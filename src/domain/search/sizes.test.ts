import assert from 'node:assert/strict';
import { test } from 'node:test';
import { productTokens } from './product-tokens.js';
import { sizesIn, suitsSizes, wantedSizes } from './sizes.js';

function named(title: string, wearable = true): string[] {
  return sizesIn(productTokens(title), wearable).sort();
}

function suits(title: string, ...wanted: string[]): boolean {
  return suitsSizes(named(title), new Set(wanted.flatMap(wantedSizes)));
}

test('letters are read in every usual notation', () => {
  assert.deepEqual(named('Hoodie, X-Large'), ['xl']);
  assert.deepEqual(named('Hoodie (Medium, Navy)'), ['m']);
  assert.deepEqual(named('Dress Black XXL'), ['2xl']);
  assert.deepEqual(named('Tank S/M'), ['m', 's']);
  assert.deepEqual(named('Shirt Extra Small'), ['xs']);
});

test('a letter that is a width, a unit or part of a name is no size', () => {
  assert.deepEqual(named('Sneaker, 9 M US'), ['9']);
  assert.deepEqual(named('Galaxy S 10 phone', false), []);
  assert.deepEqual(named("Men's Tee"), []);
});

test('shoe numbers, regions, ranges and sizes after the word size are read', () => {
  assert.deepEqual(named('Slipper, Black, 8'), ['8']);
  assert.deepEqual(named('Sandal 9 D(M) US'), ['9']);
  assert.deepEqual(named('Boot EU 42'), ['eu42']);
  assert.deepEqual(named('Air Force - Size 7.5W'), ['7.5']);
  assert.deepEqual(named('Slipper, Cognac, 9.5-10.5'), ['10.5', '9.5']);
});

test('trousers, beds, months and measures are read', () => {
  assert.deepEqual(named('Pant - 35W x 36L - Black'), ['35x36']);
  assert.deepEqual(named('Sheet Set, California King', false), ['calking']);
  assert.deepEqual(named('Baby suit 18-24 months'), ['18mo', '24mo']);
  assert.deepEqual(named('27-inch monitor', false), ['27inch']);
  assert.deepEqual(named('Full HD projector', false), []);
});

test('a listing naming another size does not suit, one naming none does', () => {
  assert.ok(suits('Tee, Large', 'L'));
  assert.ok(!suits('Tee, Large', 'M'));
  assert.ok(suits('Tee', 'M'));
  assert.ok(suits('Slipper, Black, 9', 'US 9', '10'));
  assert.ok(!suits('Slipper, Black, 8', 'size 9'));
  assert.ok(suits('Queen Comforter', 'queen'));
  assert.ok(!suits('Queen Comforter', 'King Size'));
  assert.ok(suits('Jeans 32x34', '32'));
  assert.ok(!suits('Jeans 32x34', '32x30'));
});

test('a measure is compared with measures of its unit only', () => {
  assert.ok(!suits('32 inch monitor', '27"'));
  assert.ok(suits('27" monitor', '27 inch'));
  assert.ok(suits('T-Shirt, M, 5 oz', '27 inch'));
  assert.ok(suits('10 inch skillet', 'M'));
});
