import pg from 'pg';
import { columnParsers } from './column-parsers.js';
import type { Database } from './db.js';
import { type EmbeddedEngine, startEmbeddedEngine } from './embedded-engine.js';
import { startMaintenance } from './embedded-maintenance.js';
import { EngineStream } from './engine-stream.js';
import { exclusiveQueue } from './exclusive-queue.js';
import { prepareDataDir } from './prepare-data-dir.js';
import { queryRows, runTransaction } from './session-db.js';

export interface EmbeddedOptions {
  /** Tarball of a migrated, empty data directory: starting from it takes a fraction of creating one. */
  template?: string;
  checkpointEveryMs?: number;
  vacuumEveryMs?: number;
  /** How long a statement may queue behind others before it fails. */
  maxWaitMs?: number;
  /** Told when background maintenance fails or the engine crashes. */
  onError?: (error: Error) => void;
}

export interface EmbeddedDatabase extends Database {
  /** Real fsync calls so far, for the test that a commit is on disk before it is acknowledged. */
  syncs(): number;
  /** The whole data directory as a tarball, between two transactions. */
  dump(compression?: 'none' | 'gzip'): Promise<Uint8Array>;
}

/** Opens the database in `dir`, creating it when missing; null keeps it in memory. Throws `DataDirInUse` or `DataDirUnwritable`. */
export async function openEmbeddedDatabase(dir: string | null, options: EmbeddedOptions = {}): Promise<EmbeddedDatabase> {
  if (dir === null) {
    const engine = await startEmbeddedEngine({ dir: null, ...(options.template === undefined ? {} : { tarball: options.template }) });
    return overEngine(engine, options, async () => undefined);
  }
  const lock = await prepareDataDir(dir, options.template);
  try {
    return await overEngine(await startEmbeddedEngine({ dir }), options, lock.release);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function overEngine(engine: EmbeddedEngine, options: EmbeddedOptions, release: () => Promise<void>): Promise<EmbeddedDatabase> {
  const client = new pg.Client({ stream: () => new EngineStream(engine), user: 'postgres', database: 'postgres', types: columnParsers });
  const onError = options.onError ?? (() => undefined);
  client.on('error', onError);
  await client.connect();

  // One session: a transaction holds it, everything else waits its turn.
  const exclusive = exclusiveQueue(options.maxWaitMs ?? 60_000);
  const database: EmbeddedDatabase = {
    engine: 'embedded',
    query: (text, values) => exclusive(() => queryRows(client, text, values)),
    script: (text) =>
      exclusive(async () => {
        await client.query(text);
      }),
    transaction: (work) => exclusive(() => runTransaction('embedded', client, work)),
    listen: (channel, onPayload) => listenOn(client, database, channel, onPayload),
    syncs: engine.syncs,
    dump: (compression = 'gzip') =>
      exclusive(async () => {
        await client.query('checkpoint');
        return engine.dump(compression);
      }),
    close: async () => {
      stopMaintenance();
      await exclusive(async () => {
        await client.end();
        await engine.close();
      });
      await release();
    },
  };
  const stopMaintenance = startMaintenance(database, options, onError);
  return database;
}

async function listenOn(client: pg.Client, database: Database, channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>> {
  const handle = (message: pg.Notification): void => {
    if (message.channel === channel) onPayload(message.payload ?? '');
  };
  client.on('notification', handle);
  await database.query(`listen ${pg.escapeIdentifier(channel)}`);
  // The session stays subscribed: others may listen on the channel, and an unheard notification costs nothing.
  return async () => void client.off('notification', handle);
}
