// Checksums by table, a byte a step.
// Bench: events. Plain twin: division of polynomials bit by bit, `slowCrc` in the test.

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/**
 * CRC-32 (IEEE), as an unsigned number. Node's own `zlib.crc32` is missing from the first releases
 * of Node 20.
 */
export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (let index = 0; index < bytes.length; index += 1)
    value = (value >>> 8) ^ (table[(value ^ (bytes[index] ?? 0)) & 0xff] ?? 0);
  return (value ^ 0xffffffff) >>> 0;
}
