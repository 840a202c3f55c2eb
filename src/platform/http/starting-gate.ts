import { createServer, type RequestListener, type Server } from 'node:http';

/** A server that listens at once and answers 503 until the app behind it is ready. */
export interface StartingGate {
  readonly server: Server;
  /** Keeps the app's handler until `open`. */
  hold(handler: RequestListener): void;
  open(): void;
  /** Why it takes so long, for whoever asks. */
  waitFor(reason: string | null): void;
  /** From now on each answer is the last of its connection. */
  leave(): void;
}

const mostConnections = 20_000;

export function createStartingGate(): StartingGate {
  let held: RequestListener | null = null;
  let handler: RequestListener | null = null;
  let waiting: string | null = null;
  let isLeaving = false;
  const server = createServer(
    { keepAliveTimeout: 65_000, requestTimeout: 60_000, headersTimeout: 20_000 },
    (request, response) => {
      if (isLeaving) response.setHeader('connection', 'close');
      if (handler !== null) return handler(request, response);
      const isProbe = ['/health', '/ready'].includes((request.url ?? '').split('?')[0] ?? '');
      const reason = waiting === null ? {} : { reason: waiting };
      const body = JSON.stringify(
        isProbe ? { status: 'starting', ready: false, ...reason } : { detail: 'starting' },
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
    waitFor(reason) {
      waiting = reason;
    },
    leave() {
      isLeaving = true;
    },
  };
}
