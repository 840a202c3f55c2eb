import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPixelUrl } from './pixel-url.js';

test('https is added when no scheme is given', () => {
  assert.equal(readPixelUrl(' shop.example ')?.url, 'https://shop.example/');
  assert.equal(
    readPixelUrl('Shop.Example:8443/path?x=1#top')?.url,
    'https://shop.example:8443/path?x=1#top',
  );
  assert.equal(readPixelUrl('http://shop.example')?.url, 'http://shop.example/');
  assert.equal(readPixelUrl('localhost:3000')?.url, 'https://localhost:3000/');
});

test('spellings of one address have one key', () => {
  const keys = [
    'shop.example',
    'https://shop.example/',
    'http://SHOP.example',
    'https://shop.example:443/#a',
    'shop.example.',
  ].map((typed) => readPixelUrl(typed)?.key);
  assert.deepEqual(new Set(keys), new Set(['shop.example']));
  assert.notEqual(readPixelUrl('shop.example/a')?.key, readPixelUrl('shop.example/b')?.key);
});

test('what is no page is refused', () => {
  for (const typed of [
    '',
    ' ',
    'not a url',
    'nodots',
    'ftp://shop.example',
    'javascript:alert(1)',
    'mailto:a@shop.example',
    'https://',
    'https://user:pass@shop.example',
    'http://1.2.3.4.5',
    'https://-.example',
    'data:text/html,x',
    `https://shop.example/${'x'.repeat(2000)}`,
  ])
    assert.equal(readPixelUrl(typed), null, typed);
});
