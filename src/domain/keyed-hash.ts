import * as crypto from 'node:crypto';
import { createHmac, type KeyObject } from 'node:crypto';

/** HMAC with SHA-256 of one text, as 32 bytes. */
export interface KeyedHash {
  (message: string | Uint8Array): Buffer;
  /** Writes so many of the bytes where they are wanted: a buffer of their own costs a third. */
  into(message: string | Uint8Array, target: Buffer, at: number, bytes: number): void;
}

const blockBytes = 64;
const digestBytes = 32;

/** In one call where Node has it (20.12): an object that hashes costs more than the hashing. */
const hashOnce = (crypto as { hash?: typeof crypto.hash }).hash;

/**
 * The same bytes as `createHmac`, in less than half of its time: the two hashes that HMAC is made
 * of, each of which begins with a block made of the key.
 */
export function createKeyedHash(key: KeyObject): KeyedHash {
  const secret = key.export();
  if (hashOnce === undefined || secret.length > blockBytes) {
    const hash = (message: string | Uint8Array): Buffer =>
      createHmac('sha256', key).update(message).digest();
    return Object.assign(hash, {
      into: (message: string | Uint8Array, target: Buffer, at: number, bytes: number): void =>
        void hash(message).copy(target, at, 0, bytes),
    });
  }
  const outer = padded(secret, 0x5c, digestBytes);
  let inner = padded(secret, 0x36, 4 * blockBytes);
  /** As text of a letter a byte. */
  const hashed = (message: string | Uint8Array): string => {
    const most = typeof message === 'string' ? 3 * message.length : message.length;
    if (blockBytes + most > inner.length) inner = padded(secret, 0x36, most);
    const length =
      typeof message === 'string'
        ? inner.write(message, blockBytes)
        : (inner.set(message, blockBytes), message.length);
    outer.write(
      hashOnce('sha256', inner.subarray(0, blockBytes + length), 'binary'),
      blockBytes,
      'binary',
    );
    return hashOnce('sha256', outer, 'binary');
  };
  return Object.assign(
    (message: string | Uint8Array): Buffer => Buffer.from(hashed(message), 'binary'),
    {
      into: (message: string | Uint8Array, target: Buffer, at: number, bytes: number): void =>
        void target.write(hashed(message), at, bytes, 'binary'),
    },
  );
}

/** The block of the key, with room behind it. */
function padded(secret: Buffer, pad: number, room: number): Buffer {
  const bytes = Buffer.alloc(blockBytes + room);
  bytes.fill(pad, 0, blockBytes);
  secret.forEach((byte, at) => (bytes[at] = byte ^ pad));
  return bytes;
}
