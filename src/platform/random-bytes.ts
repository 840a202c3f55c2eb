import { randomFillSync } from 'node:crypto';

/** So many random bytes, never the same twice. Valid until the next call: copy what must last. */
export type RandomBytes = () => Uint8Array;

const drawn = 256;

/** Drawn in blocks: one system call for 256 of them. */
export function createRandomBytes(length: number): RandomBytes {
  const pool = new Uint8Array(length * drawn);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += length;
    return pool.subarray(used - length, used);
  };
}
