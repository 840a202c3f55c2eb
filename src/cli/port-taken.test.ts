import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storePath } from './serve-store.js';
import { holderFromLsof, holderFromNetstat } from './port-taken.js';

test('who holds a port is read from what macOS and Windows tell', () => {
  assert.deepEqual(holderFromLsof('p4711\ncnode\nf21\n'), { pid: 4711, name: 'node' });
  assert.equal(holderFromLsof(''), null);
  const netstat = [
    '  Proto  Local Address          Foreign Address        State           PID',
    '  TCP    0.0.0.0:18080          0.0.0.0:0              LISTENING       4',
    '  TCP    127.0.0.1:8080         127.0.0.1:50000        ESTABLISHED     5',
    '  TCP    127.0.0.1:8080         0.0.0.0:0              LISTENING       4711',
  ].join('\r\n');
  assert.equal(holderFromNetstat(netstat, 8080)?.pid, 4711);
  assert.equal(holderFromNetstat(netstat, 80), null);
  const german = '  TCP    [::]:8080              [::]:0                 ABHÖREN         4712';
  assert.equal(holderFromNetstat(german, 8080)?.pid, 4712);
});

test('every path of the shop’s own origin is one below the shop', () => {
  for (const [asked, path] of [
    ['/', '/demo-store'],
    ['/?a=1', '/demo-store?a=1'],
    ['/.well-known/ucp', '/demo-store/.well-known/ucp'],
    ['/demo-store/mcp', '/demo-store/mcp'],
    ['/demo-storefront', '/demo-store/demo-storefront'],
    ['/operator/people', '/demo-store/operator/people'],
    ['//evil.example', '/demo-store//evil.example'],
  ] as const)
    assert.equal(storePath(asked), path);
});
