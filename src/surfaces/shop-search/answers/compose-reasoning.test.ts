import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { money } from './compose-reasoning.js';

test('an amount is written as people in that currency are used to, usual currencies as any other', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3_000_000_000 }),
      fc.constantFrom('USD', 'EUR', 'GBP'),
      (cents, currency) => {
        assert.equal(
          money(cents / 100, currency),
          new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100),
        );
      },
    ),
  );
  assert.equal(money(1234, 'JPY'), '¥1,234');
  assert.equal(money(12.5, 'no such code'), '12.5 no such code');
});
