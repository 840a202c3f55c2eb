import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { networkOf } from '../../domain/network.js';
import { isPrivateAddress } from '../outbound/private-address.js';
import { hasBody } from './admission.js';
import { cleanAddress } from './client-address.js';
import { refuseConnection } from './refuse-connection.js';

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

export interface ConnectionBounds {
  /** Each costs memory whether or not anything is said on it. */
  altogether: number;
  /** Of one address, or of the /64 a subscriber of IPv6 has. */
  ofNetwork: number;
  /** Proxies and programs of our own stand for many callers and are not counted. */
  isCounted: (address: string) => boolean;
}

const usualBounds: ConnectionBounds = {
  altogether: 20_000,
  ofNetwork: 1000,
  isCounted: (address) => !isPrivateAddress(address),
};

export function createStartingGate(bounds: ConnectionBounds = usualBounds): StartingGate {
  let held: RequestListener | null = null;
  let handler: RequestListener | null = null;
  let waiting: string | null = null;
  let isLeaving = false;
  const server = createServer(
    { keepAliveTimeout: 65_000, requestTimeout: 60_000, headersTimeout: 20_000 },
    (request, response) => {
      if (isLeaving) response.setHeader('connection', 'close');
      if (isAmbiguous(request)) return refuseConnection(new Error('ambiguous'), request.socket);
      if (hasBody(request)) endWithAnswer(request, response);
      if (handler !== null) return handler(request, response);
      if (isPerson(request)) return greetPerson(response);
      const body = JSON.stringify(startingAnswer((request.url ?? '').split('?')[0], waiting));
      response
        .writeHead(503, {
          'content-type': 'application/json; charset=utf-8',
          'retry-after': '1',
          connection: 'close',
        })
        .end(body);
    },
  );
  server.maxConnections = bounds.altogether;
  boundNetworks(server, bounds);
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

/** Each in the shape it answers in later. */
function startingAnswer(path: string | undefined, waiting: string | null): object {
  const reason = waiting === null ? {} : { reason: waiting };
  if (path === '/health') return { status: 'starting', ready: false, ...reason };
  if (path === '/ready')
    return { status: 'unready', ready: false, checks: { started: { ok: false, ...reason } } };
  return { detail: 'starting' };
}

/** Somebody who opened a page, and not a program. */
const isPerson = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/html');

/** Comes again by itself, and is gone when the page behind it is there. */
const greeting = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>Sidelight is starting</title>
<body style="font-family: system-ui, sans-serif; margin: 15vh auto; max-width: 26rem; padding: 0 1rem">
<h1>Sidelight is starting</h1>
<p>This takes a few seconds. The page opens by itself.</p>
`;

function greetPerson(response: ServerResponse): void {
  response
    .writeHead(503, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'retry-after': '1',
      connection: 'close',
    })
    .end(greeting);
}

/** One caller that opens all it can leaves the others theirs: more than its share is hung up on. */
function boundNetworks(server: Server, { ofNetwork, isCounted }: ConnectionBounds): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = cleanAddress(socket.remoteAddress ?? '');
    if (address === null || !isCounted(address)) return;
    const network = networkOf(address);
    const count = open.get(network) ?? 0;
    if (count >= ofNetwork) return void socket.destroy();
    open.set(network, count + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}

/**
 * Whether a proxy before us may have read it as something else: two hosts, or a body packed for the
 * way, which nobody here unpacks.
 */
function isAmbiguous({ headers, rawHeaders }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') return true;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/**
 * What may still come after the answer: the rest of a body somebody was in the middle of sending.
 */
const restBytes = 1024 * 1024;
const restMs = 3000;

/**
 * A body that goes on after its answer is read for nobody, and one that never ends would be read
 * for ever, a byte at a time if its sender likes.
 */
function endWithAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    const { socket } = request;
    const before = socket.bytesRead;
    const answeredAt = performance.now();
    const timer = setInterval(() => {
      const isDone = request.complete || socket.destroyed;
      const isTooMuch =
        socket.bytesRead - before > restBytes || performance.now() - answeredAt > restMs;
      if (!isDone && !isTooMuch) return;
      clearInterval(timer);
      if (!isDone) socket.destroy();
    }, 50);
    timer.unref();
  });
}
