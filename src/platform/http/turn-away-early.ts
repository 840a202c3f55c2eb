import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Front } from './create-http-app.js';
import { createGlimpses, type Glimpse } from './glimpse-request.js';

/** As much of a request as is known before it is parsed. */
export type EarlyRequest = Pick<IncomingMessage, 'headers' | 'url' | 'socket'>;

export interface EarlyDoor {
  /** Sees every request the parser has read, on connections that are looked at. */
  readonly seen: Front;
  /**
   * From now on what comes on this connection is looked at before it is parsed: its caller was
   * turned away just now, and the next one on it will probably be too.
   */
  watch(request: IncomingMessage, response: ServerResponse): void;
  /** A connection was taken: while others are turned away it is looked at from its first byte. */
  connected(socket: Socket): void;
}

interface Watching extends Options {
  glimpse: (bytes: Buffer) => Glimpse | null;
}

interface Options {
  /** Whether this one is turned away; called once for each. */
  refuses: (request: EarlyRequest) => boolean;
  /** Status line, head and body, as they go out. */
  answer: string;
  /** The same for the last of a connection. */
  lastAnswer: string;
  /** Then every answer is the last of its connection, and the parser's way says so. */
  isLeaving: () => boolean;
  /** How long it took to turn one away, in milliseconds. */
  onTurnedAway?: (ms: number) => void;
}

/** How long after somebody was turned away new connections are expected to be, too. */
const recentMs = 1000;
/** How long the body of one that was turned away may still be coming. */
const restMs = 3000;

/**
 * Turns requests away before they are parsed. To be told "not now" cost a quarter of an answer:
 * most of it for objects nobody needed (request, response, their streams and listeners). Once a
 * connection was turned away, its bytes come here first: one that is plainly a request and cannot
 * be let in gets its prepared answer, everything else goes to the parser as it came.
 */
export function createEarlyDoor(options: Options): EarlyDoor {
  const watched = new WeakMap<Socket, WatchedConnection>();
  const glimpse = createGlimpses();
  let lastShed = -Infinity;
  const refuses = (request: EarlyRequest): boolean => {
    const isRefused = options.refuses(request);
    if (isRefused) lastShed = performance.now();
    return isRefused;
  };
  return {
    seen(request, response) {
      watched.get(request.socket)?.seen(request, response);
      return false;
    },
    watch(request, response) {
      lastShed = performance.now();
      // Not while the parser is at it.
      process.nextTick(() => begin(request.socket)?.seen(request, response));
    },
    connected(socket) {
      if (performance.now() - lastShed < recentMs) begin(socket)?.startsHere();
    },
  };

  function begin(socket: Socket): WatchedConnection | null {
    const [parse, ...others] = socket.listeners('data');
    // Looked at already, left meanwhile, or not the usual connection.
    if (watched.has(socket) || socket.destroyed || parse === undefined || others.length > 0)
      return null;
    const connection = new WatchedConnection(socket, (bytes) => void parse.call(socket, bytes), {
      ...options,
      refuses,
      glimpse,
    });
    watched.set(socket, connection);
    // In this order: the first has the parser let go of the handle and get its bytes from us.
    socket.on('data', (bytes: Buffer) => connection.take(bytes));
    // It is the function the server added.
    socket.removeListener('data', parse as (bytes: Buffer) => void);
    return connection;
  }
}

/**
 * Knows whether the parser stands between two requests: only then the next bytes are the beginning
 * of one. Whatever leaves a doubt about that leaves the connection to the parser for good.
 */
class WatchedConnection {
  private readonly socket: Socket;
  private readonly parse: (bytes: Buffer) => void;
  private readonly options: Watching;
  /** Whether where requests begin is known: not before the parser has confirmed it once. */
  private state: 'unsure' | 'sure' | 'odd' | 'over' = 'unsure';
  private request: IncomingMessage | null = null;
  private response: ServerResponse | null = null;
  private requests = 0;
  /** Of the body of one turned away, still to come; and until when. */
  private skip = 0;
  private skipUntil = 0;
  /** Of the body of one that was let in, still to come. */
  private rest = 0;

  constructor(socket: Socket, parse: (bytes: Buffer) => void, options: Watching) {
    this.socket = socket;
    this.parse = parse;
    this.options = options;
  }

  /** Nothing came on it yet. */
  startsHere(): void {
    this.state = 'sure';
  }

  seen(request: IncomingMessage, response: ServerResponse): void {
    this.requests += 1;
    this.request = request;
    this.response = response;
  }

  take(bytes: Buffer): void {
    if (this.state === 'over') return;
    if (this.state === 'odd') return this.parse(bytes);
    if (this.skip > 0) return this.skipBody(bytes);
    if (this.rest > 0) return this.passBody(bytes);
    // Bytes of the request the connection was first looked at with.
    if (this.state === 'unsure' && this.request?.complete === false) return this.parse(bytes);
    const began = performance.now();
    const glimpse = this.isBetween() ? this.options.glimpse(bytes) : null;
    if (glimpse === null || bytes.length > glimpse.headBytes + glimpse.bodyBytes)
      return this.giveUp(bytes);
    const { socket, options } = this;
    const { url, headers, closes } = glimpse;
    const rest = glimpse.headBytes + glimpse.bodyBytes - bytes.length;
    const mayAnswer = closes ? rest === 0 : this.requests > 0;
    if (!mayAnswer || !this.isFree() || !options.refuses({ url, headers, socket }))
      return this.letParse(bytes, glimpse);
    socket.write(closes ? options.lastAnswer : options.answer, 'latin1');
    if (closes) this.end();
    this.skip = rest;
    const ended = performance.now();
    this.skipUntil = ended + restMs;
    options.onTurnedAway?.(ended - began);
  }

  /**
   * Whether it can be answered here. The first of a connection is the parser's all the same, but
   * for one that is the last, too: a parser that never saw any takes it for a caller who connects
   * and says nothing, and hangs up.
   */
  private isFree(): boolean {
    return this.state === 'sure' && !this.options.isLeaving() && !this.socket.writableNeedDrain;
  }

  /** All of it was read: nothing is left that would take the answer with it. */
  private end(): void {
    this.state = 'over';
    this.socket.destroySoon();
  }

  private isBetween(): boolean {
    const { request, response } = this;
    return request === null || (request.complete && response?.writableFinished === true);
  }

  /** Hands a request on; that it was one, and no more, is how we go on knowing where we are. */
  private letParse(bytes: Buffer, { url, lines, headBytes, bodyBytes }: Glimpse): void {
    const before = this.requests;
    this.rest = headBytes + bodyBytes - bytes.length;
    this.parse(bytes);
    const { request } = this;
    const isAsSeen =
      this.requests === before + 1 &&
      request?.url === url &&
      request.rawHeaders.length === 2 * lines;
    this.state = isAsSeen ? 'sure' : 'odd';
  }

  private passBody(bytes: Buffer): void {
    this.rest -= bytes.length;
    if (this.rest < 0) this.state = 'odd';
    this.parse(bytes);
  }

  private skipBody(bytes: Buffer): void {
    // Sent a byte at a time it would keep the connection for as long as its sender likes.
    if (performance.now() > this.skipUntil) return void this.socket.destroy();
    const taken = Math.min(this.skip, bytes.length);
    this.skip -= taken;
    if (taken < bytes.length) this.giveUp(bytes.subarray(taken));
  }

  private giveUp(bytes: Buffer): void {
    this.state = 'odd';
    this.parse(bytes);
  }
}
