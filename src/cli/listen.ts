import type { AddressInfo, ListenOptions, Server } from 'node:net';

/**
 * How many connections the system keeps at the door until they are taken. Those beyond are told
 * nothing and knock again after a second; many more would have waited too long when they are taken.
 */
const backlog = 1024;

export function listen(server: Server, place: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ backlog, ...place }, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

export function addressOf(server: Server, host: string): string {
  // A TCP server that listens has an address object.
  const { port } = server.address() as AddressInfo;
  const name =
    host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
