import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { OutboundError } from './guarded-fetch.js';
import { createOutboundStream } from './guarded-stream.js';

async function withServer(
  listener: RequestListener,
  work: (host: string) => Promise<void>,
): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    // A TCP server that listens has an address object.
    await work(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const refusedAs = (failure: string) => (error: unknown) =>
  error instanceof OutboundError && error.failure === failure;

describe('streamed outbound calls', () => {
  it('never reach a private address, directly, by name or by redirect', async () => {
    await withServer(
      (_request, response) => void response.end('secret'),
      async (host) => {
        const { port } = new URL(`http://${host}`);
        const stream = createOutboundStream({ allow: [] });
        for (const url of [`http://${host}/`, `http://localhost:${port}/`, `http://[::1]:${port}/`])
          await assert.rejects(stream(url), refusedAs('private_address'), url);
        await assert.rejects(stream('file:///etc/passwd'), refusedAs('bad_url'));
      },
    );
    await withServer(
      (_request, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      async (host) => {
        await assert.rejects(
          createOutboundStream({ allow: [host] })(`http://${host}/`),
          refusedAs('private_address'),
        );
      },
    );
  });

  it('hand the body over piece by piece', async () => {
    await withServer(
      (_request, response) => void response.write('one ', () => response.end('two')),
      async (host) => {
        const { status, body } = await createOutboundStream({ allow: [host] })(`http://${host}/`);
        let text = '';
        for await (const chunk of body) text += chunk.toString();
        assert.deepEqual([status, text], [200, 'one two']);
      },
    );
  });
});
