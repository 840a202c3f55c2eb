import { type KeyObject, timingSafeEqual } from 'node:crypto';
import { type Ground, grounds } from './disclosure/disclosure.js';
import { createKeyedHash, type KeyedHash } from './keyed-hash.js';
import type { TrackingKey } from './tracking-token.js';
import { uuidFromBytes, uuidToBytes } from './uuid.js';

/**
 * What the link to somebody's choices knows: the ad it came with, and whose choices they are. The
 * person is a pseudonym: of the publisher's user, or of the session where there is none.
 */
export interface ChoiceToken {
  readonly serveId: string;
  readonly publisherId: string;
  /** 22 characters of base64url, after a `~`. */
  readonly subject: string;
  readonly scope: 'user' | 'session';
  readonly ground: Ground;
}

const idBytes = 16;
const bodyBytes = 2 + 3 * idBytes;
const tagBytes = 16;
const mark = '~';
const userScope = 0x80;

/** What a tracking key signs here it signs nowhere else. */
const use = Buffer.from('sidelight.choices\n');
/** The token being made, with what is signed with it in front. */
const making = Buffer.concat([use, Buffer.alloc(bodyBytes + tagBytes)]);
const signed = making.subarray(0, use.length + bodyBytes);
const sealed = making.subarray(use.length);

/** Key id, scope and ground, ad, publisher, person, tag: 88 URL-safe characters. */
export function sealChoices(token: ChoiceToken, key: TrackingKey): string {
  // Used again by the next, and what is signed stands before it.
  const bytes = sealed.fill(0);
  bytes[0] = key.id;
  bytes[1] = grounds.indexOf(token.ground) | (token.scope === 'user' ? userScope : 0);
  uuidToBytes(token.serveId, bytes, 2);
  uuidToBytes(token.publisherId, bytes, 2 + idBytes);
  bytes.write(token.subject.slice(mark.length), 2 + 2 * idBytes, 'base64url');
  hashOf(key.key).into(signed, bytes, bodyBytes, tagBytes);
  return bytes.toString('base64url');
}

/** The token, or null for anything we did not make. */
export function openChoices(
  text: string,
  keyOf: (id: number) => KeyObject | undefined,
): ChoiceToken | null {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== bodyBytes + tagBytes || bytes.toString('base64url') !== text) return null;
  const key = keyOf(bytes[0] ?? 0);
  const body = bytes.subarray(0, bodyBytes);
  if (
    key === undefined ||
    !timingSafeEqual(tagOf(body, key).subarray(0, tagBytes), bytes.subarray(bodyBytes))
  )
    return null;
  const ground = grounds[(bytes[1] ?? 0) & 0x0f];
  if (ground === undefined) return null;
  return {
    serveId: uuidFromBytes(body, 2),
    publisherId: uuidFromBytes(body, 2 + idBytes),
    subject: mark + body.subarray(2 + 2 * idBytes).toString('base64url'),
    scope: ((bytes[1] ?? 0) & userScope) === 0 ? 'session' : 'user',
    ground,
  };
}

/** Kept as long as their key. */
const hashes = new WeakMap<KeyObject, KeyedHash>();

function hashOf(key: KeyObject): KeyedHash {
  let hash = hashes.get(key);
  if (hash === undefined) hashes.set(key, (hash = createKeyedHash(key)));
  return hash;
}

function tagOf(body: Buffer, key: KeyObject): Buffer {
  return hashOf(key)(Buffer.concat([use, body]));
}
