import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Ghash } from './ghash.js';

const polynomial = 0xe1n << 120n;

/** As NIST SP 800-38D writes it: bit by bit, the highest bit the lowest power. */
function slowProduct(x: bigint, y: bigint): bigint {
  let sum = 0n;
  let shifted = y;
  for (let bit = 127n; bit >= 0n; bit -= 1n) {
    if (((x >> bit) & 1n) === 1n) sum ^= shifted;
    shifted = (shifted & 1n) === 1n ? (shifted >> 1n) ^ polynomial : shifted >> 1n;
  }
  return sum;
}

function slowGhash(key: bigint, blocks: readonly bigint[]): bigint {
  return blocks.reduce((sum, block) => slowProduct(sum ^ block, key), 0n);
}

function wordsOf(number: bigint): number[] {
  return [96n, 64n, 32n, 0n].map((shift) => Number((number >> shift) & 0xffffffffn) | 0);
}

const edges = [0n, 1n, 1n << 127n, (1n << 128n) - 1n, polynomial, 0x80000000n, 0x88888888n];
const number = fc.oneof(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), fc.constantFrom(...edges));

test('the sum is that of multiplications bit by bit, whatever key and blocks', () => {
  fc.assert(
    fc.property(number, fc.array(number, { maxLength: 12 }), (key, blocks) => {
      const sum = new Int32Array(4);
      new Ghash(wordsOf(key)).add(sum, Int32Array.from(blocks.flatMap(wordsOf)));
      assert.deepEqual([...sum], wordsOf(slowGhash(key, blocks)));
    }),
    { numRuns: 500 },
  );
});

test('what is added in two steps is what is added in one', () => {
  fc.assert(
    fc.property(number, fc.array(number), fc.array(number), (key, some, others) => {
      const ghash = new Ghash(wordsOf(key));
      const [once, twice] = [new Int32Array(4), new Int32Array(4)];
      ghash.add(once, Int32Array.from([...some, ...others].flatMap(wordsOf)));
      ghash.add(twice, Int32Array.from(some.flatMap(wordsOf)));
      ghash.add(twice, Int32Array.from(others.flatMap(wordsOf)));
      assert.deepEqual(once, twice);
    }),
  );
});
