import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readNumbers } from './number-text.js';

/** The obvious version. */
function plainNumbers(text: string): number[] {
  return (text.match(/-?\d+/g) ?? []).map(Number);
}

test('the numbers read are those an expression finds, in their order', () => {
  const number = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });
  const between = fc.constantFrom(',', ';', ', ', ' ', '|');
  fc.assert(
    fc.property(fc.array(fc.tuple(number, between)), (parts) => {
      const text = parts.map(([value, sign]) => `${value}${sign}`).join('');
      const read: number[] = [];
      const count = readNumbers(text, read);
      // Zero has no sign in a report.
      assert.deepEqual(
        read.slice(0, count).map((value) => value + 0),
        plainNumbers(text).map((value) => value + 0),
      );
    }),
  );
});

test('a list that was longer keeps what lies behind, and nothing is no number', () => {
  const to = [1, 2, 3];
  assert.equal(readNumbers('7', to), 1);
  assert.deepEqual(to, [7, 2, 3]);
  assert.equal(readNumbers(null, to), 0);
  assert.equal(readNumbers('', to), 0);
});
