import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { SessionClient } from './session-db.js';

/**
 * Connections of a pool: which wait for an answer and since when. A connection that was cut
 * silently is told by nobody, so whoever finds out lets go of it here.
 */
export interface ConnectionWatch {
  /** What the pool makes its connections of. */
  readonly Client: typeof pg.Client;
  /** A connection of the pool, unless the database is given up first. */
  acquire(pool: pg.Pool): Promise<pg.PoolClient>;
  /** The same connection, with its waiting noted. */
  noted(client: pg.PoolClient): SessionClient;
  /** Server processes that have owed an answer for so long. */
  owing(ms: number): number[];
  /** Ends these connections; what waits for their answers fails now. */
  sever(processes: ReadonlySet<number>): void;
  /** Ends all of them, and fails those who wait for one. */
  giveUp(reason: Error): void;
}

/** Ends a connection without waiting for the other side. */
export function cutConnection(client: pg.ClientBase): void {
  // The driver keeps its socket there; its typings leave it out.
  const { connection } = client as unknown as { connection?: { stream: Duplex } };
  connection?.stream.destroy();
}

export function createConnectionWatch(): ConnectionWatch {
  const all = new Set<pg.Client>();
  const owed = new Map<pg.ClientBase, { answers: number; since: number }>();
  const waiting = new Set<(reason: Error) => void>();

  class WatchedClient extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      all.add(this);
      this.once('end', () => {
        all.delete(this);
        owed.delete(this);
      });
    }
  }

  return {
    Client: WatchedClient,
    acquire: (pool) => acquireFrom(pool, waiting),
    noted: (client) => ({
      async query(text, values) {
        const state = owed.get(client) ?? { answers: 0, since: 0 };
        if (state.answers === 0) state.since = performance.now();
        state.answers += 1;
        owed.set(client, state);
        try {
          return await client.query(text, values);
        } finally {
          state.answers -= 1;
          state.since = performance.now();
        }
      },
    }),
    owing(ms) {
      const before = performance.now() - ms;
      return [...all].flatMap((client) => {
        const state = owed.get(client);
        const process = processOf(client);
        return process !== null && state !== undefined && state.answers > 0 && state.since < before
          ? [process]
          : [];
      });
    },
    sever(processes) {
      for (const client of all) {
        const process = processOf(client);
        if (process !== null && processes.has(process)) cutConnection(client);
      }
    },
    giveUp(reason) {
      for (const reject of waiting) reject(reason);
      for (const client of all) cutConnection(client);
    },
  };
}

function acquireFrom(pool: pg.Pool, waiting: Set<(reason: Error) => void>): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const giveUp = (reason: Error): void => {
      isOver = true;
      waiting.delete(giveUp);
      reject(reason);
    };
    waiting.add(giveUp);
    pool.connect().then((client) => {
      if (isOver) return client.release();
      waiting.delete(giveUp);
      resolve(client);
    }, giveUp);
  });
}

/** The number of the server's process behind a connection. */
export function processOf(client: pg.ClientBase): number | null {
  // Typed on pools only, kept by every client.
  return (client as unknown as { processID: number | null }).processID;
}
