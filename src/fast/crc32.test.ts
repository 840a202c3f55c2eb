import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { crc32 } from './crc32.js';

/** Division of polynomials, bit by bit. */
function slowCrc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1)
      value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

describe('CRC-32', () => {
  it('has its published check value', () =>
    assert.equal(crc32(Buffer.from('123456789')), 0xcbf43926));
  it('equals the slow obvious version', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) =>
        assert.equal(crc32(bytes), slowCrc(bytes)),
      ),
    );
  });
});
