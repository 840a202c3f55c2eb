import {
  createTokenReader,
  createTokenSealer,
  type TrackingToken,
} from '../../domain/tracking-token.js';
import type { RandomBytes } from '../random-bytes.js';
import type { TrackingKeys } from './tracking-keys.js';

/** What tracking URLs carry, sealed and opened again. */
export interface TrackingTokens {
  seal(token: TrackingToken): string;
  /** The token, or null for anything no key of ours has sealed. */
  open(text: string): TrackingToken | null;
}

/** What was sealed with one key, by its text. */
interface Sealed {
  readonly keyId: number;
  readonly tokens: Map<string, TrackingToken>;
}

/** A beacon comes within seconds of its ad: so many of the last ads of this node. */
const remembered = 20_000;

/**
 * What this node has just sealed it knows again by its text, every character of it: to decrypt it
 * costs a tenth of a counted impression. Whatever is not remembered is opened.
 */
export function createTrackingTokens(
  keys: Pick<TrackingKeys, 'current' | 'find'>,
  nonces: RandomBytes,
): TrackingTokens {
  const read = createTokenReader(keys.find);
  const seal = createTokenSealer(nonces);
  // Two halves, of which the older one goes as a whole. No text is ever sealed twice.
  let young: Sealed = { keyId: -1, tokens: new Map() };
  let old = young;
  const ownOf = (text: string, { keyId, tokens }: Sealed): TrackingToken | undefined => {
    const token = tokens.get(text);
    // With a key that is no longer known nothing is opened any more.
    return token !== undefined && keys.find(keyId) !== undefined ? token : undefined;
  };
  return {
    seal(token) {
      const key = keys.current();
      const text = seal(token, key);
      if (young.tokens.size >= remembered / 2 || young.keyId !== key.id) {
        old = young;
        young = { keyId: key.id, tokens: new Map() };
      }
      young.tokens.set(text, token);
      return text;
    },
    open: (text) => ownOf(text, young) ?? ownOf(text, old) ?? read(text),
  };
}
