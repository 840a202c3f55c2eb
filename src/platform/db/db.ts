import type { SlowStatements } from './slow-statements.js';

/**
 * One row as the driver returns it: bigint as number, timestamptz as Date, date as 'YYYY-MM-DD',
 * json parsed, numeric as string.
 */
export type Row = Record<string, unknown>;

/**
 * The one door to PostgreSQL, embedded or server. Inside `transaction` use only the handle passed
 * in:
 * the embedded engine has a single session, so the outer handle would wait for itself.
 */
export interface Db {
  readonly engine: 'embedded' | 'server';
  query<R extends object = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /**
   * Several statements without parameters, as in a migration file. One that takes as long as its
   * table is large is `unhurried`: no time limit ends it.
   */
  script(text: string, options?: { unhurried?: boolean }): Promise<void>;
  /**
   * Commits when `work` resolves, rolls back when it throws; retries serialization failures and
   * deadlocks.
   */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
}

/** How well a server is heard. Times are those of `performance.now()`. */
export interface Contact {
  /** It does not answer: statements fail at once until it does. */
  readonly isAway: boolean;
  readonly heardAt: number;
  /** Goes up with each connection that listens: what was notified between two was not heard. */
  readonly epoch: number;
  /** How far the clock of this machine is ahead of the server's. */
  readonly clockAheadMs: number;
}

/** What the process owns; surfaces get the narrower `Db`. */
export interface Database extends Db {
  /** Of the embedded engine, whose statements wait for each other. */
  readonly slow?: SlowStatements;
  /** Of a server, which may be cut off; the embedded engine is always there. */
  readonly contact?: Contact;
  /**
   * Of the embedded engine: runs `work` while the files hold everything and nothing changes them;
   * other statements wait.
   */
  whileQuiet?<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Of the embedded engine: starts it again, the only way it gives back memory that a large piece
   * of work needed; other statements wait.
   */
  giveBack?(): Promise<void>;
  /**
   * Calls back for every NOTIFY on the channel, also those of other nodes. Resolves to an
   * unsubscribe.
   */
  listen(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
