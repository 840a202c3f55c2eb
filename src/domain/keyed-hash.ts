import * as crypto from 'node:crypto';
import { createHmac, type KeyObject } from 'node:crypto';

/** HMAC with SHA-256 of one text, as 32 bytes. */
export type KeyedHash = (message: string | Uint8Array) => Buffer;

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
  if (hashOnce === undefined || secret.length > blockBytes)
    return (message) => createHmac('sha256', key).update(message).digest();
  const outer = padded(secret, 0x5c, digestBytes);
  let inner = padded(secret, 0x36, 4 * blockBytes);
  return (message) => {
    const most = typeof message === 'string' ? 3 * message.length : message.length;
    if (blockBytes + most > inner.length) inner = padded(secret, 0x36, most);
    const length =
      typeof message === 'string'
        ? inner.write(message, blockBytes)
        : (inner.set(message, blockBytes), message.length);
    const hashed = hashOnce('sha256', inner.subarray(0, blockBytes + length), 'binary');
    outer.write(hashed, blockBytes, 'binary');
    return Buffer.from(hashOnce('sha256', outer, 'binary'), 'binary');
  };
}

/** The block of the key, with room behind it. */
function padded(secret: Buffer, pad: number, room: number): Buffer {
  const bytes = Buffer.alloc(blockBytes + room);
  bytes.fill(pad, 0, blockBytes);
  secret.forEach((byte, at) => (bytes[at] = byte ^ pad));
  return bytes;
}
