import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colorsAnswering, colorsIn } from './colors.js';
import { productTokens } from './product-tokens.js';

function answers(title: string, wanted: string): boolean {
  const [named, wished] = [colorsIn(productTokens(title).words), colorsAnswering(wanted)];
  assert.notEqual(wished, null, wanted);
  return wished !== null && ((named.low & wished.low) !== 0 || (named.high & wished.high) !== 0);
}

test('spellings and other names of a colour are the colour', () => {
  assert.ok(answers('Wool scarf, grey', 'gray'));
  assert.ok(answers('Wool scarf, Gray', 'Grey'));
  assert.ok(answers('Golden watch', 'gold'));
  assert.ok(answers('Multi-colored rug', 'multicolor'));
  assert.ok(answers('Sofa in Off-White', 'ivory'));
});

test('a shade answers its family, a family does not answer the shade', () => {
  assert.ok(answers('Navy blazer', 'blue'));
  assert.ok(!answers('Blue blazer', 'navy'));
  assert.ok(answers('Burgundy dress', 'dark red'));
});

test('rose gold is not gold', () => {
  assert.ok(!answers('Rose gold ring', 'gold'));
  assert.ok(answers('Rose Gold ring', 'rose gold'));
});

test('a title that names another colour or none does not answer', () => {
  assert.ok(!answers('Red dress', 'blue'));
  assert.ok(!answers('Bored game', 'red'));
});

test('a colour unknown to the table is left to its words', () => {
  assert.equal(colorsAnswering('leopard'), null);
  assert.equal(colorsAnswering('tie dye'), null);
});
