import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { glimpseRequest } from './glimpse-request.js';

const glimpse = (text: string) => glimpseRequest(Buffer.from(text, 'latin1'));

describe('a glimpse of a request', () => {
  it('tells who asks for what and where the body is', () => {
    const head =
      'POST /api/v1/ad?x=1 HTTP/1.1\r\nHost: a\r\nAuthorization:  Bearer k \r\nContent-Length: 5\r\n\r\n';
    assert.deepEqual(glimpse(`${head}hello`), {
      url: '/api/v1/ad?x=1',
      headers: { host: 'a', authorization: 'Bearer k', 'content-length': '5' },
      lines: 3,
      headBytes: head.length,
      bodyBytes: 5,
    });
    assert.equal(
      glimpse('GET /ack HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n')?.bodyBytes,
      0,
    );
  });

  it('leaves to the parser what is not plainly a request', () => {
    const rest = 'HTTP/1.1\r\nHost: a\r\n';
    const odd = [
      `POST /api/v1/ad ${rest}`,
      `POST /api/v1/ad ${rest}Content-Length: 5\r\nContent-Length: 6\r\n\r\n`,
      `POST /api/v1/ad ${rest}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
      `POST /api/v1/ad ${rest}Content-Length: +5\r\n\r\n`,
      `POST /api/v1/ad ${rest}Content-Length: 0x5\r\n\r\n`,
      `POST /api/v1/ad ${rest}Content-Length : 5\r\n\r\n`,
      `POST /api/v1/ad ${rest}X: a\r\n Content-Length: 5\r\n\r\n`,
      `POST /api/v1/ad ${rest}X\r\n\r\n`,
      `POST /api/v1/ad ${rest}: x\r\n\r\n`,
      `POST /api/v1/ad ${rest}Expect: 100-continue\r\n\r\n`,
      `POST /api/v1/ad ${rest}Connection: close\r\n\r\n`,
      `GET /ack ${rest}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
      `HEAD /ack ${rest}\r\n`,
      'GET /ack HTTP/1.1\r\n\r\n',
      'GET /ack HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n',
      'GET /ack HTTP/1.0\r\nHost: a\r\n\r\n',
      'GET /a ck HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET http://a/ack HTTP/1.1\r\nHost: a\r\n\r\n',
      '\r\nGET /ack HTTP/1.1\r\nHost: a\r\n\r\n',
      `GET /ack ${rest}X: ${'a'.repeat(9000)}\r\n\r\n`,
      '',
    ];
    for (const text of odd) assert.equal(glimpse(text), null, text.slice(0, 90));
  });
});
