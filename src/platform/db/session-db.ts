import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { remember } from '../bounded-cache.js';
import type { Db } from './db.js';
import { exclusiveQueue } from './exclusive-queue.js';

type Engine = Db['engine'];

/** What statements are sent through. */
export interface SessionClient {
  query(text: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult>;
}
type Client = SessionClient;

export class TransactionOver extends Error {
  override readonly name = 'TransactionOver';
  constructor() {
    super('this transaction has ended; its handle must not be kept');
  }
}

export class TransactionAborted extends Error {
  override readonly name = 'TransactionAborted';
  constructor() {
    super(
      'a statement of this transaction failed and the failure was swallowed, so nothing was committed',
    );
  }
}

export async function queryRows<R extends object>(
  client: Client,
  text: string,
  values?: readonly unknown[],
): Promise<R[]> {
  // The driver writes a Date in the zone of the machine; as text in UTC it also means the right day
  // for a `date`.
  const bound = values?.map((value) => (value instanceof Date ? value.toISOString() : value));
  const result: pg.QueryResult | pg.QueryResult[] = await (text.length > LONG_STATEMENT ||
  text.startsWith(plannedOnce)
    ? client.query({ text, values: bound ?? [], name: statementName(text) })
    : client.query(text, bound));
  const last = Array.isArray(result) ? result.at(-1) : result;
  // The caller states the row type next to the SQL; the driver cannot know it.
  return (last?.rows ?? []) as R[];
}

/**
 * Planning a statement of this size costs more than running it, so each connection plans it once,
 * under a name. Such texts are few and fixed.
 */
const LONG_STATEMENT = 2000;

/**
 * At the beginning of a shorter one that somebody waits for all the time. It names its columns: a
 * plan kept for `*` fails once there is a column more.
 */
export const plannedOnce = '/* planned once */ ';

/** Hashing twenty kilobytes for each batch would cost as much as sending the batch. */
const statementName = remember(
  (text: string) => createHash('sha1').update(text).digest('hex'),
  200,
);

const RETRIED = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 8;

export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Repeats work that lost against a concurrent transaction, with growing random pauses so that the
 * rivals spread out.
 */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries >= MAX_ATTEMPTS || !RETRIED.has(sqlState(error) ?? '')) throw error;
      await sleep(Math.random() * 4 * 2 ** tries);
    }
  }
}

/** One attempt at a transaction on a client nobody else uses meanwhile. */
export async function runTransaction<T>(
  engine: Engine,
  client: Client,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  await client.query('begin');
  const handle = transactionDb(engine, client, 1);
  try {
    const result = await work(handle.db);
    handle.end();
    const commit = await client.query('commit');
    // After a failed statement PostgreSQL answers COMMIT with a silent ROLLBACK.
    if (commit.command !== 'COMMIT') throw new TransactionAborted();
    return result;
  } catch (error) {
    handle.end();
    // When the rollback fails too the connection is gone, and the first error says more.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

function transactionDb(engine: Engine, client: Client, depth: number): { db: Db; end: () => void } {
  let open = true;
  // Savepoints form a stack: two nested transactions side by side would release each other's.
  const oneAtATime = exclusiveQueue();
  const usable = (): Client => {
    if (!open) throw new TransactionOver();
    return client;
  };
  const db: Db = {
    engine,
    query: async (text, values) => queryRows(usable(), text, values),
    script: async (text) => {
      await usable().query(text);
    },
    transaction: (work) => oneAtATime(() => runSavepoint(engine, usable(), depth, work)),
  };
  return { db, end: () => void (open = false) };
}

async function runSavepoint<T>(
  engine: Engine,
  client: Client,
  depth: number,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const name = `nested_${depth}`;
  await client.query(`savepoint ${name}`);
  const handle = transactionDb(engine, client, depth + 1);
  try {
    const result = await work(handle.db);
    handle.end();
    await client.query(`release savepoint ${name}`);
    return result;
  } catch (error) {
    handle.end();
    await client
      .query(`rollback to savepoint ${name}; release savepoint ${name}`)
      .catch(() => undefined);
    throw error;
  }
}
