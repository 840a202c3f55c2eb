import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isUuid, uuidFromBytes } from '../../domain/uuid.js';
import { binaryList } from './binary-list.js';

const first = 24;

test('a list of UUIDs holds their bytes, whatever their case', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.boolean(), (id, isUpper) => {
      const list = binaryList('uuid', [isUpper ? id.toUpperCase() : id]);
      assert.equal(uuidFromBytes(list, first), id);
    }),
  );
});

test('what is no UUID is refused, however near it comes', () => {
  const near = fc
    .tuple(fc.uuid(), fc.nat(35), fc.string({ unit: 'binary', minLength: 0, maxLength: 2 }))
    .map(([id, at, other]) => id.slice(0, at) + other + id.slice(at + 1))
    .filter((text) => !isUuid(text));
  fc.assert(
    fc.property(near, (text) => assert.throws(() => binaryList('uuid', [text]), RangeError)),
  );
});
