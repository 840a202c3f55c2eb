import type { KeyObject } from 'node:crypto';
import { GcmSealer, nonceBytes, openGcm, tagBytes } from './aes-gcm.js';
import { nilUuid, uuidFromBytes, uuidTime, uuidToBytes } from './uuid.js';
import { type BillingModel, codeOf, modelOfCode } from './billing/billing-models.js';
import { placements, type Placement } from './placement.js';

/** What a tracking URL knows. The serve id is the click id and holds the time of serving. */
export interface TrackingToken {
  readonly serveId: string;
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly adGroupId: string | null;
  readonly adId: string;
  readonly publisherId: string;
  readonly placement: Placement;
  readonly billingModel: BillingModel;
  /** What the event costs that the billing model names. */
  readonly priceMicros: number;
  readonly node: number;
  readonly test: boolean;
  readonly holdsAdGroup: boolean;
  readonly holdsAdvertiser: boolean;
  /** Served to somebody who must not be followed to the advertiser: no click id goes along. */
  readonly unlinked?: true | undefined;
  /** No budget holds the price: it is charged if there is room. */
  readonly unheld?: true | undefined;
}

export interface TrackingKey {
  readonly id: number;
  readonly key: KeyObject;
}

const version = 1;
const idsAt = 1 + 1 + 1 + 2 + 6;
const idBytes = 16;
const bodyBytes = idsAt + idBytes * 6;
const keyBytes = 1;
const bodyAt = keyBytes + nonceBytes;
const wholeBytes = bodyAt + bodyBytes + tagBytes;
const flagTest = 1;
const flagHoldsAdGroup = 2;
const flagHoldsAdvertiser = 4;
const flagAdGroup = 8;
const flagUnlinked = 16;
const flagUnheld = 32;

/**
 * Seals tokens as key id, nonce, sealed body, tag: 182 URL-safe characters. No two of the nonces
 * may ever be the same under one key.
 */
export function createTokenSealer(
  nonces: () => Uint8Array,
): (token: TrackingToken, key: TrackingKey) => string {
  /** Kept as long as their keys. */
  const sealers = new WeakMap<TrackingKey, GcmSealer>();
  return (token, key) => {
    let sealer = sealers.get(key);
    if (sealer === undefined)
      sealers.set(key, (sealer = new GcmSealer(key.key, Uint8Array.of(key.id), bodyBytes, nonces)));
    writeBody(token, sealer.message);
    sealer.seal();
    return sealer.message.toString('base64url');
  };
}

/** Every byte of it: what was there before is of another token. */
function writeBody(token: TrackingToken, bytes: Buffer): void {
  bytes[bodyAt] = version | (codeOf(token.billingModel) << 4);
  bytes[bodyAt + 1] = placements.indexOf(token.placement);
  bytes[bodyAt + 2] =
    (token.test ? flagTest : 0) |
    (token.holdsAdGroup ? flagHoldsAdGroup : 0) |
    (token.holdsAdvertiser ? flagHoldsAdvertiser : 0) |
    (token.adGroupId === null ? 0 : flagAdGroup) |
    (token.unlinked === true ? flagUnlinked : 0) |
    (token.unheld === true ? flagUnheld : 0);
  bytes.writeUInt16BE(token.node, bodyAt + 3);
  bytes.writeUIntBE(token.priceMicros, bodyAt + 5, 6);
  const at = bodyAt + idsAt;
  uuidToBytes(token.serveId, bytes, at);
  uuidToBytes(token.advertiserId, bytes, at + idBytes);
  uuidToBytes(token.campaignId, bytes, at + 2 * idBytes);
  uuidToBytes(token.adGroupId ?? nilUuid, bytes, at + 3 * idBytes);
  uuidToBytes(token.adId, bytes, at + 4 * idBytes);
  uuidToBytes(token.publisherId, bytes, at + 5 * idBytes);
}

/**
 * The token, or null for anything we did not seal: wrong length, unknown key, changed byte. One
 * answer for every fault.
 */
export function openToken(
  text: string,
  keyOf: (id: number) => KeyObject | undefined,
  idsOf: (bytes: Buffer) => AdIds = readIds,
): TrackingToken | null {
  const bytes = Buffer.from(text, 'base64url');
  // One spelling only: decoding forgives foreign characters and spare bits at the end.
  if (bytes.length !== wholeBytes || bytes.toString('base64url') !== text) return null;
  const key = keyOf(bytes[0] ?? 0);
  if (key === undefined || !openGcm(key, bytes, keyBytes)) return null;
  return readBody(bytes, idsOf);
}

/** So many ads are remembered by `createTokenReader`. */
const mostAds = 4000;

/**
 * Opens tokens of the same ads again and again: those of one ad share its ids, which are put
 * together once.
 */
export function createTokenReader(
  keyOf: (id: number) => KeyObject | undefined,
): (text: string) => TrackingToken | null {
  const known = new Map<string, AdIds>();
  const idsOf = (bytes: Buffer): AdIds => {
    const name = bytes.toString('latin1', adAt, bodyAt + bodyBytes);
    const earlier = known.get(name);
    if (earlier !== undefined) return earlier;
    if (known.size >= mostAds) known.clear();
    const ids = readIds(bytes);
    known.set(name, ids);
    return ids;
  };
  return (text) => openToken(text, keyOf, idsOf);
}

/** What tokens of one ad, shown by one publisher, have in common. */
interface AdIds {
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly adGroupId: string;
  readonly adId: string;
  readonly publisherId: string;
}

const adAt = bodyAt + idsAt + idBytes;

function readIds(bytes: Buffer): AdIds {
  const id = (index: number): string => uuidFromBytes(bytes, adAt + index * idBytes);
  return {
    advertiserId: id(0),
    campaignId: id(1),
    adGroupId: id(2),
    adId: id(3),
    publisherId: id(4),
  };
}

function readBody(bytes: Buffer, idsOf: (bytes: Buffer) => AdIds): TrackingToken | null {
  const head = bytes[bodyAt] ?? 0;
  const flags = bytes[bodyAt + 2] ?? 0;
  const placement = placements[bytes[bodyAt + 1] ?? 0];
  const billingModel = modelOfCode(head >> 4);
  if ((head & 0x0f) !== version || placement === undefined || billingModel === undefined)
    return null;
  const ids = idsOf(bytes);
  const token: TrackingToken = {
    serveId: uuidFromBytes(bytes, bodyAt + idsAt),
    advertiserId: ids.advertiserId,
    campaignId: ids.campaignId,
    adGroupId: (flags & flagAdGroup) === 0 ? null : ids.adGroupId,
    adId: ids.adId,
    publisherId: ids.publisherId,
    placement,
    billingModel,
    priceMicros: bytes.readUIntBE(bodyAt + 5, 6),
    node: bytes.readUInt16BE(bodyAt + 3),
    test: (flags & flagTest) !== 0,
    holdsAdGroup: (flags & flagHoldsAdGroup) !== 0,
    holdsAdvertiser: (flags & flagHoldsAdvertiser) !== 0,
  };
  if ((flags & (flagUnlinked | flagUnheld)) === 0) return token;
  return {
    ...token,
    ...((flags & flagUnlinked) === 0 ? {} : { unlinked: true }),
    ...((flags & flagUnheld) === 0 ? {} : { unheld: true }),
  };
}

export function servedAt(token: TrackingToken): number {
  return uuidTime(token.serveId);
}
