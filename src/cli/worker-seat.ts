import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Crew, CrewState } from '../platform/crew.js';
import { alone } from '../platform/crew.js';
import type { Log } from '../platform/log.js';
import { closeServer, stopSignal } from './leave.js';

/** What the first process says to the workers of this machine. */
export type SeatNews =
  | { seat: number; adminSecret: string; address: string; isFirst: boolean }
  | { connection: number }
  | { last: true }
  | { stop: NodeJS.Signals }
  | { crew: CrewState }
  | { measure: number }
  | { measured: Record<string, string> };

/** What a worker says to the first process. */
export type WorkerNews =
  | { asks: 'seat' | 'no more' | 'measurements' }
  | { ready: true }
  | { taken: number }
  /** Why it does not serve yet. */
  | { waitsFor: string | null }
  /** It lives, and can or cannot do its work. */
  | { canServe: boolean }
  | { measured: number; text: string };

/** What a worker can say of itself. */
export interface SelfView {
  canServe(): Promise<boolean>;
  measure(): Promise<string>;
}

/** More often than the first process asks itself whether anybody still lives. */
const beatMs = 500;

/** The place of this process among those behind one port; alone it has the only one. */
export interface Seat extends Crew {
  readonly number: number;
  readonly adminSecret?: string;
  /** Where all of them are reached; null: this process listens itself. */
  readonly address: string | null;
  /** It has to prepare the store for all. */
  readonly isFirst: boolean;
  stopping(log: Log): Promise<NodeJS.Signals>;
  /** Why it cannot serve yet, for callers that nobody else serves. */
  waitsFor(reason: string | null): void;
  /** From now on connections are given to this server. */
  serves(server: Server, self: SelfView): Promise<void>;
  /** Takes no more, lets requests under way finish, and cuts what is left after so long. */
  close(server: Server, ms: number): Promise<void>;
  /** Everything is closed; nothing must keep the process. */
  leave(): void;
}

export async function takeSeat(): Promise<Seat> {
  const { worker } = cluster;
  if (worker !== undefined) return WorkerSeat.ask(worker);
  return {
    ...alone,
    number: 0,
    address: null,
    isFirst: true,
    stopping: stopSignal,
    waitsFor: () => undefined,
    serves: async () => undefined,
    close: closeServer,
    leave: () => undefined,
  };
}

type Given = Extract<SeatNews, { seat: number }>;

class WorkerSeat implements Seat {
  readonly number: number;
  readonly adminSecret: string;
  readonly address: string;
  readonly isFirst: boolean;
  readonly #worker: Worker;
  readonly #stop = promised<NodeJS.Signals>();
  readonly #last = promised<void>();
  readonly #open = new Set<Socket>();
  #asking: ((texts: Map<string, string>) => void)[] = [];
  #crew: CrewState | null = null;
  #server: Server | null = null;
  #self: SelfView | null = null;
  #beat: NodeJS.Timeout | undefined;

  static async ask(worker: Worker): Promise<WorkerSeat> {
    const given = new Promise<Given>((resolve) => {
      worker.on('message', (news: SeatNews) => 'seat' in news && resolve(news));
    });
    // What is said before somebody listens is lost, so we ask.
    worker.send({ asks: 'seat' } satisfies WorkerNews);
    return new WorkerSeat(worker, await given);
  }

  private constructor(worker: Worker, { seat, adminSecret, address, isFirst }: Given) {
    this.#worker = worker;
    this.number = seat;
    this.adminSecret = adminSecret;
    this.address = address;
    this.isFirst = isFirst;
    worker.on('message', (news: SeatNews, socket: Socket | undefined) => this.#hear(news, socket));
  }

  #hear(news: SeatNews, socket: Socket | undefined): void {
    if ('stop' in news) this.#stop.resolve(news.stop);
    else if ('last' in news) this.#last.resolve();
    else if ('crew' in news) this.#crew = news.crew;
    else if ('connection' in news) this.#take(news.connection, socket);
    else if ('measured' in news) {
      for (const tell of this.#asking) tell(new Map(Object.entries(news.measured)));
      this.#asking = [];
    } else if ('measure' in news)
      void this.#self?.measure().then((text) => this.#say({ measured: news.measure, text }));
  }

  #say(news: WorkerNews): void {
    // Whoever cannot be told any more has ended, and so do we.
    this.#worker.send(news, () => undefined);
  }

  #take(connection: number, socket: Socket | undefined): void {
    this.#say({ taken: connection });
    // Null when the caller hung up on the way.
    if (!socket || this.#server === null) return;
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    this.#server.emit('connection', socket);
  }

  state(): CrewState | null {
    return this.#crew;
  }

  measure(): Promise<ReadonlyMap<string, string>> {
    return new Promise((tell) => {
      this.#asking.push(tell);
      this.#say({ asks: 'measurements' });
    });
  }

  // A terminal tells every process of the group, so that a second signal means nothing here: who
  // cannot wait ends the first process, and that ends us.
  stopping(): Promise<NodeJS.Signals> {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, this.#stop.resolve);
    return this.#stop.promise;
  }

  waitsFor(reason: string | null): void {
    this.#say({ waitsFor: reason });
  }

  async serves(server: Server, self: SelfView): Promise<void> {
    // The server looks after its connections (slow ones, idle ones) only while it listens.
    server.listen({ port: 0, host: '127.0.0.1', exclusive: true });
    await once(server, 'listening');
    this.#server = server;
    this.#self = self;
    const tell = (): void => void self.canServe().then((canServe) => this.#say({ canServe }));
    this.#beat = setInterval(tell, beatMs).unref();
    this.#say({ ready: true });
  }

  async close(server: Server, ms: number): Promise<void> {
    const cut = setTimeout(() => server.closeAllConnections(), ms);
    clearInterval(this.#beat);
    this.#say({ asks: 'no more' });
    await this.#last.promise;
    server.close();
    server.closeIdleConnections();
    for (const socket of this.#open) if (!socket.destroyed) await once(socket, 'close');
    clearTimeout(cut);
  }

  leave(): void {
    this.#worker.disconnect();
  }
}

function promised<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
