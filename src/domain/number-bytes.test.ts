import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { writeBytes, writeDecimal, writeInteger } from './number-bytes.js';

function written(write: (to: Uint8Array, at: number) => number): string {
  const to = Buffer.alloc(40, '#');
  const end = write(to, 2);
  assert.equal(to.toString('latin1', 0, 2), '##');
  assert.equal(to.toString('latin1', end), '#'.repeat(40 - end));
  return to.toString('latin1', 2, end);
}

test('integers are written as JSON prints them', () => {
  for (const value of [0, 9, 10, 99, 100, 999_999_999, 1_000_000_000, 1_000_000_001, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER, -1, -10, -(2 ** 40)]) assert.equal(written((to, at) => writeInteger(to, at, value)), String(value));
  fc.assert(fc.property(fc.maxSafeInteger(), (value) => assert.equal(written((to, at) => writeInteger(to, at, value)), String(value))));
});

test('millionths are written as JSON prints the number', () => {
  for (const micros of [0, 1, 10, 999, 1000, 100_000, 999_999, 1_000_000, 1_000_001, -1, -2_500_000]) assert.equal(written((to, at) => writeDecimal(to, at, micros)), String(micros / 1e6));
  fc.assert(fc.property(fc.integer({ min: -9_000_000_000_000, max: 9_000_000_000_000 }), (micros) => assert.equal(written((to, at) => writeDecimal(to, at, micros)), String(micros / 1e6))));
});

test('bytes are copied where they belong', () => {
  assert.equal(written((to, at) => writeBytes(to, at, Buffer.from('abc'))), 'abc');
});
