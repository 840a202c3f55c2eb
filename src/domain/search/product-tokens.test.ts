import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { gap, productTokens } from './product-tokens.js';

test('numbers keep their point, slash and thousands, marks become units', () => {
  assert.deepEqual(productTokens('1/2 inch, 6.5" and ½″ x 1,000 pcs 6\' cable').words, [
    '1/2',
    'inch',
    '6.5',
    'inch',
    'and',
    '1/2',
    'inch',
    'x',
    '1000',
    'pcs',
    '6',
    'ft',
    'cable',
  ]);
});

test('possessives lose their s, other apostrophes only themselves', () => {
  assert.deepEqual(productTokens("Women's Levi’s don't L'Oreal").words, [
    'women',
    'levi',
    'dont',
    'loreal',
  ]);
});

test('a hyphen glues, a comma ends a phrase, a full stop a clause', () => {
  assert.deepEqual(productTokens('WH-1000XM4 case, black. New').gaps, [
    gap.clause,
    gap.glue,
    gap.space,
    gap.phrase,
    gap.clause,
  ]);
});

test('scripts without spaces are cut per character', () => {
  assert.deepEqual(productTokens('東京 bag').words, ['東', '京', 'bag']);
});

test('any text gives as many gaps as words, and no empty word', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const { words, gaps } = productTokens(text);
      assert.equal(words.length, gaps.length);
      assert.ok(words.every((word) => word !== ''));
    }),
  );
});
