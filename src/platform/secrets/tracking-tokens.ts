import { createTokenReader, sealToken, type TrackingToken } from '../../domain/tracking-token.js';
import type { RandomBytes } from '../random-bytes.js';
import type { TrackingKeys } from './tracking-keys.js';

/** What tracking URLs carry, sealed and opened again. */
export interface TrackingTokens {
  seal(token: TrackingToken): string;
  /** The token, or null for anything no key of ours has sealed. */
  open(text: string): TrackingToken | null;
}

interface Sealed {
  readonly token: TrackingToken;
  readonly keyId: number;
}

/** A beacon comes within seconds of its ad: so many of the last ads of this node. */
const remembered = 20_000;

/**
 * What this node has just sealed it knows again by its text, every character of it: to decrypt it
 * costs a tenth of a counted impression. Whatever is not remembered is opened.
 */
export function createTrackingTokens(
  keys: Pick<TrackingKeys, 'current' | 'find'>,
  nonce: RandomBytes,
): TrackingTokens {
  const read = createTokenReader(keys.find);
  // Two halves, of which the older one goes as a whole. No text is ever sealed twice.
  let young = new Map<string, Sealed>();
  let old = new Map<string, Sealed>();
  return {
    seal(token) {
      const key = keys.current();
      const text = sealToken(token, key, nonce());
      if (young.size >= remembered / 2) {
        old = young;
        young = new Map();
      }
      young.set(text, { token, keyId: key.id });
      return text;
    },
    open(text) {
      const own = young.get(text) ?? old.get(text);
      // With a key that is no longer known nothing is opened any more.
      return own !== undefined && keys.find(own.keyId) !== undefined ? own.token : read(text);
    },
  };
}
