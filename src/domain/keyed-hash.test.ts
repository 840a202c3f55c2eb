import assert from 'node:assert/strict';
import { createHmac, createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { createKeyedHash } from './keyed-hash.js';

const messages = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.uint8Array({ maxLength: 400 }),
);

test('a keyed hash is the HMAC of any message, whatever was hashed before it', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 80 }),
      fc.array(messages, { minLength: 1, maxLength: 5 }),
      (secret, given) => {
        const key = createSecretKey(secret);
        const hash = createKeyedHash(key);
        for (const message of given) {
          const whole = createHmac('sha256', key).update(message).digest();
          assert.deepEqual(hash(message), whole);
          const target = Buffer.alloc(24, 7);
          hash.into(message, target, 3, 16);
          assert.deepEqual(
            target,
            Buffer.concat([Buffer.alloc(3, 7), whole.subarray(0, 16), Buffer.alloc(5, 7)]),
          );
        }
      },
    ),
  );
});

test('a hash stays what it was when the next message is hashed', () => {
  const hash = createKeyedHash(createSecretKey(Buffer.from('secret')));
  const first = hash('one');
  const copy = Buffer.from(first);
  hash('two');
  assert.deepEqual(first, copy);
});
