import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPublicWebAddress } from './web-address.js';

describe('addresses that may be shown', () => {
  it('are web pages by a public name', () => {
    for (const address of ['https://shop.example/a?b=1#c', 'http://shop.example:8080/'])
      assert.equal(isPublicWebAddress(address), true, address);
  });

  it('are no scripts, files, credentials, numbers or inner names', () => {
    for (const address of [
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'https://user:secret@shop.example/',
      'https://user@shop.example/',
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://[::1]/',
      'http://localhost:8080/',
      'http://localhost./',
      'http://localhost../',
      'http://shop.example../',
      'http://printer/',
      'http://db.internal/',
      'http://nas.local/',
      'ftp://shop.example/',
      'shop.example',
      '',
    ])
      assert.equal(isPublicWebAddress(address), false, address);
  });
});
