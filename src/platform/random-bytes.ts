import { randomFillSync } from 'node:crypto';

/** So many random bytes, never the same twice. Valid until the next call: copy what must last. */
export type RandomBytes = () => Uint8Array;

const drawn = 256;

/** Drawn in blocks: one system call for 256 of them. */
export function createRandomBytes(length: number): RandomBytes {
  const pool = new Uint8Array(length * drawn);
  // What is handed out is made once: a view costs more than the bytes in it.
  const views = Array.from({ length: drawn }, (_, at) =>
    pool.subarray(at * length, (at + 1) * length),
  );
  let used = drawn;
  return () => {
    if (used === drawn) {
      randomFillSync(pool);
      used = 0;
    }
    const view = views[used];
    used += 1;
    return view ?? pool.subarray(0, length);
  };
}
