import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { cleanAddress, createClientAddress } from './client-address.js';

function find(trusted: string[], peer: string, forwarded?: string): string | null {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: peer });
  return createClientAddress(trusted)({
    socket,
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  });
}

describe('client address', () => {
  it('is the peer when nobody is trusted, whatever the peer says', () => {
    assert.equal(find(['none'], '127.0.0.1', '8.8.8.8'), '127.0.0.1');
    assert.equal(find([], '10.0.0.1', '8.8.8.8'), '10.0.0.1');
    assert.equal(find(['loopback', 'private'], '9.9.9.9', '8.8.8.8'), '9.9.9.9');
  });

  it('is the last hop no trusted proxy wrote', () => {
    assert.equal(
      find(['loopback', 'private'], '127.0.0.1', '1.1.1.1, 8.8.8.8, 10.0.0.2'),
      '8.8.8.8',
    );
    assert.equal(find(['loopback'], '::1', '1.1.1.1, 10.0.0.2'), '10.0.0.2');
    assert.equal(
      find(['loopback', '203.0.113.0/24'], '203.0.113.9', '1.1.1.1, 203.0.113.4'),
      '1.1.1.1',
    );
    assert.equal(find(['2001:db8::/32'], '2001:db8::1', '2606:4700::1111'), '2606:4700::1111');
  });

  it('is the first hop when everybody is trusted, and the peer when the header says nothing', () => {
    assert.equal(find(['all'], '9.9.9.9', '1.1.1.1, 8.8.8.8'), '1.1.1.1');
    assert.equal(find(['all'], '9.9.9.9'), '9.9.9.9');
    assert.equal(find(['loopback'], '127.0.0.1', 'unknown, ,'), '127.0.0.1');
    assert.equal(find(['loopback'], '127.0.0.1', ''), '127.0.0.1');
  });

  it('is read without port, brackets, zone and mapping', () => {
    assert.equal(cleanAddress('1.2.3.4:80'), '1.2.3.4');
    assert.equal(cleanAddress('[2606:4700::1]:443'), '2606:4700::1');
    assert.equal(cleanAddress('::ffff:1.2.3.4'), '1.2.3.4');
    assert.equal(cleanAddress('fe80::1%eth0'), 'fe80::1');
    for (const wrong of ['', 'example.com', '1.2.3', '1.2.3.4.5', '999.1.1.1', '<script>'])
      assert.equal(cleanAddress(wrong), null);
  });
});
