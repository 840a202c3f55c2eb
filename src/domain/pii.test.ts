import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { hashPersonal, identityKey, withoutPersonalData } from './pii.js';

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

test('an e-mail is trimmed and lower-cased, a phone is its digits, a name is composed', () => {
  assert.equal(hashPersonal('em', '  Ada@Example.COM '), sha('ada@example.com'));
  for (const phone of ['+1 (555) 010-0199', '001 555 0100199', '1.555.010.0199'])
    assert.equal(hashPersonal('ph', phone), sha('15550100199'));
  assert.equal(hashPersonal('fn', ' E\u0301LODIE '), sha('\u00e9lodie'));
  assert.equal(hashPersonal('external_id', ' Customer-7 '), sha('Customer-7'));
});

test('what is hashed already stays, in lower case; what is empty is nothing', () => {
  assert.equal(hashPersonal('em', sha('x').toUpperCase()), sha('x'));
  assert.equal(hashPersonal('ph', 'none'), null);
  assert.equal(hashPersonal('em', '  '), null);
});

test('hashing twice is hashing once', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('em', 'ph', 'fn', 'ln', 'external_id'),
      fc.string(),
      (kind, value) => {
        const once = hashPersonal(kind, value);
        if (once !== null) assert.equal(hashPersonal(kind, once), once);
      },
    ),
  );
});

test('the key of an identity is 32 digits and differs by kind', () => {
  const keys = (['visitor', 'session', 'em', 'ph', 'external_id'] as const).map((kind) =>
    identityKey(kind, sha('x')),
  );
  assert.equal(new Set(keys).size, 5);
  for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/);
});

test('addresses of people disappear from texts and links, the rest of the link stays', () => {
  assert.equal(
    withoutPersonalData('https://shop.example/thanks?order=1&email=ada@example.com&x=2'),
    'https://shop.example/thanks?order=1&email=&x=2',
  );
  assert.equal(
    withoutPersonalData('https://shop.example/u/ada%40example.com/done?phone=%2B1555'),
    'https://shop.example/u//done?phone=',
  );
  assert.equal(
    withoutPersonalData('https://shop.example/?utm_source=a&first_name=Ada#top'),
    'https://shop.example/?utm_source=a&first_name=#top',
  );
  fc.assert(
    fc.property(
      fc.emailAddress(),
      (email) => !withoutPersonalData(`https://a.example/?q=${email}&z=1`).includes(email),
    ),
  );
});
