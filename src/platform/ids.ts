import { formatUuidV7 } from '../domain/uuid.js';
import { createRandomBytes } from './random-bytes.js';

/** Mints a UUIDv7 for the given instant: time-ordered, 74 random bits. */
export type MintId = (now: number) => string;

export function createMintId(): MintId {
  const random = createRandomBytes(16);
  return (now) => formatUuidV7(now, random());
}
