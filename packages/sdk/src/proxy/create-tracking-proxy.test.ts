import assert from 'node:assert/strict';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createTrackingProxy, type TrackingProxy } from './create-tracking-proxy.js';
import { rewriteTrackingUrls } from './tracking-url.js';

describe('tracking under the publisher’s domain', () => {
  let seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] =
    [];
  let proxy: TrackingProxy;
  let front = '';
  const host = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      seen.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body,
      });
      if (request.url?.startsWith('/track/click'))
        response
          .writeHead(302, { location: 'https://brand.test/?grclid=1', 'set-cookie': 'a=b' })
          .end();
      else if (request.url?.startsWith('/track/viewable')) response.writeHead(204).end();
      else
        response
          .writeHead(200, {
            'content-type': 'image/gif',
            'cache-control': 'public, max-age=99',
            'access-control-allow-origin': '*',
          })
          .end('GIF89a');
    });
  });
  const publisher = createServer(
    (request, response) =>
      void proxy.middleware(request, response, () => response.end('chat page')),
  );
  const listen = (server: typeof host) =>
    new Promise<string>((resolve) =>
      server.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      ),
    ); // a TCP server has a port

  before(async () => {
    proxy = createTrackingProxy({ baseUrl: await listen(host) });
    front = await listen(publisher);
  });
  after(() => {
    for (const server of [host, publisher]) {
      server.close();
      server.closeAllConnections();
    }
  });
  beforeEach(() => {
    seen = [];
  });

  test('path suffix and token go on unchanged, with address and agent, without cookies', async () => {
    const headers = {
      'user-agent': 'Agent/1',
      cookie: 'session=secret',
      authorization: 'Bearer x',
      'x-forwarded-for': '203.0.113.9',
    };
    const answer = await fetch(`${front}/t/ack?p=a%2Bb_c-d`, { headers });
    assert.equal(answer.status, 200);
    assert.equal(await answer.text(), 'GIF89a');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(seen[0]?.url, '/ack?p=a%2Bb_c-d');
    assert.equal(seen[0]?.headers['user-agent'], 'Agent/1');
    assert.equal(seen[0]?.headers['x-forwarded-for'], '203.0.113.9');
    assert.equal(seen[0]?.headers.cookie, undefined);
    assert.equal(seen[0]?.headers.authorization, undefined);
  });

  test('the redirect of a click is passed on, not followed, and brings no cookie', async () => {
    const answer = await fetch(`${front}/track/click?p=x`, { redirect: 'manual' });
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get('location'), 'https://brand.test/?grclid=1');
    assert.equal(answer.headers.get('set-cookie'), null);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  });

  test('time in view is passed on', async () => {
    const answer = await fetch(`${front}/t/track/viewable`, {
      method: 'POST',
      body: '{"p":"x","ms":1200}',
    });
    assert.equal(answer.status, 204);
    assert.deepEqual(
      [seen[0]?.method, seen[0]?.url, seen[0]?.body],
      ['POST', '/track/viewable', '{"p":"x","ms":1200}'],
    );
  });

  test('nothing but tracking passes', async () => {
    assert.equal(await (await fetch(`${front}/api/v1/ad`)).text(), 'chat page');
    assert.equal(
      (await proxy.handle(new Request('https://chat.test/t/gateway/events'))).status,
      404,
    );
    assert.equal(
      (await proxy.handle(new Request('https://chat.test/t/ack?p=1', { method: 'POST' }))).status,
      405,
    );
    assert.equal(
      (
        await proxy.handle(
          new Request('https://chat.test/t/track/viewable', {
            method: 'POST',
            body: 'x'.repeat(20_000),
          }),
        )
      ).status,
      413,
    );
    assert.equal(seen.length, 0);
  });

  test('the header named as trusted wins over what the client claims', async () => {
    const trusting = createTrackingProxy({
      baseUrl: `http://127.0.0.1:${(host.address() as AddressInfo).port}`,
      trustedHeader: 'X-Edge-Ip',
    }); // listening since before()
    await trusting.handle(
      new Request('https://chat.test/ack?p=1', {
        headers: { 'x-edge-ip': '198.51.100.1', 'x-forwarded-for': '203.0.113.9' },
      }),
    );
    assert.equal(seen[0]?.headers['x-forwarded-for'], '198.51.100.1');
    await proxy.handle(
      new Request('https://chat.test/ack?p=1', { headers: { 'x-forwarded-for': '203.0.113.9' } }),
      { address: '198.51.100.2' },
    );
    assert.equal(seen[1]?.headers['x-forwarded-for'], '198.51.100.2');
  });

  test('when the tracking host is away a click still has somewhere to go', async () => {
    const lost = createTrackingProxy({ baseUrl: 'http://127.0.0.1:9' });
    const click = await lost.handle(new Request('https://chat.test/t/track/click?p=x'));
    assert.deepEqual(
      [click.status, click.headers.get('location')],
      [302, 'http://127.0.0.1:9/track/click?p=x'],
    );
    assert.equal((await lost.handle(new Request('https://chat.test/t/ack?p=x'))).status, 502);
  });

  test('only the host prefix of tracking URLs is replaced', () => {
    const ad = {
      title: 'x',
      impUrl: 'https://api.test/base/ack?p=a/ack?b',
      clickUrl: 'https://api.test/track/click?p=1',
    };
    assert.deepEqual(rewriteTrackingUrls(ad, 'https://chat.test/t/'), {
      title: 'x',
      impUrl: 'https://chat.test/t/ack?p=a/ack?b',
      clickUrl: 'https://chat.test/t/track/click?p=1',
    });
  });
});
