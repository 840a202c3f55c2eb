import assert from 'node:assert/strict';
import { createCipheriv, createSecretKey } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createGcm, gcmParts, nonceBytes, tagBytes } from './aes-gcm.js';

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

const gcmOf = (key: Uint8Array) => createGcm(createSecretKey(key));

describe('AES-GCM for short messages', () => {
  it('seals to the byte what Node seals, with any key, nonce, length and order of lengths', () => {
    const gcms = new Map<string, ReturnType<typeof gcmOf>>();
    fc.assert(
      fc.property(message, fc.boolean(), ([key, clear, nonce, body], keepsKey) => {
        const used = keepsKey ? new Uint8Array(32).fill(7) : key;
        const name = Buffer.from(used).toString('hex');
        const gcm = gcms.get(name) ?? gcmOf(used);
        gcms.set(name, gcm);
        const sealed = Buffer.concat([clear, nonce, body, Buffer.alloc(tagBytes)]);
        gcm.seal(gcmParts(sealed, clear.length));
        assert.deepEqual(sealed, sealedByNode(used, clear, nonce, body));
      }),
      { numRuns: 500 },
    );
  });

  it('opens what Node sealed', () => {
    fc.assert(
      fc.property(message, ([key, clear, nonce, body]) => {
        const sealed = sealedByNode(key, clear, nonce, body);
        assert.ok(gcmOf(key).open(sealed, clear.length));
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
        assert.equal(gcmOf(key).open(sealed, clear.length), false);
        assert.deepEqual(sealed, before);
      }),
    );
  });

  it('opens nothing that is too short to hold a tag', () => {
    assert.equal(gcmOf(new Uint8Array(32)).open(new Uint8Array(20), 1), false);
  });
});
