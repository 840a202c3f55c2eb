import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../platform/log.js';
import { closeServer, stopSignal } from './leave.js';

/** What the first process says to the workers of this machine. */
export type SeatNews =
  | { seat: number; adminSecret: string; address: string; isFirst: boolean }
  | { connection: number }
  | { last: true }
  | { stop: NodeJS.Signals };

/** What a worker says to the first process. */
export type WorkerNews =
  { asks: 'seat' } | { ready: true } | { taken: number } | { asks: 'no more' };

/** The place of this process among those behind one port; alone it has the only one. */
export interface Seat {
  readonly number: number;
  readonly adminSecret?: string;
  /** Where all of them are reached; null: this process listens itself. */
  readonly address: string | null;
  /** It has to prepare the store for all. */
  readonly isFirst: boolean;
  stopping(log: Log): Promise<NodeJS.Signals>;
  /** From now on connections are given to this server. */
  serves(server: Server): Promise<void>;
  /** Takes no more, lets requests under way finish, and cuts what is left after so long. */
  close(server: Server, ms: number): Promise<void>;
  /** Everything is closed; nothing must keep the process. */
  leave(): void;
}

export async function takeSeat(): Promise<Seat> {
  const { worker } = cluster;
  if (worker !== undefined) return askForSeat(worker);
  return {
    number: 0,
    address: null,
    isFirst: true,
    stopping: stopSignal,
    serves: async () => undefined,
    close: closeServer,
    leave: () => undefined,
  };
}

async function askForSeat(worker: Worker): Promise<Seat> {
  const stop = promised<NodeJS.Signals>();
  const seated = promised<Extract<SeatNews, { seat: number }>>();
  const last = promised<void>();
  const open = new Set<Socket>();
  let server: Server | null = null;
  const say = (news: WorkerNews): void => void worker.send(news);
  worker.on('message', (news: SeatNews, socket: Socket | undefined) => {
    if ('stop' in news) stop.resolve(news.stop);
    else if ('seat' in news) seated.resolve(news);
    else if ('last' in news) last.resolve();
    else {
      say({ taken: news.connection });
      // Null when the caller hung up on the way.
      if (!socket || server === null) return;
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      server.emit('connection', socket);
    }
  });
  // What is said before somebody listens is lost, so we ask.
  say({ asks: 'seat' });
  const { seat, ...place } = await seated.promise;
  return {
    number: seat,
    ...place,
    // A terminal tells every process of the group, so that a second signal means nothing here: who
    // cannot wait ends the first process, and that ends us.
    stopping() {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop.resolve);
      return stop.promise;
    },
    async serves(given) {
      // The server looks after its connections (slow ones, idle ones) only while it listens.
      given.listen({ port: 0, host: '127.0.0.1', exclusive: true });
      await once(given, 'listening');
      server = given;
      say({ ready: true });
    },
    async close(given, ms) {
      const cut = setTimeout(() => given.closeAllConnections(), ms);
      say({ asks: 'no more' });
      await last.promise;
      given.close();
      given.closeIdleConnections();
      for (const socket of open) if (!socket.destroyed) await once(socket, 'close');
      clearTimeout(cut);
    },
    leave: () => void worker.disconnect(),
  };
}

function promised<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
