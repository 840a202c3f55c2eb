import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { createStartingGate } from './starting-gate.js';

describe('connections to the server', () => {
  const ask = 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n';
  async function opened(port: number): Promise<{ socket: Socket; answer: Promise<string> }> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    const answer = new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (part: Buffer) => {
        text += part.toString();
        resolve(text);
      });
      socket.once('close', () => resolve(text));
    });
    await once(socket, 'connect');
    return { socket, answer };
  }

  it('who opens a page while the server starts reads so in words; programs get JSON', async () => {
    const gate = createStartingGate();
    await new Promise<void>((resolve) => {
      gate.server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = gate.server.address() as AddressInfo;
    const answers = async (accept: string): Promise<[number, string]> => {
      const answer = await fetch(`http://127.0.0.1:${port}/app`, { headers: { accept } });
      return [answer.status, await answer.text()];
    };
    try {
      const [status, page] = await answers('text/html,application/xhtml+xml');
      assert.equal(status, 503);
      assert.match(page, /<h1>Sidelight is starting<\/h1>/);
      assert.match(page, /http-equiv="refresh"/);
      assert.deepEqual(await answers('*/*'), [503, '{"detail":"starting"}']);
      gate.waitFor('the database');
      const ready = await fetch(`http://127.0.0.1:${port}/ready?x`);
      assert.deepEqual(
        [ready.status, await ready.json()],
        [
          503,
          {
            status: 'unready',
            ready: false,
            checks: { started: { ok: false, reason: 'the database' } },
          },
        ],
      );
    } finally {
      gate.server.close();
      gate.server.closeAllConnections();
    }
  });

  it('one network has its share of them, and who closes one may open another', async () => {
    const gate = createStartingGate({ altogether: 100, ofNetwork: 3, isCounted: () => true });
    gate.hold((_request, response) => void response.end('well'));
    gate.open();
    await new Promise<void>((resolve) => {
      gate.server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = gate.server.address() as AddressInfo;
    try {
      const idle = [await opened(port), await opened(port), await opened(port)];
      const refused = await opened(port);
      refused.socket.write(ask);
      assert.equal(await refused.answer, '');
      // Those that are open are served.
      idle[0]?.socket.write(ask);
      assert.match(await (idle[0]?.answer ?? ''), /^HTTP\/1\.1 200/);
      const closed = once(idle[1]?.socket as Socket, 'close');
      idle[1]?.socket.destroy();
      await closed;
      // The server hears of it a moment later.
      for (let text = ''; !text.startsWith('HTTP/1.1 200');) {
        const again = await opened(port);
        again.socket.write(ask);
        text = await again.answer;
        if (text === '') await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      gate.server.close();
      gate.server.closeAllConnections();
    }
  });

  it('a body that goes on after its answer ends with the connection', async () => {
    const gate = createStartingGate({ altogether: 100, ofNetwork: 9, isCounted: () => true });
    gate.hold((request, response) => {
      request.resume();
      response.writeHead(404).end('nowhere');
    });
    gate.open();
    await new Promise<void>((resolve) => {
      gate.server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = gate.server.address() as AddressInfo;
    try {
      const { socket, answer } = await opened(port);
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
      const bytes = '1\r\n \r\n'.repeat(2000);
      const pump = (): void => {
        while (!socket.destroyed && socket.write(bytes)) continue;
        socket.once('drain', pump);
      };
      pump();
      assert.match(await answer, /^HTTP\/1\.1 404/);
      await closed;
      // One that ends in time keeps its connection.
      const second = await opened(port);
      second.socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\na');
      assert.match(await second.answer, /^HTTP\/1\.1 404/);
      second.socket.write('bc');
      const again = once(second.socket, 'data');
      second.socket.write(ask);
      assert.match(String(await again), /^HTTP\/1\.1 404/);
    } finally {
      gate.server.close();
      gate.server.closeAllConnections();
    }
  });

  it('what a proxy may have read as something else is refused', async () => {
    const gate = createStartingGate({ altogether: 100, ofNetwork: 9, isCounted: () => true });
    gate.hold((_request, response) => void response.end('well'));
    gate.open();
    await new Promise<void>((resolve) => {
      gate.server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = gate.server.address() as AddressInfo;
    const say = async (head: string, body = ''): Promise<string> => {
      const { socket, answer } = await opened(port);
      socket.write(`${head}\r\nconnection: close\r\n\r\n${body}`);
      return (await answer).split('\r\n')[0] ?? '';
    };
    const chunk = '2\r\n{}\r\n0\r\n\r\n';
    const post = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding:';
    try {
      assert.match(await say('GET / HTTP/1.1\r\nhost: a\r\nHost: b'), / 400 /);
      assert.match(await say(`${post} gzip, chunked`, chunk), / 400 /);
      assert.match(await say(`${post} chunked\r\ntransfer-encoding: chunked`, chunk), / 400 /);
      assert.match(await say(`${post} Chunked`, chunk), / 200 /);
    } finally {
      gate.server.close();
      gate.server.closeAllConnections();
    }
  });

  it('our own proxies stand for many callers', async () => {
    const gate = createStartingGate({ altogether: 100, ofNetwork: 1, isCounted: () => false });
    gate.hold((_request, response) => void response.end('well'));
    gate.open();
    await new Promise<void>((resolve) => {
      gate.server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = gate.server.address() as AddressInfo;
    try {
      const many = await Promise.all(Array.from({ length: 5 }, () => opened(port)));
      many.at(-1)?.socket.write(ask);
      assert.match(await (many.at(-1)?.answer ?? ''), /^HTTP\/1\.1 200/);
    } finally {
      gate.server.close();
      gate.server.closeAllConnections();
    }
  });
});
