import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { Ghash } from '../fast/ghash.js';

// AES-256-GCM with nonces of twelve bytes and tags of sixteen. A message lies in one array: what is
// only authenticated, nonce, body, tag.

export const nonceBytes = 12;
export const tagBytes = 16;
const blockBytes = 16;

/** So many messages are made ready at once. */
const drawn = 256;

/**
 * Seals messages that begin with the same clear bytes and are of one length. A cipher of Node is
 * made for one message, which costs more than encrypting it: here one call of AES encrypts the
 * counters of hundreds, each under a nonce of its own, and a message takes a sum of its own
 * (`fast/ghash`). The bytes are those of Node's AES-GCM.
 */
export class GcmSealer {
  /** Clear bytes, nonce, body, tag: the next message is written where the one before was. */
  readonly message: Buffer;
  readonly bodyAt: number;
  readonly #bodyBytes: number;
  readonly #view: DataView;
  readonly #nonces: () => Uint8Array;
  readonly #aes: (blocks: Uint8Array) => Buffer;
  readonly #ghash: Ghash;
  /** Of the clear bytes, with which every message's sum begins. */
  readonly #clearSum = new Int32Array(4);
  readonly #sum = new Int32Array(4);
  /** Body and lengths as the words that are summed. */
  readonly #summed: Int32Array;
  /** Nonce and counter of every block of all that are made ready: of the tag, then of the body. */
  readonly #counters: Buffer;
  #keystreams: DataView;
  #used = drawn;

  /** A nonce must never be drawn twice for one key. */
  constructor(key: KeyObject, clear: Uint8Array, bodyBytes: number, nonces: () => Uint8Array) {
    this.bodyAt = clear.length + nonceBytes;
    this.#bodyBytes = bodyBytes;
    this.message = Buffer.alloc(this.bodyAt + bodyBytes + tagBytes);
    this.message.set(clear);
    this.#view = viewOf(this.message);
    this.#nonces = nonces;
    const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
    // Whole blocks only: nothing of them waits for the next ones.
    this.#aes = (blocks) => cipher.update(blocks);
    this.#ghash = new Ghash(wordsOf(this.#aes(Buffer.alloc(blockBytes))));
    this.#ghash.add(this.#clearSum, wordsOf(clear));
    const blocks = Math.ceil(bodyBytes / blockBytes);
    this.#summed = new Int32Array((blocks + 1) * 4);
    this.#summed[blocks * 4 + 1] = clear.length * 8;
    this.#summed[blocks * 4 + 3] = bodyBytes * 8;
    this.#counters = Buffer.alloc(drawn * (1 + blocks) * blockBytes);
    this.#keystreams = viewOf(this.#counters);
  }

  /** Encrypts the body where it lies, writes nonce and tag around it. */
  seal(): void {
    if (this.#used === drawn) this.#draw();
    const from = (this.#counters.length / drawn) * this.#used;
    this.#used += 1;
    this.#counters.copy(this.message, this.bodyAt - nonceBytes, from, from + nonceBytes);
    this.#encrypt(from + blockBytes);
    const sum = this.#sum;
    sum.set(this.#clearSum);
    this.#ghash.add(sum, this.#summed);
    const tagAt = this.bodyAt + this.#bodyBytes;
    for (let at = 0; at < 4; at += 1) {
      const word = this.#keystreams.getInt32(from + 4 * at);
      this.#view.setInt32(tagAt + 4 * at, word ^ (sum[at] ?? 0));
    }
  }

  #encrypt(from: number): void {
    const bytes = this.#bodyBytes;
    for (let at = 0; at < bytes; at += 4) {
      // The last word may reach into the tag, which is written afterwards.
      const left = bytes - at;
      const whole = left >= 4 ? -1 : -1 << (8 * (4 - left));
      const word = this.#view.getInt32(this.bodyAt + at) ^ this.#keystreams.getInt32(from + at);
      this.#view.setInt32(this.bodyAt + at, word);
      this.#summed[at >> 2] = word & whole;
    }
  }

  #draw(): void {
    const counters = this.#counters;
    const perMessage = counters.length / drawn;
    for (let from = 0; from < counters.length; from += perMessage) {
      const nonce = this.#nonces();
      for (let at = 0; at < perMessage; at += blockBytes) {
        counters.set(nonce, from + at);
        // The tag has the first, as GCM says.
        counters.writeUInt32BE(1 + at / blockBytes, from + at + nonceBytes);
      }
    }
    this.#keystreams = viewOf(this.#aes(counters));
    this.#used = 0;
  }
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

/** Whole blocks, zeros behind the last byte. */
function wordsOf(bytes: Uint8Array): Int32Array {
  const padded = Buffer.alloc(Math.ceil(bytes.length / blockBytes) * blockBytes);
  padded.set(bytes);
  return Int32Array.from({ length: padded.length / 4 }, (_, at) => padded.readInt32BE(4 * at));
}

/** Decrypts the body where it lies; false, and nothing is changed, when the tag is wrong. */
export function openGcm(key: KeyObject, message: Uint8Array, clearBytes: number): boolean {
  const from = clearBytes + nonceBytes;
  const to = message.length - tagBytes;
  if (to < from) return false;
  const decipher = createDecipheriv('aes-256-gcm', key, message.subarray(clearBytes, from));
  decipher.setAAD(message.subarray(0, clearBytes)).setAuthTag(message.subarray(to));
  const body = decipher.update(message.subarray(from, to));
  try {
    decipher.final();
  } catch {
    return false;
  }
  message.set(body, from);
  return true;
}
