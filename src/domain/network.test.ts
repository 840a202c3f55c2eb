import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { networkOf } from './network.js';

describe('the network of an address', () => {
  it('is the first 64 bits of IPv6, however they are written', () => {
    for (const address of [
      '2001:db8:0:1::5',
      '2001:db8:0000:1::5',
      '2001:0DB8:0:0001:0:0:0:9',
      '2001:db8:0:1:ffff:ffff:ffff:ffff',
    ])
      assert.equal(networkOf(address), '2001:db8:0:1::/64', address);
    assert.equal(networkOf('2001:db8::1:0:0:0:5'), '2001:db8:0:1::/64');
    assert.equal(networkOf('::1'), '0:0:0:0::/64');
    assert.notEqual(networkOf('2001:db8:0:10::5'), networkOf('2001:db8:0:1::5'));
  });

  it('is the address itself of IPv4', () => {
    assert.equal(networkOf('8.8.4.4'), '8.8.4.4');
  });
});
