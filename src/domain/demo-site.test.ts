import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { demoLanding, openDemoPage } from './demo-site.js';

describe('pages of made-up brands', () => {
  const base = 'http://127.0.0.1:8080';

  it('are shown by this server, with everything the click added', () => {
    assert.equal(
      openDemoPage(`${demoLanding('skylark')}?utm_source=sidelight&grclid=a`, base),
      'http://127.0.0.1:8080/demo-sites/skylark?utm_source=sidelight&grclid=a',
    );
  });

  it('no other address is touched', () => {
    for (const url of [
      'https://shop.example/?from=.demo.example',
      'https://demo.example/',
      'https://skylark.demo.example.evil.example/',
    ])
      assert.equal(openDemoPage(url, base), url);
  });
});
