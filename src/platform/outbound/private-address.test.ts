import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPrivateAddress } from './private-address.js';

describe('addresses that must not be called', () => {
  it('are all that is not on the public internet, however it is written', () => {
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      '192.168.0.1',
      '100.64.0.1',
      '224.0.0.1',
      '::',
      '::1',
      '0:0:0:0:0:0:0:1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '0:0:0:0:0:ffff:a9fe:a9fe',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b::8.8.8.8',
      '64:ff9b:1::1',
      '2001:0:4136:e378:8000:63bf:3fff:fdd2',
      '2001:db8::1',
      '2002:7f00:1::1',
      '3fff::1',
      '5f00::1',
      '100::1',
      'fc00::1',
      'fd12:3456::1',
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'ff02::1',
      'no address',
    ])
      assert.equal(isPrivateAddress(address), true, address);
  });

  it('are none of the public ones', () => {
    for (const address of ['8.8.8.8', '::ffff:8.8.8.8', '::ffff:808:808', '2a00:1450:4001::1'])
      assert.equal(isPrivateAddress(address), false, address);
  });
});
