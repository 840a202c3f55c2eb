import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatUuidV7, isUuid, uuidDay, uuidFromBytes, uuidTime, uuidToBytes } from './uuid.js';

const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });

describe('UUIDs', () => {
  it('of version 7 hold their time, whatever the random bits', () => {
    fc.assert(
      fc.property(time, bytes, (at, random) => {
        const id = formatUuidV7(at, random);
        assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        assert.equal(uuidTime(id), at);
      }),
    );
  });

  it('of a later millisecond sort later as text', () => {
    fc.assert(
      fc.property(time, time, bytes, bytes, (one, other, a, b) => {
        if (one !== other) assert.equal(formatUuidV7(one, a) < formatUuidV7(other, b), one < other);
      }),
    );
  });

  it('know their UTC day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 253402300799999 }), bytes, (at, random) =>
        assert.equal(uuidDay(formatUuidV7(at, random)), new Date(at).toISOString().slice(0, 10)),
      ),
    );
  });

  it('survive the way to bytes and back at any offset', () => {
    fc.assert(
      fc.property(bytes, fc.nat(20), (raw, offset) => {
        const target = new Uint8Array(40);
        uuidToBytes(uuidFromBytes(raw, 0), target, offset);
        assert.deepEqual(target.subarray(offset, offset + 16), raw);
        assert.equal(uuidFromBytes(target, offset), uuidFromBytes(raw, 0));
      }),
    );
  });

  it('are told from any other value', () => {
    fc.assert(fc.property(bytes, (raw) => assert.ok(isUuid(uuidFromBytes(raw, 0)))));
    for (const wrong of [
      null,
      5,
      '',
      'x',
      '0'.repeat(36),
      '00000000-0000-0000-0000-00000000000',
      ' 00000000-0000-0000-0000-000000000000',
      '00000000-0000-0000-0000-000000000000\n',
    ])
      assert.equal(isUuid(wrong), false);
  });
});
