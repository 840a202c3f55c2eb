import pg from 'pg';
import type { Database, Db } from './db.js';
import { startMaintenance } from './embedded-maintenance.js';
import { type EmbeddedSession, startEmbeddedSession } from './embedded-session.js';
import { exclusiveQueue } from './exclusive-queue.js';
import { prepareDataDir } from './prepare-data-dir.js';
import { queryRows, runTransaction } from './session-db.js';
import { type StatementWatch, watchStatements } from './slow-statements.js';

export interface EmbeddedOptions {
  /**
   * Tarball of a migrated, empty data directory: starting from it takes a fraction of creating one.
   */
  template?: string;
  checkpointEveryMs?: number;
  vacuumEveryMs?: number;
  /** A statement that queues fails when none before it ends for so long. */
  stuckMs?: number;
  /** Told as soon as the engine's own thread runs: from then on this one is free. */
  onThread?: () => void;
  /** Told when background maintenance fails or the engine crashes. */
  onError?: (error: Error) => void;
}

export interface EmbeddedDatabase extends Database {
  readonly slow: StatementWatch;
  /** Statements and transactions so far. */
  asked(): number;
  /** Real fsync calls so far, for the test that a commit is on disk before it is acknowledged. */
  syncs(): number;
  /** The whole data directory as a tarball in memory; meant for small ones. */
  dump(compression?: 'none' | 'gzip'): Promise<Uint8Array>;
  whileQuiet<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Opens the database in `dir`, creating it when missing; null keeps it in memory. Throws
 * `DataDirInUse` or `DataDirUnwritable`.
 */
export async function openEmbeddedDatabase(
  dir: string | null,
  options: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  const onError = options.onError ?? (() => undefined);
  if (dir === null) {
    const tarball = options.template === undefined ? {} : { tarball: options.template };
    return overSession(
      await startEmbeddedSession({ dir: null, ...tarball }, onError),
      options,
      async () => undefined,
    );
  }
  const lock = await prepareDataDir(dir, options.template);
  try {
    const starting = startEmbeddedSession({ dir }, onError);
    options.onThread?.();
    return overSession(await starting, options, lock.release);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function overSession(
  session: EmbeddedSession,
  options: EmbeddedOptions,
  release: () => Promise<void>,
): EmbeddedDatabase {
  // One session: a transaction holds it, everything else waits its turn.
  const exclusive = exclusiveQueue(options.stuckMs ?? 60_000);
  let engine: { busyMs(): number } | null = null;
  let asked = 0;
  const busyMs = (): number => engine?.busyMs() ?? 0;
  const slow = watchStatements(busyMs);
  const withClient = <T>(
    work: (client: pg.Client) => Promise<T>,
    text: () => string = () => 'transaction',
  ): Promise<T> =>
    exclusive(async () => {
      const current = await session.current();
      engine = current.engine;
      asked += 1;
      return slow.watch(text, () => work(current.client));
    });

  const database: EmbeddedDatabase = {
    engine: 'embedded',
    slow,
    query: (text, values) =>
      withClient(
        (client) => queryRows(client, text, values),
        () => text,
      ),
    script: (text) =>
      withClient(
        async (client) => void (await client.query(text)),
        () => text,
      ),
    transaction(work) {
      const statements = noteLongest(busyMs);
      return withClient(
        (client) => runTransaction('embedded', client, (tx) => work(statements.noted(tx))),
        () => `transaction: ${statements.longest()}`,
      );
    },
    listen: (channel, onPayload) => listenIn(session, database, channel, onPayload),
    syncs: session.syncs,
    asked: () => asked,
    dump: (compression = 'gzip') =>
      database.whileQuiet(async () => (await session.current()).engine.dump(compression)),
    whileQuiet: (work) =>
      withClient(async (client) => {
        await client.query('checkpoint');
        return work();
      }),
    giveBack: () => exclusive(session.renew),
    close: async () => {
      stopMaintenance();
      await exclusive(session.close);
      await release();
    },
  };
  const stopMaintenance = startMaintenance(database, options, options.onError ?? (() => undefined));
  return database;
}

async function listenIn(
  session: EmbeddedSession,
  db: Db,
  channel: string,
  onPayload: (payload: string) => void,
): Promise<() => Promise<void>> {
  const stop = session.listen(channel, onPayload);
  await db.query(`listen ${pg.escapeIdentifier(channel)}`);
  // The session stays subscribed: others may listen on the channel, and an unheard notification
  // costs nothing.
  return async () => stop();
}

/** Which statement of a transaction kept the engine longest. */
function noteLongest(busyMs: () => number): { noted(handle: Db): Db; longest(): string } {
  let longest = { ms: -1, text: '' };
  return {
    longest: () => longest.text,
    noted: (handle) => ({
      ...handle,
      async query(text, values) {
        const before = busyMs();
        try {
          return await handle.query(text, values);
        } finally {
          const ms = busyMs() - before;
          if (ms > longest.ms) longest = { ms, text };
        }
      },
    }),
  };
}
