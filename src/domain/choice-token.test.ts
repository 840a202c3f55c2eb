import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ChoiceToken, openChoices, sealChoices } from './choice-token.js';
import { grounds } from './disclosure/disclosure.js';

const keyOf = (id: number) => ({ id, key: createSecretKey(randomBytes(32)) });
const [one, other] = [keyOf(7), keyOf(7)];
const tokens: fc.Arbitrary<ChoiceToken> = fc.record({
  serveId: fc.uuid(),
  publisherId: fc.uuid(),
  subject: fc
    .uint8Array({ minLength: 16, maxLength: 16 })
    .map((bytes) => `~${Buffer.from(bytes).toString('base64url')}`),
  scope: fc.constantFrom('user', 'session'),
  ground: fc.constantFrom(...grounds),
});

test('a link to choices says what it was made with, and opens with no other key', () => {
  fc.assert(
    fc.property(tokens, (token) => {
      const text = sealChoices(token, one);
      assert.match(text, /^[A-Za-z0-9_-]{88}$/);
      assert.deepEqual(
        openChoices(text, () => one.key),
        { ...token },
      );
      assert.equal(
        openChoices(text, () => other.key),
        null,
      );
    }),
  );
});

test('a changed link opens nothing', () => {
  const isRefused = (text: string): boolean => openChoices(text, () => one.key) === null;
  fc.assert(
    fc.property(tokens, fc.nat(65), fc.integer({ min: 1, max: 255 }), (token, at, change) => {
      const bytes = Buffer.from(sealChoices(token, one), 'base64url');
      bytes[at] = (bytes[at] ?? 0) ^ change;
      assert.ok(isRefused(bytes.toString('base64url')));
    }),
  );
  fc.assert(fc.property(fc.string(), isRefused));
});
