import { randomFillSync } from 'node:crypto';
import { formatUuidV7 } from '../domain/uuid.js';

/** Mints a UUIDv7 for the given instant: time-ordered, 74 random bits. */
export type MintId = (now: number) => string;

/** Randomness is drawn in blocks: one system call for 256 ids. */
export function createMintId(): MintId {
  const pool = Buffer.alloc(16 * 256);
  let used = pool.length;
  return (now) => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    const id = formatUuidV7(now, pool.subarray(used, used + 16));
    used += 16;
    return id;
  };
}
