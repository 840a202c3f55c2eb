import pg from 'pg';
import { measureAhead } from '../clock.js';
import { columnParsers } from './column-parsers.js';
import { type ConnectionWatch, createConnectionWatch, cutConnection } from './connection-watch.js';
import type { Database } from './db.js';
import { ServerListener } from './server-listener.js';
import {
  queryRows,
  retryConflicts,
  runTransaction,
  type SessionClient,
  sqlState,
} from './session-db.js';
import { unreachable } from './unreachable-database.js';

export interface ServerOptions {
  maxConnections?: number;
  /** Ends a statement that runs away; migrations lift it for themselves. */
  statementTimeoutMs?: number;
  connectTimeoutMs?: number;
  /**
   * After so long without an answer a connection is taken for dead, and the database for away:
   * statements fail at once until it answers again.
   */
  silenceMs?: number | (() => number);
  /** Told about failures of idle connections, which no caller is waiting for. */
  onConnectionError?: (error: Error) => void;
  /** Told when the server is too slow to say that it will tell us news; it is waited for. */
  onLate?: (error: Error) => void;
}

/** Opens a pool to a PostgreSQL server and proves it answers, or throws `UnreachableDatabase`. */
export async function openServerDatabase(
  url: string,
  options: ServerOptions = {},
): Promise<Database> {
  const {
    onConnectionError = () => undefined,
    statementTimeoutMs = 60_000,
    silenceMs: silence = 60_000,
  } = options;
  const silenceMs = typeof silence === 'number' ? () => silence : silence;
  const connection: pg.ClientConfig = {
    connectionString: url,
    types: columnParsers,
    keepAlive: true,
    application_name: 'sidelight',
    // Also how long a statement waits for a free connection of the pool.
    connectionTimeoutMillis: options.connectTimeoutMs ?? 20_000,
  };
  const watch = createConnectionWatch();
  const pool = openPool(connection, watch, { ...options, statementTimeoutMs, silenceMs });
  pool.on('error', onConnectionError);

  const clockAheadMs = await measureClock(pool).catch(async (cause: unknown) => {
    await pool.end();
    throw unreachable(url, cause);
  });

  const away = (reason: unknown): Error => unreachable(url, reason);
  const listener = new ServerListener({
    connection,
    clockAheadMs,
    silenceMs,
    watch,
    onError: onConnectionError,
    onAway: (reason) => watch.giveUp(away(reason)),
    onLate: (reason) => options.onLate?.(away(reason)),
  });
  const { contact } = listener;
  const withClient = <T>(work: (client: SessionClient) => Promise<T>): Promise<T> =>
    contact.isAway
      ? Promise.reject(away(new Error('it does not answer')))
      : useClient({ pool, watch, away }, work);
  return {
    engine: 'server',
    contact,
    query: (text, values) => withClient((client) => queryRows(client, text, values)),
    script: (text, script = {}) =>
      withClient((client) =>
        runScript(client, text, script.unhurried === true, statementTimeoutMs),
      ),
    transaction: (work) =>
      retryConflicts(() => withClient((client) => runTransaction('server', client, work))),
    listen: (channel, onPayload) => listener.listen(channel, onPayload),
    close: async () => {
      await listener.close();
      const ended = pool.end();
      // Connections that were cut silently never say that they ended.
      const cut = setTimeout(() => watch.giveUp(new Error('closed')), silenceMs()).unref();
      if (contact.isAway) watch.giveUp(new Error('closed'));
      await ended;
      clearTimeout(cut);
    },
  };
}

function openPool(
  connection: pg.ClientConfig,
  watch: ReturnType<typeof createConnectionWatch>,
  options: ServerOptions & { statementTimeoutMs: number; silenceMs: () => number },
): pg.Pool {
  return new pg.Pool({
    ...connection,
    Client: watch.Client,
    max: options.maxConnections ?? 10,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
    // Set here and not as startup options: poolers between us and the server refuse those.
    onConnect: (client) =>
      cutWhenLate(client, options.silenceMs(), () =>
        client.query(
          `set timezone = 'UTC'; set work_mem = '32MB'; set jit = off; set statement_timeout = ${options.statementTimeoutMs};` +
            ' set idle_in_transaction_session_timeout = 60000',
        ),
      ),
  });
}

async function runScript(
  client: SessionClient,
  text: string,
  isUnhurried: boolean,
  statementTimeoutMs: number,
): Promise<void> {
  // Apart from the text: what must not run inside a transaction must be sent alone.
  if (isUnhurried) await client.query('set statement_timeout = 0');
  try {
    await client.query(text);
  } finally {
    if (isUnhurried) await client.query(`set statement_timeout = ${statementTimeoutMs}`);
  }
}

async function measureClock(pool: pg.Pool): Promise<number> {
  // On a connection there is already: making one takes longer than the answer.
  await pool.query('select 1');
  const sent = Date.now();
  const { rows } = await pool.query<{ now: number }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
  );
  return measureAhead(0, sent, rows[0]?.now ?? sent, Date.now());
}

async function useClient<T>(
  {
    pool,
    watch,
    away,
  }: { pool: pg.Pool; watch: ConnectionWatch; away: (reason: unknown) => Error },
  work: (client: SessionClient) => Promise<T>,
): Promise<T> {
  const client = await watch.acquire(pool).catch((error: unknown) => {
    // The server's own reasons (no such database, too many connections) say more than we could.
    throw sqlState(error) === undefined ? away(error) : error;
  });
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  // A connection lost between two statements of a transaction reports here; unheard it would end
  // the process.
  client.on('error', onError);
  try {
    return await work(watch.noted(client));
  } catch (error) {
    throw error === broken ? away(error) : error;
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}

async function cutWhenLate(
  client: pg.ClientBase,
  ms: number,
  work: () => Promise<unknown>,
): Promise<void> {
  const timer = setTimeout(() => cutConnection(client), ms);
  try {
    await work();
  } finally {
    clearTimeout(timer);
  }
}
