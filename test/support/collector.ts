import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes what OpenTelemetry sends over HTTP, as long as it brings its header. */
export async function startCollector(): Promise<{
  url: string;
  close(): Promise<{ traces: string; metrics: string }>;
}> {
  const bodies = { traces: '', metrics: '' };
  const server = createServer((request, response) => {
    const signal = request.url === '/v1/traces' ? 'traces' : 'metrics';
    request.setEncoding('utf8');
    let body = '';
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      if (request.headers['x-token'] === 't1') bodies[signal] += `${body}\n`;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server that listens has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      return bodies;
    },
  };
}
