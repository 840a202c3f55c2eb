import { formatUuidV7 } from '../domain/uuid.js';
import { createRandomBytes } from './random-bytes.js';

/**
 * Mints a UUIDv7 for the given instant: ordered by time and, within a millisecond, by the order in
 * which this process minted them.
 */
export type MintId = (now: number) => string;

/** The twelve bits after the version count up; the first of a millisecond leaves half of them. */
const firstSequences = 0x7ff;
const lastSequence = 0xfff;

export function createMintId(): MintId {
  const random = createRandomBytes(16);
  let latest = -1;
  let sequence = 0;
  return (now) => {
    const bytes = random();
    const drawn = (((bytes[6] ?? 0) << 8) | (bytes[7] ?? 0)) & firstSequences;
    sequence = now === latest && sequence < lastSequence ? sequence + 1 : drawn;
    latest = now;
    bytes[6] = sequence >> 8;
    bytes[7] = sequence & 0xff;
    return formatUuidV7(now, bytes);
  };
}
