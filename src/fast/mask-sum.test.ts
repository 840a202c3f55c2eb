import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maskSum } from './mask-sum.js';

test('the sum is that of the values whose bits are set', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { maxLength: 31 }), fc.nat(0x7fffffff), (values, bits) => {
      const mask = bits & (values.length === 31 ? 0x7fffffff : (1 << values.length) - 1);
      assert.equal(
        maskSum(values)(mask),
        values.reduce((sum, value, at) => sum + (((mask >>> at) & 1) === 1 ? value : 0), 0),
      );
    }),
  );
});
