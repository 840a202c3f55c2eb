import { createServer, type RequestListener, type Server } from 'node:http';

/** A server that listens at once and answers 503 until the app behind it is ready. */
export interface StartingGate {
  readonly server: Server;
  /** Keeps the app's handler until `open`. */
  hold(handler: RequestListener): void;
  open(): void;
}

const mostConnections = 20_000;

export function createStartingGate(): StartingGate {
  let held: RequestListener | null = null;
  let handler: RequestListener | null = null;
  const server = createServer(
    { keepAliveTimeout: 65_000, requestTimeout: 60_000, headersTimeout: 20_000 },
    (request, response) => {
      if (handler !== null) return handler(request, response);
      const health = (request.url ?? '').split('?')[0] === '/health';
      const body = JSON.stringify(
        health ? { status: 'starting', ready: false } : { detail: 'starting' },
      );
      response
        .writeHead(503, {
          'content-type': 'application/json; charset=utf-8',
          'retry-after': '1',
          connection: 'close',
        })
        .end(body);
    },
  );
  // Each costs memory whether or not anything is said on it.
  server.maxConnections = mostConnections;
  return {
    server,
    hold(next) {
      held = next;
    },
    open() {
      handler = held;
    },
  };
}
