import assert from 'node:assert/strict';
import { createCipheriv, createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { GcmSealer, nonceBytes, openGcm, tagBytes } from './aes-gcm.js';

const bytes = (least: number, most = least) => fc.uint8Array({ minLength: least, maxLength: most });
const message = fc.tuple(bytes(32), bytes(0, 40), bytes(nonceBytes), bytes(0, 200));

/** The same by the library the runtime comes with. */
function sealedByNode(
  key: Uint8Array,
  clear: Uint8Array,
  nonce: Uint8Array,
  body: Uint8Array,
): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(clear);
  return Buffer.concat([clear, nonce, cipher.update(body), cipher.final(), cipher.getAuthTag()]);
}

/** Distinct ones in a row, from any beginning. */
function noncesFrom(first: Uint8Array): () => Uint8Array {
  const nonce = Buffer.from(first);
  return () => {
    nonce.writeUInt32BE((nonce.readUInt32BE(8) + 1) >>> 0, 8);
    return nonce;
  };
}

describe('AES-GCM for short messages', () => {
  it('seals to the byte what Node seals, with any key, nonces, lengths and bodies', () => {
    fc.assert(
      fc.property(
        message,
        fc.array(fc.nat(255), { maxLength: 5 }),
        ([key, clear, nonce, body], fills) => {
          const sealer = new GcmSealer(createSecretKey(key), clear, body.length, noncesFrom(nonce));
          const next = noncesFrom(nonce);
          for (const fill of [null, ...fills]) {
            const plain = fill === null ? body : new Uint8Array(body.length).fill(fill);
            sealer.message.set(plain, sealer.bodyAt);
            sealer.seal();
            assert.deepEqual(sealer.message, sealedByNode(key, clear, next(), plain));
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('seals more than are made ready at once', () => {
    const [key, clear, nonce] = [new Uint8Array(32).fill(9), Uint8Array.of(3), new Uint8Array(12)];
    const sealer = new GcmSealer(createSecretKey(key), clear, 107, noncesFrom(nonce));
    const next = noncesFrom(nonce);
    for (let sealed = 0; sealed < 1000; sealed += 1) {
      const body = new Uint8Array(107).fill(sealed);
      sealer.message.set(body, sealer.bodyAt);
      sealer.seal();
      assert.deepEqual(sealer.message, sealedByNode(key, clear, next(), body));
    }
  });

  it('opens what Node sealed', () => {
    fc.assert(
      fc.property(message, ([key, clear, nonce, body]) => {
        const sealed = sealedByNode(key, clear, nonce, body);
        assert.ok(openGcm(createSecretKey(key), sealed, clear.length));
        const opened = sealed.subarray(clear.length + nonceBytes, sealed.length - tagBytes);
        assert.deepEqual(new Uint8Array(opened), body);
      }),
    );
  });

  it('opens nothing that was changed, and leaves it as it is', () => {
    fc.assert(
      fc.property(message, fc.nat(), fc.integer({ min: 1, max: 255 }), (facts, place, flip) => {
        const [key, clear, nonce, body] = facts;
        const sealed = sealedByNode(key, clear, nonce, body);
        const at = place % sealed.length;
        sealed[at] = (sealed[at] ?? 0) ^ flip;
        const before = Buffer.from(sealed);
        assert.equal(openGcm(createSecretKey(key), sealed, clear.length), false);
        assert.deepEqual(sealed, before);
      }),
    );
  });

  it('opens nothing that is too short to hold a tag', () => {
    assert.equal(openGcm(createSecretKey(new Uint8Array(32)), new Uint8Array(20), 1), false);
  });
});
