import type { AddressInfo, ListenOptions, Server } from 'node:net';

/**
 * How many connections the system keeps for us until they are taken; it may allow fewer. Those
 * beyond are not told: they knock again after a second, then after three, and would be the only
 * callers a crowd keeps waiting where everybody else is turned away at once.
 */
const backlog = 4096;

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
