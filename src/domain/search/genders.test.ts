import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gendersNamed, gendersOf, suitsGender, type Gender } from './genders.js';
import { productTokens } from './product-tokens.js';

function suits(
  title: string,
  wanted: Gender,
  category: string | null = null,
  shelf = 'apparel',
): boolean {
  const categoryGenders = category === null ? 0 : gendersNamed(productTokens(category).words);
  return suitsGender(
    gendersOf({ titleWords: productTokens(title).words, categoryGenders, shelf }),
    wanted,
  );
}

test('a title that names someone else is not shown', () => {
  assert.ok(suits("Men's running shoe", 'men'));
  assert.ok(!suits("Men's running shoe", 'women'));
  assert.ok(!suits('Girls dress', 'women'));
  assert.ok(suits('Girls dress', 'kids'));
});

test('unisex and both genders suit both, but not kids', () => {
  assert.ok(
    suits('Unisex clog', 'men') && suits('Unisex clog', 'women') && !suits('Unisex clog', 'kids'),
  );
  assert.ok(suits("Men's and Women's flip flops", 'women'));
});

test('without a word about it a listing suits adults, and kids only from the toy shelf', () => {
  assert.ok(
    suits('Running shoe', 'women') &&
      suits('Running shoe', 'men') &&
      !suits('Running shoe', 'kids'),
  );
  assert.ok(
    suits('Building set', 'kids', null, 'toys_kids') &&
      !suits('Building set', 'men', null, 'toys_kids'),
  );
});

test('the category path speaks when the title does not', () => {
  assert.ok(!suits('Arizona sandal', 'men', 'Shoes > Women > Sandals'));
  assert.ok(!suits('Lace bralette', 'men'));
});
