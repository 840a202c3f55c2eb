import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { uuidFromHex, uuidTime, uuidToHex } from './uuid.js';
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
  readonly unlinked?: true;
}

export interface TrackingKey {
  readonly id: number;
  readonly key: KeyObject;
}

const version = 1;
const bodyBytes = 1 + 1 + 1 + 2 + 6 + 16 * 6;
export const nonceBytes = 12;
const tagBytes = 16;
const wholeBytes = 1 + nonceBytes + bodyBytes + tagBytes;
const flagTest = 1;
const flagHoldsAdGroup = 2;
const flagHoldsAdvertiser = 4;
const flagAdGroup = 8;
const flagUnlinked = 16;

/**
 * Key id, nonce, sealed body, tag: 182 URL-safe characters. The nonce must never repeat under one
 * key.
 */
export function sealToken(token: TrackingToken, key: TrackingKey, nonce: Uint8Array): string {
  const body = Buffer.alloc(bodyBytes);
  body[0] = version | (codeOf(token.billingModel) << 4);
  body[1] = placements.indexOf(token.placement);
  body[2] =
    (token.test ? flagTest : 0) |
    (token.holdsAdGroup ? flagHoldsAdGroup : 0) |
    (token.holdsAdvertiser ? flagHoldsAdvertiser : 0) |
    (token.adGroupId === null ? 0 : flagAdGroup) |
    (token.unlinked === true ? flagUnlinked : 0);
  body.writeUInt16BE(token.node, 3);
  body.writeUIntBE(token.priceMicros, 5, 6);
  const ids = [
    token.serveId,
    token.advertiserId,
    token.campaignId,
    token.adGroupId,
    token.adId,
    token.publisherId,
  ];
  for (const [index, id] of ids.entries())
    if (id !== null) body.write(uuidToHex(id), 11 + index * 16, 'hex');
  const cipher = createCipheriv('aes-256-gcm', key.key, nonce).setAAD(Buffer.of(key.id));
  return Buffer.concat([
    Buffer.of(key.id),
    nonce,
    cipher.update(body),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString('base64url');
}

/**
 * The token, or null for anything we did not seal: wrong length, unknown key, changed byte. One
 * answer for every fault.
 */
export function openToken(
  text: string,
  keyOf: (id: number) => KeyObject | undefined,
): TrackingToken | null {
  const bytes = Buffer.from(text, 'base64url');
  // One spelling only: decoding forgives foreign characters and spare bits at the end.
  if (bytes.length !== wholeBytes || bytes.toString('base64url') !== text) return null;
  const key = keyOf(bytes[0] ?? 0);
  if (key === undefined) return null;
  let body: Buffer;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(1, 1 + nonceBytes))
      .setAAD(bytes.subarray(0, 1))
      .setAuthTag(bytes.subarray(wholeBytes - tagBytes));
    body = decipher.update(bytes.subarray(1 + nonceBytes, wholeBytes - tagBytes));
    // A stream cipher has given everything already; what is left is the check of the tag.
    decipher.final();
  } catch {
    return null;
  }
  return readBody(body);
}

function readBody(body: Buffer): TrackingToken | null {
  const head = body[0] ?? 0;
  const flags = body[2] ?? 0;
  const placement = placements[body[1] ?? 0];
  const billingModel = modelOfCode(head >> 4);
  if ((head & 0x0f) !== version || placement === undefined || billingModel === undefined)
    return null;
  const digits = body.toString('hex', 11);
  const id = (index: number): string => uuidFromHex(digits, index * 32);
  return {
    serveId: id(0),
    advertiserId: id(1),
    campaignId: id(2),
    adGroupId: (flags & flagAdGroup) === 0 ? null : id(3),
    adId: id(4),
    publisherId: id(5),
    placement,
    billingModel,
    priceMicros: body.readUIntBE(5, 6),
    node: body.readUInt16BE(3),
    test: (flags & flagTest) !== 0,
    holdsAdGroup: (flags & flagHoldsAdGroup) !== 0,
    holdsAdvertiser: (flags & flagHoldsAdvertiser) !== 0,
    ...((flags & flagUnlinked) === 0 ? {} : { unlinked: true }),
  };
}

export function servedAt(token: TrackingToken): number {
  return uuidTime(token.serveId);
}
