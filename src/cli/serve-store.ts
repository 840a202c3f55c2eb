import { createServer, type RequestListener, type Server } from 'node:http';
import { type Config, demoMode } from '../config.js';
import type { Log } from '../platform/log.js';
import { listen } from './listen.js';

const prefix = '/demo-store';

/**
 * The demo shop on an origin of its own, as shops have one: agents look for a profile at the root.
 * Everything it answers is below `/demo-store` of the app. Null when the port is taken: then the
 * shop is only found there.
 */
export async function openShop(
  handler: RequestListener | null,
  config: Config,
  address: string,
  log: Log,
): Promise<Server | null> {
  // Accounts alone sell nothing.
  if (handler === null || demoMode(config) !== '1') return null;
  const port = storePort(config, address);
  const server = createServer((request, response) => {
    request.url = storePath(request.url ?? '/');
    handler(request, response);
  });
  try {
    await listen(server, { port, host: config.HOST, exclusive: true });
  } catch (error) {
    log.warn(
      { port, reason: error instanceof Error ? error.message : String(error) },
      'the demo shop has no origin of its own; DEMO_STORE_PORT chooses another port',
    );
    return null;
  }
  // What happens to one connection later is not the process's end.
  server.on('error', (error) => log.warn({ reason: error.message }, 'demo shop'));
  return server;
}

/** Of a shop that is a whole site, the path within the app. */
export function storePath(url: string): string {
  if (url === prefix || url.startsWith(`${prefix}/`) || url.startsWith(`${prefix}?`)) return url;
  return url.startsWith('/?') || url === '/' ? `${prefix}${url.slice(1)}` : `${prefix}${url}`;
}

/** The one after the server's, unless one was chosen or the server's was picked for it. */
function storePort({ DEMO_STORE_PORT: chosen, PORT: wanted }: Config, address: string): number {
  if (chosen !== 0 || wanted === 0) return chosen;
  return Math.min(65_535, Number(new URL(address).port) + 1);
}
