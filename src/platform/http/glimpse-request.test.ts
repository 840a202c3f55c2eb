import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { createGlimpses, glimpseRequest } from './glimpse-request.js';

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
      closes: false,
    });
    assert.equal(
      glimpse('GET /ack HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n')?.bodyBytes,
      0,
    );
    assert.equal(
      glimpse('GET /ack HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n')?.closes,
      true,
    );
  });

  it('is the same of a head that was seen before, whatever follows it', () => {
    const remembering = createGlimpses();
    const heads = ['5', '6', '+7'].map(
      (length) => `POST /api/v1/ad HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`,
    );
    for (const body of ['hello', '', 'hello, how are you', '\r\n\r\n'])
      for (const head of [...heads, heads[0]?.slice(0, -2) ?? '']) {
        const bytes = Buffer.from(head + body, 'latin1');
        assert.deepEqual(remembering(bytes), glimpseRequest(bytes), head + body);
      }
    for (let n = 0; n < 2000; n += 1) {
      const bytes = Buffer.from(`GET /ack?p=${n} HTTP/1.1\r\nHost: a\r\n\r\n`);
      assert.equal(remembering(bytes)?.url, `/ack?p=${n}`);
    }
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
      `POST /api/v1/ad ${rest}Connection: close, keep-alive\r\n\r\n`,
      `POST /api/v1/ad ${rest}Connection: close\r\nConnection: keep-alive\r\n\r\n`,
      `GET /ack ${rest}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
      `HEAD /ack ${rest}\r\n`,
      'GET /ack HTTP/1.1\r\n\r\n',
      'GET /ack HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n',
      'GET /ack HTTP/1.0\r\nHost: a\r\n\r\n',
      'GET /a ck HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET http://a/ack HTTP/1.1\r\nHost: a\r\n\r\n',
      `POST /api/v1/ad ${rest}X: a\nTransfer-Encoding: chunked\r\n\r\n`,
      `POST /api/v1/ad ${rest}X: a\rTransfer-Encoding: chunked\r\n\r\n`,
      `POST /api/v1/ad ${rest}X:\n\r\nContent-Length: 5\r\n\r\n`,
      `POST /api/v1/ad ${rest}X: a\0b\r\n\r\n`,
      `POST /api/v1/ad ${rest}Content-Length: \xa05\r\n\r\n`,
      `POST /api/v1/ad ${rest}Content-Length:\r\n\r\n`,
      'POST /api/v1/ad HTTP/1.1\nHost: a\r\n\r\n',
      '\r\nGET /ack HTTP/1.1\r\nHost: a\r\n\r\n',
      `GET /ack ${rest}X: ${'a'.repeat(9000)}\r\n\r\n`,
      '',
    ];
    for (const text of odd) assert.equal(glimpse(text), null, text.slice(0, 90));
  });

  it('reads nothing the parser would not read the same way', async () => {
    const read: { url: string; lines: number; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString('latin1')));
      request.on('end', () => {
        read.push({ url: request.url ?? '', lines: request.rawHeaders.length / 2, body });
        response.end();
      });
    }).listen(0, '127.0.0.1');
    after(() => server.closeAllConnections());
    await once(server, 'listening');
    // It listens at a port.
    const { port } = server.address() as AddressInfo;
    let glimpsed = 0;
    await fc.assert(
      fc.asyncProperty(requestText, async (text) => {
        const seen = glimpse(text);
        if (seen === null) return;
        glimpsed += 1;
        const whole = text.slice(0, seen.headBytes) + 'b'.repeat(seen.bodyBytes);
        // What comes behind it is no part of it; behind the last nothing comes.
        const behind = seen.closes ? '' : 'GET /behind HTTP/1.1\r\nHost: a\r\n\r\n';
        const answer = await answerTo(port, whole + behind);
        const all = [
          { url: seen.url, lines: seen.lines, body: 'b'.repeat(seen.bodyBytes) },
          { url: '/behind', lines: 1, body: '' },
        ].slice(0, seen.closes ? 1 : 2);
        const statuses = answer.match(/(?<=HTTP\/1\.1 )\d+/g);
        assert.deepEqual(
          statuses,
          all.map(() => '200'),
          text,
        );
        assert.deepEqual(read.splice(0), all);
      }),
      { numRuns: 2000 },
    );
    assert.ok(glimpsed > 100, String(glimpsed));
  });
});

/** Mostly ordinary requests with something odd in them. */
const odd = fc.constantFrom(
  '\n',
  '\r',
  '\r\n',
  '\t',
  ' ',
  '\0',
  '\x0b',
  '\x7f',
  '\xa0',
  ':',
  ',',
  '5',
);
const line = fc
  .tuple(
    fc.constantFrom(
      'X',
      'Content-Length',
      'Transfer-Encoding',
      'Connection',
      'Host',
      'Expect',
      'TE',
    ),
    fc.constantFrom('', ' ', '\t', '\xa0'),
    fc.constantFrom(
      '5',
      '0',
      '05',
      '1, 1',
      'chunked',
      'keep-alive',
      'close',
      'a',
      '100-continue',
      '',
    ),
    fc.option(odd, { nil: '' }),
    fc.option(odd, { nil: '' }),
  )
  .map(([name, before, value, inName, inValue]) => `${name}${inName}:${before}${value}${inValue}`);
const requestText = fc
  .tuple(
    fc.constantFrom('GET', 'POST'),
    fc.array(line, { maxLength: 3 }),
    fc.nat({ max: 400 }),
    odd,
  )
  .map(([method, lines, at, put]) => {
    const text = `${[`${method} /a?b=1 HTTP/1.1`, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`;
    return at < text.length ? text.slice(0, at) + put + text.slice(at) : text;
  });

async function answerTo(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (bytes: Buffer) => {
    answer += bytes.toString('latin1');
    if ((answer.match(/\r\n\r\n/g) ?? []).length === 2) socket.end();
  });
  socket.on('error', () => undefined);
  socket.setTimeout(2000, () => socket.destroy());
  socket.write(text, 'latin1');
  await once(socket, 'close');
  return answer;
}
