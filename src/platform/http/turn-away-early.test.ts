import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { lastShedAnswer, shedAnswer } from './admission.js';
import { createEarlyDoor } from './turn-away-early.js';

const ask = (path: string, body = '', more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;

/** A server whose door is full until it is told otherwise, and what its parser has read. */
function crowded() {
  const state = { isFull: true, isLeaving: false };
  const parsed: string[] = [];
  const early = createEarlyDoor({
    refuses: () => state.isFull,
    answer: shedAnswer,
    lastAnswer: lastShedAnswer,
    isLeaving: () => state.isLeaving,
  });
  const bounds = { headersTimeout: 400, requestTimeout: 800, connectionsCheckingInterval: 20 };
  const server = createServer(bounds, (request, response) => {
    early.seen(request, response);
    parsed.push(request.url ?? '');
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    if (state.isFull) {
      response.writeHead(503, { 'content-length': 0 }).end();
      early.watch(request, response);
    } else
      request.once('end', () =>
        response.end(`${request.url}|${body}|${request.headers['x-more'] ?? ''}`),
      );
  }).on('connection', early.connected);
  return { state, parsed, server };
}

async function open(server: Server): Promise<{ send: Send; socket: Socket }> {
  if (!server.listening) {
    server.listen(0, '127.0.0.1').unref();
    await once(server, 'listening');
  }
  // It listens at a port.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setNoDelay(true);
  let read = '';
  socket.on('data', (bytes: Buffer) => (read += bytes.toString('latin1')));
  socket.on('error', () => undefined);
  const send: Send = async (...parts) => {
    read = '';
    for (const part of parts) {
      socket.write(part);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    while (read === '') await once(socket, 'data');
    return read;
  };
  return { send, socket };
}

type Send = (...parts: string[]) => Promise<string>;
const statuses = (read: string): string[] => read.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];

describe('turning away before parsing', () => {
  const servers: Server[] = [];
  after(() => servers.forEach((server) => server.closeAllConnections()));
  const start = async () => {
    const all = crowded();
    servers.push(all.server);
    return { ...all, ...(await open(all.server)) };
  };
  /** On a connection whose beginnings of requests the parser has confirmed. */
  const known = async () => {
    const all = await start();
    await all.send(ask('/first'));
    await all.send(ask('/second'));
    all.parsed.length = 0;
    return all;
  };

  it('the parser sees no more of a connection that is turned away again and again', async () => {
    const { send, parsed, state } = await known();
    const read = await send(ask('/third', 'body'));
    assert.equal(read, shedAnswer);
    assert.match(read, /retry-after: 1\r\n/);
    assert.deepEqual(parsed, []);
    state.isFull = false;
    assert.match(await send(ask('/fourth', 'body', 'X-More: y\r\n')), /\/fourth\|body\|y/);
    state.isFull = true;
    assert.equal(await send(ask('/fifth')), shedAnswer);
    assert.deepEqual(parsed, ['/fourth']);
  });

  it('of a connection taken in a crowd the parser sees the first request alone', async () => {
    const { server, parsed } = await known();
    const { send, socket } = await open(server);
    for (let at = 0; at < 20; at += 1) await send(ask(`/${at}`));
    assert.deepEqual(parsed, ['/0']);
    // Longer than somebody may take to say anything: it has, and is not hung up on.
    assert.equal(await send(ask('/last')), shedAnswer);
    assert.equal(socket.closed, false);
  });

  it('who connects for one request is answered without the parser, and hung up on', async () => {
    const { server, parsed } = await known();
    const last = 'Connection: close\r\n';
    const whole = await open(server);
    assert.equal(await whole.send(ask('/only', 'body', last)), lastShedAnswer);
    assert.match(lastShedAnswer, /retry-after: 1\r\n.*connection: close\r\n/s);
    if (!whole.socket.closed) await once(whole.socket, 'close');
    assert.deepEqual(parsed, []);
    // What is not all there yet is not hung up on: the answer would be lost with it.
    const { send } = await open(server);
    const text = ask('/halves', 'body', last);
    assert.deepEqual(statuses(await send(text.slice(0, -2), text.slice(-2))), ['503']);
    assert.deepEqual(parsed, ['/halves']);
  });

  it('a body that comes later is skipped, whatever it looks like', async () => {
    const { send, parsed, state } = await known();
    const body = ask('/hidden');
    const head = `POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`;
    assert.equal(await send(head, body.slice(0, 20), body.slice(20)), shedAnswer);
    state.isFull = false;
    assert.match(await send(ask('/next', 'b')), /\/next\|b/);
    // The same of one that was let in: its body is no request.
    state.isFull = false;
    const read = await send(head, body);
    assert.deepEqual(statuses(read), ['200']);
    assert.deepEqual(parsed, ['/next', '/x']);
  });

  it('where a request begins in the middle of what came, the parser decides for good', async () => {
    const { send, parsed } = await known();
    // Two at once, and the second in halves.
    const read = await send(`${ask('/one')}POST /two HTTP/1.1\r\nX-A: `, ask('/in-a-header'));
    assert.deepEqual(statuses(read), ['503', '503']);
    assert.deepEqual(parsed, ['/one', '/two']);
    assert.deepEqual(statuses(await send(ask('/three'))), ['503']);
    assert.deepEqual(parsed, ['/one', '/two', '/three']);
  });

  it('nor is it fooled by a half that came before it looked', async () => {
    const { send, parsed } = await start();
    const read = await send(`${ask('/one')}POST /two HTTP/1.1\r\nX-A: `, ask('/two'));
    assert.deepEqual(statuses(read), ['503', '503']);
    assert.deepEqual(parsed, ['/one', '/two']);
    await send(ask('/three'));
    assert.deepEqual(parsed, ['/one', '/two', '/three']);
  });

  it('one that leaves has the parser say so', async () => {
    const { send, parsed, state } = await known();
    state.isLeaving = true;
    await send(ask('/last'));
    assert.deepEqual(parsed, ['/last']);
  });

  it('what is no request gets the parser’s answer', async () => {
    const { send } = await known();
    assert.deepEqual(statuses(await send('nonsense\r\n\r\n')), ['400']);
  });
});
