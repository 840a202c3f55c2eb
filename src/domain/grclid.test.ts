import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { grclidOf, serveIdOf } from './grclid.js';
import { uuidFromBytes } from './uuid.js';

const uuid = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => uuidFromBytes(bytes, 0));

describe('click ids', () => {
  it('are 22 URL-safe characters that lead back to the served ad', () => {
    fc.assert(
      fc.property(uuid, (id) => {
        assert.match(grclidOf(id), /^[A-Za-z0-9_-]{22}$/);
        assert.equal(serveIdOf(grclidOf(id)), id);
        assert.equal(serveIdOf(id.toUpperCase()), id);
      }),
    );
  });

  it('have one spelling each', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{22}$/), (text) => {
        const id = serveIdOf(text);
        if (id !== null) assert.equal(grclidOf(id), text);
      }),
    );
  });

  it('are nothing else', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const id = serveIdOf(value);
        if (id !== null)
          assert.ok(
            value === grclidOf(id) || (typeof value === 'string' && value.toLowerCase() === id),
          );
      }),
    );
    for (const wrong of [
      '',
      'x'.repeat(21),
      'x'.repeat(23),
      null,
      undefined,
      7,
      {},
      ['a'.repeat(22)],
    ])
      assert.equal(serveIdOf(wrong), null);
  });
});
