import { uuidDay } from '../../domain/uuid.js';
import type { Clock } from '../clock.js';
import type { Db } from '../db/db.js';
import { prepareEvents } from './apply-events.js';
import { claimLateHolds } from '../budgets/claim-late-holds.js';
import type { PrepareEntries, StoreEntries } from './journal/applier.js';
import type { Partitions } from './partitions.js';
import type { Recorders } from './recorders.js';
import { createServedAds, type ServedAds } from './served-ads.js';

export interface StoreDeps {
  db: Db;
  clock: Clock;
  partitions: Partitions;
  recorders: Recorders;
}

export interface EntryStore {
  /** Stores entries, and with them how far the journal is applied: all of it or nothing. */
  readonly store: StoreEntries;
  /** The same in two steps, of which the first may be done while others are being stored. */
  readonly prepare: PrepareEntries;
}

export function createStore(
  { db, clock, partitions, recorders }: StoreDeps,
  journalId: string,
  stats: { flushed: number; batches: number },
  ads: ServedAds = createServedAds(db),
): EntryStore {
  const prepare: PrepareEntries = async (entries, before) => {
    const events = claimLateHolds(
      entries.flatMap((entry) => entry.events),
      clock(),
    );
    await partitions.ensure(new Set(events.map((event) => uuidDay(event.id))));
    const batch = { events, rows: recorders.gather(entries) };
    const prepared = await prepareEvents(db, ads, batch, before?.events);
    return {
      events,
      async store(move) {
        const fresh = await prepared.write(move === null ? null : { journalId, ...move });
        stats.flushed += events.length;
        stats.batches += 1;
        return fresh;
      },
    };
  };
  return { prepare, store: async (entries, move) => (await prepare(entries)).store(move) };
}

/**
 * SQLSTATE classes 22 and 23, or a value that cannot even be written down: the row is wrong and
 * will be wrong again. Everything else may pass later.
 */
export function isAboutData(error: unknown): boolean {
  if (error instanceof RangeError) return true;
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^2[23]\w{3}$/.test(error.code)
  );
}
