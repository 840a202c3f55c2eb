import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { columnParsers } from './column-parsers.js';
import { type EmbeddedEngine, startEmbeddedEngine } from './embedded-engine.js';
import type { EmbeddedStart } from './embedded-protocol.js';
import { EngineStream } from './engine-stream.js';

interface Session {
  client: pg.Client;
  engine: EmbeddedEngine;
}

export interface EmbeddedSession {
  /** The live session; after a crash of the engine a new one, recovered from its log. */
  current(): Promise<Session>;
  /** Heard also after a restart. */
  listen(channel: string, onPayload: (payload: string) => void): () => void;
  syncs(): number;
  /** Ends the engine in order and starts it again; nothing else may be asked meanwhile. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the engine and keeps a session to it. A full disk or a failed sync makes PostgreSQL stop
 * on purpose, and a
 * restart with recovery is the cure; nothing acknowledged is lost, the statement that was running
 * fails.
 */
export async function startEmbeddedSession(
  start: EmbeddedStart,
  onError: (error: Error) => void,
): Promise<EmbeddedSession> {
  const listeners = new Set<{ channel: string; onPayload: (payload: string) => void }>();
  let session: Session | undefined;
  let crash: Error | undefined;
  let earlierSyncs = 0;

  const connect = async (): Promise<Session> => {
    const engine = await startEmbeddedEngine(start);
    const client = clientOf(engine);
    let failed = false;
    client.on('error', (error) => {
      // The end of the connection is reported once more after its cause.
      if (failed) return;
      failed = true;
      earlierSyncs += engine.syncs();
      session = undefined;
      crash = error;
      onError(error);
    });
    client.on('notification', ({ channel, payload }) => {
      for (const listener of listeners)
        if (listener.channel === channel) listener.onPayload(payload ?? '');
    });
    await client.connect();
    for (const { channel } of listeners)
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    return { client, engine };
  };

  const reconnect = async (): Promise<Session> => {
    // What was in memory is gone, and an empty store in its place would be a lie.
    if (start.dir === null) throw crash ?? new Error('the embedded database is closed');
    await rm(join(start.dir, 'postmaster.pid'), { force: true });
    const fresh = await connect();
    for (const { onPayload } of listeners) onPayload('');
    return fresh;
  };

  session = await connect();
  return {
    current: async () => (session ??= await reconnect()),
    listen: (channel, onPayload) => added(listeners, { channel, onPayload }),
    renew: async () => {
      // What is in memory alone would be lost.
      if (session === undefined || start.dir === null) return;
      const { client, engine } = session;
      await client.end();
      earlierSyncs += engine.syncs();
      await engine.close();
      session = undefined;
      session = await connect();
    },
    syncs: () => earlierSyncs + (session?.engine.syncs() ?? 0),
    close: async () => {
      await session?.client.end();
      await session?.engine.close();
      session = undefined;
      // From here on `current` must not bring it back.
      start = { dir: null };
      crash = new Error('the embedded database is closed');
    },
  };
}

function clientOf(engine: EmbeddedEngine): pg.Client {
  return new pg.Client({
    stream: () => new EngineStream(engine),
    user: 'postgres',
    database: 'postgres',
    types: columnParsers,
  });
}

/** How to take it out again. */
function added<T>(all: Set<T>, one: T): () => void {
  all.add(one);
  return () => void all.delete(one);
}
