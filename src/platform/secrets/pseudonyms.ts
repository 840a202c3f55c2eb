import { createCipheriv, createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { createKeyedHash } from '../../domain/keyed-hash.js';
import { createBoundedCache } from '../bounded-cache.js';

/**
 * What is stored in place of the names publishers give their users. Keyed with a secret of the
 * installation and the publisher's id: who has the data alone can neither find a name by trying nor
 * tell that two publishers talk to the same person.
 */
export interface Pseudonyms {
  /** Of a user id; nobody stays nobody. */
  user(publisherId: string, name: string): string;
  session(publisherId: string, session: string): string;
  /** Of a hashed e-mail that links ads to conversions of one advertiser. */
  viewer(advertiserId: string, identity: string): string;
  /** Of a hashed user id or e-mail beside a search. */
  searcher(publisherId: string, hash: string): string;
  /** The name, to be shown to its publisher again; opened with the pseudonym it belongs to. */
  seal(publisherId: string, name: string): string;
  /** Null when it is not the name of that pseudonym. */
  open(publisherId: string, pseudonym: string, sealed: string): string | null;
}

export const anonymous = 'anonymous';
/** Begins every pseudonym, so that an older store's plain names are told apart. */
const mark = '~';
const bytes = 16;

export function isPseudonym(text: string): boolean {
  return text.startsWith(mark) && text.length === mark.length + 22;
}

export function createPseudonyms(masterSecret: string): Pseudonyms {
  const keyFor = (use: string): KeyObject =>
    createSecretKey(createHash('sha256').update(`sidelight.${use}:${masterSecret}`).digest());
  const hash = createKeyedHash(keyFor('pseudonym'));
  const naming = keyFor('name');
  const digest = (kind: string, owner: string, value: string): Buffer =>
    hash(`${kind}\n${owner}\n${value}`).subarray(0, bytes);
  /** Used again by the next. */
  const digested = Buffer.alloc(bytes);
  // People ask again and again; a keyed hash costs as much as reading their request.
  const known = createBoundedCache<string, string>(50_000);
  const pseudonym = (kind: string, owner: string, value: string): string => {
    const key = `${kind}\n${owner}\n${value}`;
    const earlier = known.get(key);
    if (earlier !== undefined) return earlier;
    hash.into(key, digested, 0, bytes);
    const made = mark + digested.toString('base64url');
    known.set(key, made);
    return made;
  };
  const user = (publisherId: string, name: string): string =>
    name === anonymous ? anonymous : pseudonym('user', publisherId, name);
  // The pseudonym is the nonce: of one name it is always the same, of two never.
  const cipher = (nonce: Buffer, text: Buffer): Buffer =>
    createCipheriv('aes-256-ctr', naming, nonce).update(text);
  return {
    user,
    session: (publisherId, session) => pseudonym('session', publisherId, session),
    viewer: (advertiserId, identity) => pseudonym('viewer', advertiserId, identity),
    searcher: (publisherId, hash) => pseudonym('searcher', publisherId, hash),
    seal: (publisherId, name) =>
      cipher(digest('user', publisherId, name), Buffer.from(name)).toString('base64url'),
    open(publisherId, stored, sealed) {
      if (!isPseudonym(stored)) return null;
      const nonce = Buffer.from(stored.slice(mark.length), 'base64url');
      const name = cipher(nonce, Buffer.from(sealed, 'base64url')).toString();
      return user(publisherId, name) === stored ? name : null;
    },
  };
}
