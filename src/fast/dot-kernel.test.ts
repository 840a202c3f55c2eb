import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createDotKernel, createPlainKernel } from './dot-kernel.js';

test('the SIMD products equal the plain ones', () => {
  const row = fc.array(fc.integer({ min: -127, max: 127 }), { minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), row, (rows, query) => {
      const products = [createDotKernel, createPlainKernel].map((create) => {
        const memory = new WebAssembly.Memory({ initial: 2 });
        const bytes = new Int8Array(memory.buffer);
        rows.forEach((values, at) => bytes.set(values, 65_536 + at * 32));
        bytes.set(query, 0);
        const slots = rows.map((_, at) => rows.length - 1 - at);
        new Int32Array(memory.buffer).set(slots, 1024);
        create(memory)(65_536, 4096, rows.length, 32, 0, 8192);
        return [...new Int32Array(memory.buffer, 8192, rows.length)];
      });
      const expected = rows
        .map((values) => values.reduce((sum, value, at) => sum + value * query[at]!, 0))
        .reverse();
      assert.deepEqual(products[0], expected);
      assert.deepEqual(products[1], expected);
    }),
  );
});

test('this engine runs the SIMD version', () => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  assert.match(String(createDotKernel(memory)), /native code/);
});
