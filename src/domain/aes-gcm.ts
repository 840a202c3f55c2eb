import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

/**
 * AES-256-GCM with nonces of twelve bytes and tags of sixteen. A message lies in one array: what is
 * only authenticated, nonce, body, tag.
 */
export interface Gcm {
  /** Encrypts the body where it lies and writes the tag behind it. */
  seal(parts: GcmParts): void;
  /** Decrypts the body where it lies; false, and nothing is changed, when the tag is wrong. */
  open(message: Uint8Array, clearBytes: number): boolean;
}

/** A message and its parts, which are where it is: who seals one after the other cuts it up once. */
export interface GcmParts {
  readonly message: Uint8Array;
  readonly clear: Uint8Array;
  readonly nonce: Uint8Array;
  readonly body: Uint8Array;
}

export const nonceBytes = 12;
export const tagBytes = 16;
const algorithm = 'aes-256-gcm';

export function gcmParts(message: Uint8Array, clearBytes: number): GcmParts {
  const bodyAt = clearBytes + nonceBytes;
  return {
    message,
    clear: message.subarray(0, clearBytes),
    nonce: message.subarray(clearBytes, bodyAt),
    body: message.subarray(bodyAt, message.length - tagBytes),
  };
}

export function createGcm(key: KeyObject): Gcm {
  return {
    seal({ message, clear, nonce, body }) {
      const cipher = createCipheriv(algorithm, key, nonce);
      cipher.setAAD(clear);
      body.set(cipher.update(body));
      // A stream cipher has given everything already; what is left is the tag.
      cipher.final();
      message.set(cipher.getAuthTag(), message.length - tagBytes);
    },
    open(message, clearBytes) {
      const from = clearBytes + nonceBytes;
      const to = message.length - tagBytes;
      if (to < from) return false;
      const decipher = createDecipheriv(algorithm, key, message.subarray(clearBytes, from));
      decipher.setAAD(message.subarray(0, clearBytes)).setAuthTag(message.subarray(to));
      const body = decipher.update(message.subarray(from, to));
      try {
        decipher.final();
      } catch {
        return false;
      }
      message.set(body, from);
      return true;
    },
  };
}
