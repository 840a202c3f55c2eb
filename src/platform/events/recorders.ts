import type { Db } from '../db/db.js';
import type { Entry } from './journal/entry.js';

/**
 * Writes rows of one kind inside the transaction that applies a part of the journal. The same rows
 * may come twice after a crash between two parts: a row that is there already is left alone. What
 * it returns is called when the transaction is committed.
 */
export type Record = (tx: Db, rows: readonly unknown[]) => Promise<void | (() => void)>;

/**
 * Who writes what the journal carries beside events. Surfaces add theirs before anything is read.
 */
export interface Recorders {
  add(name: string, record: Record): void;
  /** The rows of many entries, in order, one list a recorder. */
  gather(entries: readonly Entry[]): { record: Record; values: unknown[] }[];
}

export class UnknownRecorder extends Error {
  override readonly name = 'UnknownRecorder';
  /** Of the class of errors that will be the same next time. */
  readonly code = '22000';
}

export function createRecorders(): Recorders {
  const known = new Map<string, Record>();
  return {
    add(name, record) {
      if (known.has(name)) throw new Error(`there is a recorder ${name} already`);
      known.set(name, record);
    },
    gather(entries) {
      const gathered = new Map<string, unknown[]>();
      for (const { rows } of entries)
        for (const [name, values] of Object.entries(rows ?? {})) {
          const list = gathered.get(name);
          if (list === undefined) gathered.set(name, [...values]);
          else list.push(...values);
        }
      return [...gathered].map(([name, values]) => {
        const record = known.get(name);
        if (record === undefined) throw new UnknownRecorder(`nobody records ${name}`);
        return { record, values };
      });
    },
  };
}
