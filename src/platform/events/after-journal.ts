import type { Database, Db } from '../db/db.js';
import { within } from './within.js';

/**
 * The database as it will be once this node's journal is applied: for whoever must see what was
 * acknowledged a moment ago. Waits first, a commit at most; while the database is jammed, not long.
 */
export function afterJournal(
  db: Database,
  eventLog: { drain(): Promise<void> },
  patienceMs = 1500,
): Database {
  const applied = (): Promise<boolean> => within(eventLog.drain(), patienceMs);
  return {
    ...db,
    async query<R extends object>(text: string, values?: readonly unknown[]): Promise<R[]> {
      await applied();
      return db.query<R>(text, values);
    },
    async script(text, options) {
      await applied();
      return db.script(text, options);
    },
    async transaction<T>(work: (tx: Db) => Promise<T>): Promise<T> {
      await applied();
      return db.transaction(work);
    },
  };
}
