import { createCipheriv, type KeyObject } from 'node:crypto';

/**
 * AES-256-GCM (NIST SP 800-38D) with nonces of twelve bytes and tags of sixteen, for short messages
 * under a key that lasts. A cipher that is set up for each message costs several times what it
 * encrypts; here the block cipher, which is Node's, is set up once a key, and counting and the hash
 * are done beside it. A message lies in one array: what is only authenticated, nonce, body, tag.
 */
export interface Gcm {
  /** Encrypts the body where it lies and writes the tag behind it. */
  seal(message: Uint8Array, clearBytes: number): void;
  /** Decrypts the body where it lies; false, and nothing is changed, when the tag is wrong. */
  open(message: Uint8Array, clearBytes: number): boolean;
}

export const nonceBytes = 12;
export const tagBytes = 16;
const blockBytes = 16;

export function createGcm(key: KeyObject): Gcm {
  // Of one block nothing is left for the next: this one may be used for ever.
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  const hash = createHash128(cipher.update(Buffer.alloc(blockBytes)));
  let counters: Uint8Array = new Uint8Array(0);

  /** What the tag and then the body is mixed with. */
  function keystream(message: Uint8Array, nonceAt: number, bodyBytes: number): Uint8Array {
    const size = blockBytes * (1 + Math.ceil(bodyBytes / blockBytes));
    if (counters.length !== size) counters = countersOf(size);
    const nonce = message.subarray(nonceAt, nonceAt + nonceBytes);
    for (let at = 0; at < size; at += blockBytes) counters.set(nonce, at);
    return cipher.update(counters);
  }

  function mix(message: Uint8Array, from: number, to: number, stream: Uint8Array): void {
    for (let at = from; at < to; at += 1)
      message[at] = (message[at] ?? 0) ^ (stream[blockBytes + at - from] ?? 0);
  }

  return {
    seal(message, clearBytes) {
      const from = clearBytes + nonceBytes;
      const to = message.length - tagBytes;
      const stream = keystream(message, clearBytes, to - from);
      mix(message, from, to, stream);
      const tag = hash(message, clearBytes, from, to);
      for (let at = 0; at < tagBytes; at += 1)
        message[to + at] = (tag[at] ?? 0) ^ (stream[at] ?? 0);
    },
    open(message, clearBytes) {
      const from = clearBytes + nonceBytes;
      const to = message.length - tagBytes;
      if (to < from) return false;
      const stream = keystream(message, clearBytes, to - from);
      const tag = hash(message, clearBytes, from, to);
      // All of them, whatever the first ones say: how long it takes must tell nothing.
      let difference = 0;
      for (let at = 0; at < tagBytes; at += 1)
        difference |= (message[to + at] ?? 0) ^ (tag[at] ?? 0) ^ (stream[at] ?? 0);
      if (difference !== 0) return false;
      mix(message, from, to, stream);
      return true;
    },
  };
}

/** Room for a nonce before the number of each block; the first one is the tag's. */
function countersOf(size: number): Uint8Array {
  const counters = new Uint8Array(size);
  const view = new DataView(counters.buffer);
  for (let at = 0; at < size; at += blockBytes)
    view.setUint32(at + nonceBytes, at / blockBytes + 1);
  return counters;
}

/** What a polynomial of 128 bits gives when its lowest bit is taken off: x^128 = x^7 + x^2 + x + 1. */
const reduction = 0xe1 << 24;

/** For each byte that is shifted out below, what that adds above. */
const remainders = Int32Array.from({ length: 256 }, (_, byte) => {
  const words = [0, 0, 0, byte];
  for (let bit = 0; bit < 8; bit += 1) timesX(words);
  return words[0] ?? 0;
});

/** One step of the field of GCM, whose first bit is the highest. */
function timesX(words: number[]): void {
  const [a = 0, b = 0, c = 0, d = 0] = words;
  words[3] = (d >>> 1) | (c << 31);
  words[2] = (c >>> 1) | (b << 31);
  words[1] = (b >>> 1) | (a << 31);
  words[0] = (a >>> 1) ^ ((d & 1) === 1 ? reduction : 0);
}

/** GHASH by a table of what every byte times the key of the hash is, a byte at a time. */
function createHash128(
  key: Buffer,
): (message: Uint8Array, clearBytes: number, from: number, to: number) => Uint8Array {
  const products = productsOf(key);
  const state = new Int32Array(4);
  const tag = new Uint8Array(tagBytes);
  const view = new DataView(tag.buffer);

  function multiply(): void {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let word = 3; word >= 0; word -= 1) {
      let bits = state[word] ?? 0;
      for (let byte = 0; byte < 4; byte += 1) {
        const rest = remainders[d & 255] ?? 0;
        const at = (bits & 255) << 2;
        bits >>>= 8;
        d = ((d >>> 8) | (c << 24)) ^ (products[at + 3] ?? 0);
        c = ((c >>> 8) | (b << 24)) ^ (products[at + 2] ?? 0);
        b = ((b >>> 8) | (a << 24)) ^ (products[at + 1] ?? 0);
        a = (a >>> 8) ^ rest ^ (products[at] ?? 0);
      }
    }
    state[0] = a;
    state[1] = b;
    state[2] = c;
    state[3] = d;
  }

  /** Blocks of sixteen bytes, the last one filled up with zeros. */
  function absorb(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    for (; at + blockBytes <= to; at += blockBytes) {
      for (let word = 0; word < 4; word += 1) {
        const place = at + 4 * word;
        state[word] =
          (state[word] ?? 0) ^
          (((bytes[place] ?? 0) << 24) |
            ((bytes[place + 1] ?? 0) << 16) |
            ((bytes[place + 2] ?? 0) << 8) |
            (bytes[place + 3] ?? 0));
      }
      multiply();
    }
    if (at === to) return;
    for (let place = 0; at + place < to; place += 1)
      state[place >> 2] =
        (state[place >> 2] ?? 0) ^ ((bytes[at + place] ?? 0) << (24 - 8 * (place & 3)));
    multiply();
  }

  return (message, clearBytes, from, to) => {
    state.fill(0);
    absorb(message, 0, clearBytes);
    absorb(message, from, to);
    // How long both are, in bits; they are short.
    state[1] = (state[1] ?? 0) ^ (clearBytes * 8);
    state[3] = (state[3] ?? 0) ^ ((to - from) * 8);
    multiply();
    for (let word = 0; word < 4; word += 1) view.setInt32(word * 4, state[word] ?? 0);
    return tag;
  };
}

function productsOf(key: Buffer): Int32Array {
  const products = new Int32Array(256 * 4);
  const words = [0, 4, 8, 12].map((at) => key.readInt32BE(at));
  for (let byte = 128; byte > 0; byte >>= 1) {
    products.set(words, byte * 4);
    timesX(words);
  }
  // A sum of bits is the sum of their products.
  for (let byte = 1; byte < 256; byte += 1) {
    const low = byte & -byte;
    if (low === byte) continue;
    for (let word = 0; word < 4; word += 1)
      products[byte * 4 + word] =
        (products[low * 4 + word] ?? 0) ^ (products[(byte ^ low) * 4 + word] ?? 0);
  }
  return products;
}
