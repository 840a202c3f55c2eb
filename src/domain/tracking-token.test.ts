import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { placements } from './placement.js';
import {
  createTokenSealer,
  openToken,
  servedAt,
  type TrackingKey,
  type TrackingToken,
} from './tracking-token.js';
import { formatUuidV7, uuidFromBytes } from './uuid.js';

const keyOf = (id: number): TrackingKey => ({ id, key: createSecretKey(Buffer.alloc(32, id)) });
const keys = new Map([1, 2, 255].map((id) => [id, keyOf(id)]));
const find = (id: number) => keys.get(id)?.key;
const uuid = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => uuidFromBytes(bytes, 0));
const token: fc.Arbitrary<TrackingToken> = fc.record(
  {
    serveId: fc
      .tuple(
        fc.integer({ min: 0, max: 2 ** 48 - 1 }),
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
      )
      .map(([at, random]) => formatUuidV7(at, random)),
    advertiserId: uuid,
    campaignId: uuid,
    adGroupId: fc.option(uuid),
    adId: uuid,
    publisherId: uuid,
    placement: fc.constantFrom(...placements),
    billingModel: fc.constantFrom('cpm', 'cpc', 'cpa'),
    priceMicros: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
    node: fc.integer({ min: 0, max: 65535 }),
    test: fc.boolean(),
    holdsAdGroup: fc.boolean(),
    holdsAdvertiser: fc.boolean(),
    unlinked: fc.constant<true>(true),
    unheld: fc.constant<true>(true),
  },
  {
    noNullPrototype: true,
    requiredKeys: [
      'serveId',
      'advertiserId',
      'campaignId',
      'adGroupId',
      'adId',
      'publisherId',
      'placement',
      'billingModel',
      'priceMicros',
      'node',
      'test',
      'holdsAdGroup',
      'holdsAdvertiser',
    ],
  },
);
const keyId = fc.constantFrom(1, 2, 255);
const sealToken = createTokenSealer(() => randomBytes(12));
const seal = (facts: TrackingToken, id: number): string =>
  sealToken(facts, keys.get(id) ?? keyOf(id));

describe('tracking tokens', () => {
  it('come back whole, in at most 200 URL-safe characters', () => {
    fc.assert(
      fc.property(token, keyId, (facts, id) => {
        const text = seal(facts, id);
        assert.match(text, /^[A-Za-z0-9_-]{1,200}$/);
        assert.deepEqual(openToken(text, find), facts);
      }),
    );
  });

  it('are unreadable after any byte changed', () => {
    fc.assert(
      fc.property(
        token,
        keyId,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (facts, id, place, flip) => {
          const bytes = Buffer.from(seal(facts, id), 'base64url');
          const at = place % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ flip;
          assert.equal(openToken(bytes.toString('base64url'), find), null);
        },
      ),
    );
  });

  it('have one spelling: no other character anywhere gives the same token', () => {
    fc.assert(
      fc.property(
        token,
        keyId,
        fc.nat(),
        fc.constantFrom(...'ABYZabyz0189-_', '=', '+', '%', ' ', '\u0000'),
        (facts, id, place, character) => {
          const text = seal(facts, id);
          const at = place % 3 === 0 ? text.length - 1 : place % text.length;
          const changed = text.slice(0, at) + character + text.slice(at + 1);
          if (changed !== text) assert.equal(openToken(changed, find), null);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('are unreadable when cut, extended or foreign', () => {
    fc.assert(
      fc.property(token, keyId, fc.nat(), fc.string(), (facts, id, place, more) => {
        const text = seal(facts, id);
        assert.equal(openToken(text.slice(0, place % text.length), find), null);
        if (more !== '') assert.equal(openToken(text + more, find), null);
        assert.equal(openToken(more, find), null);
      }),
    );
  });

  it('of a key nobody knows, or of another key under the same number, are unreadable', () => {
    const [facts] = fc.sample(token, 1);
    assert.ok(facts !== undefined);
    assert.equal(openToken(seal(facts, 3), find), null);
    assert.equal(openToken(sealToken(facts, { id: 1, key: keyOf(9).key }), find), null);
  });

  it('never share a nonce, however many are sealed', () => {
    const [facts] = fc.sample(token, 1);
    assert.ok(facts !== undefined);
    const nonces = Array.from({ length: 1000 }, () =>
      Buffer.from(seal(facts, 1), 'base64url').toString('hex', 1, 13),
    );
    assert.equal(new Set(nonces).size, nonces.length);
  });

  it('know when their ad was served', () => {
    fc.assert(
      fc.property(
        token,
        fc.integer({ min: 0, max: 2 ** 48 - 1 }),
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        (facts, at, random) => {
          assert.equal(servedAt({ ...facts, serveId: formatUuidV7(at, random) }), at);
        },
      ),
    );
  });
});
