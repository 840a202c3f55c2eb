import pg from 'pg';
import { columnParsers } from './column-parsers.js';
import type { Database } from './db.js';
import { serverListener } from './server-listener.js';
import { queryRows, retryConflicts, runTransaction } from './session-db.js';
import { unreachable } from './unreachable-database.js';

export interface ServerOptions {
  maxConnections?: number;
  /** Ends a statement that runs away; migrations lift it for themselves. */
  statementTimeoutMs?: number;
  connectTimeoutMs?: number;
  /** Told about failures of idle connections, which no caller is waiting for. */
  onConnectionError?: (error: Error) => void;
}

/** Opens a pool to a PostgreSQL server and proves it answers, or throws `UnreachableDatabase`. */
export async function openServerDatabase(
  url: string,
  options: ServerOptions = {},
): Promise<Database> {
  const { onConnectionError = () => undefined, statementTimeoutMs = 60_000 } = options;
  const connection: pg.ClientConfig = {
    connectionString: url,
    types: columnParsers,
    keepAlive: true,
    application_name: 'sidelight',
    // Also how long a statement waits for a free connection of the pool.
    connectionTimeoutMillis: options.connectTimeoutMs ?? 20_000,
  };
  const pool = new pg.Pool({
    ...connection,
    max: options.maxConnections ?? 10,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
    // Set here and not as startup options: poolers between us and the server refuse those.
    onConnect: async (client) => {
      await client.query(
        `set timezone = 'UTC'; set work_mem = '32MB'; set jit = off; set statement_timeout = ${statementTimeoutMs};` +
          ' set idle_in_transaction_session_timeout = 60000',
      );
    },
  });
  pool.on('error', onConnectionError);

  await pool.query('select 1').catch(async (cause: unknown) => {
    await pool.end();
    throw unreachable(url, cause);
  });

  const listener = serverListener(connection, onConnectionError);
  return {
    engine: 'server',
    query: (text, values) => withClient(pool, (client) => queryRows(client, text, values)),
    script: (text, script = {}) =>
      withClient(pool, async (client) => {
        // Apart from the text: what must not run inside a transaction must be sent alone.
        if (script.unhurried === true) await client.query('set statement_timeout = 0');
        try {
          await client.query(text);
        } finally {
          if (script.unhurried === true)
            await client.query(`set statement_timeout = ${statementTimeoutMs}`);
        }
      }),
    transaction: (work) =>
      retryConflicts(() => withClient(pool, (client) => runTransaction('server', client, work))),
    listen: listener.listen,
    close: async () => {
      await listener.close();
      await pool.end();
    },
  };
}

async function withClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  // A connection lost between two statements of a transaction reports here; unheard it would end
  // the process.
  client.on('error', onError);
  try {
    return await work(client);
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
