import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRequest } from './read-request.js';

const headers = { 'user-agent': 'Agent/1', 'x-forwarded-for': '198.51.100.7' };

test('a public peer is the user; its forwarding header is not believed', () => {
  assert.equal(
    readRequest({ headers, socket: { remoteAddress: '203.0.113.5' } }).ip,
    '203.0.113.5',
  );
  assert.equal(
    readRequest({ headers, ip: '203.0.113.6', socket: { remoteAddress: '10.0.0.1' } }).ip,
    '203.0.113.6',
  );
});

test('behind a proxy on a private network the forwarded address is the user', () => {
  assert.equal(
    readRequest({ headers, socket: { remoteAddress: '::ffff:10.1.2.3' } }).ip,
    '198.51.100.7',
  );
  assert.equal(
    readRequest({
      headers: { ...headers, 'x-forwarded-for': '192.168.1.4, 198.51.100.7:4711' },
      socket: { remoteAddress: '127.0.0.1' },
    }).ip,
    '198.51.100.7',
  );
  assert.equal(
    readRequest({ headers: {}, socket: { remoteAddress: '127.0.0.1' } }).ip,
    '127.0.0.1',
  );
});

test('a worker request tells address and country by its own headers', () => {
  const request = Object.assign(
    new Request('https://x.test', {
      headers: { 'cf-connecting-ip': '2001:db8::1', 'user-agent': 'A' },
    }),
    { cf: { country: 'nl' } },
  );
  assert.deepEqual(readRequest(request), { ip: '2001:db8::1', ua: 'A', country: 'NL' });
});

test('a Hono context and its request are unwrapped', () => {
  const raw = new Request('https://x.test', { headers });
  assert.equal(readRequest({ req: { raw }, env: {} }).ua, 'Agent/1');
  assert.equal(readRequest({ raw, header: () => undefined }).ip, '198.51.100.7');
});

test('nonsense in headers is left out', () => {
  assert.deepEqual(
    readRequest({
      headers: { 'x-forwarded-for': 'unknown', 'cf-ipcountry': 'XX', 'accept-language': '*' },
    }),
    {},
  );
});
