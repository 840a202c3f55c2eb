import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pieceOf, slack, writeDecimal, writeInteger, writePiece } from './number-bytes.js';

function written(write: (to: DataView, at: number) => number): string {
  const bytes = Buffer.alloc(60, '#');
  const end = write(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 2);
  assert.equal(bytes.toString('latin1', 0, 2), '##');
  assert.equal(bytes.toString('latin1', end + slack), '#'.repeat(60 - end - slack));
  return bytes.toString('latin1', 2, end);
}

test('integers are written as JSON prints them', () => {
  for (const value of [
    0,
    9,
    10,
    99,
    100,
    999,
    1000,
    1001,
    999_999_999,
    1_000_000_000,
    1_000_000_001,
    2 ** 31,
    2 ** 32,
    Number.MAX_SAFE_INTEGER,
    -1,
    -10,
    -(2 ** 40),
  ])
    assert.equal(
      written((to, at) => writeInteger(to, at, value)),
      String(value),
    );
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) =>
      assert.equal(
        written((to, at) => writeInteger(to, at, value)),
        String(value),
      ),
    ),
  );
  fc.assert(
    fc.property(fc.integer({ min: -2_000_000, max: 2_000_000 }), (value) =>
      assert.equal(
        written((to, at) => writeInteger(to, at, value)),
        String(value),
      ),
    ),
  );
});

test('millionths are written as JSON prints the number', () => {
  for (const micros of [
    0, 1, 10, 100, 999, 1000, 10_000, 100_000, 120_000, 999_000, 999_999, 1_000_000, 1_000_001,
    1_000_100, -1, -2_500_000,
  ])
    assert.equal(
      written((to, at) => writeDecimal(to, at, micros)),
      String(micros / 1e6),
    );
  fc.assert(
    fc.property(fc.integer({ min: -9_000_000_000_000, max: 9_000_000_000_000 }), (micros) =>
      assert.equal(
        written((to, at) => writeDecimal(to, at, micros)),
        String(micros / 1e6),
      ),
    ),
  );
});

test('texts of any length are written where they belong', () => {
  for (const text of ['', 'a', 'ab', 'abc', 'abcd', 'abcde', '","conversions":', 'é'])
    assert.equal(
      Buffer.from(
        written((to, at) => writePiece(to, at, pieceOf(text))),
        'latin1',
      ).toString(),
      text,
    );
});
