import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../log.js';
import { createMetrics } from '../metrics.js';
import { createHttpApp } from './create-http-app.js';

describe('Connections that do not speak HTTP', () => {
  let app: FastifyInstance;
  const errors: string[] = [];
  const ignore = (): void => undefined;
  const log: Log = {
    debug: ignore,
    info: ignore,
    warn: ignore,
    error: (_fields, message) => void errors.push(message),
  };
  let failed: Promise<string>;
  before(async () => {
    app = createHttpApp({
      log,
      metrics: createMetrics({ processMetrics: false }),
      serverFor: (handler) => createServer(handler),
    });
    app.post('/things', async () => ({}));
    failed = new Promise((resolve) =>
      app.addHook('onError', async (request) => resolve(request.url)),
    );
    await app.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => app.close());

  /** Sends bytes and reads until the other side hangs up, or hangs up itself once they are sent. */
  function say(bytes: string, hangUp = false): Promise<string> {
    return new Promise((resolve, reject) => {
      // A server that listens on TCP has an address object.
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
      let heard = '';
      socket
        .setEncoding('utf8')
        .on('data', (part) => (heard += String(part)))
        .on('error', reject)
        .on('close', () => resolve(heard));
      socket.write(bytes, () => hangUp && socket.resetAndDestroy());
    });
  }

  it('are answered in the shape of every failure and closed', async () => {
    const post =
      'POST /things HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n';
    const cases = [
      ['HELO there\r\n\r\n', 400, 'invalid_request'],
      [
        'POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /things HTTP/1.1\r\n\r\n',
        400,
        'invalid_request',
      ],
      ...[
        'GET /things HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n',
        'GET /things\0 HTTP/1.1\r\nHost: x\r\n\r\n',
        'GET /things HTTP/1.1\r\nHost: x\r\nX-A: a\r\n b\r\n\r\n',
        'GET /things HTTP/1.1\nHost: x\n\n',
        'GET /things HTTP/3.0\r\nHost: x\r\n\r\n',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        '\u0016\u0003\u0001\u0000',
        `${post}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`,
        `${post}Content-Length: -1\r\n\r\n`,
        `${post}Transfer-Encoding: xchunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
        `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
        `${post}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}`,
        `${post}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`,
      ].map((bytes) => [bytes, 400, 'invalid_request'] as const),
      [
        `GET /things HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
        431,
        'headers_too_large',
      ],
    ] as const;
    for (const [bytes, status, detail] of cases) {
      const [head = '', body = ''] = (await say(bytes)).split('\r\n\r\n');
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
      assert.deepEqual(JSON.parse(body), { detail });
    }
  });

  it('that end within a body are no failure of ours', async () => {
    await say(
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name"',
      true,
    );
    assert.equal(await failed, '/things');
    await new Promise<void>((resolve) => setImmediate(resolve));
    assert.deepEqual(errors, []);
  });
});
