import { uuidDay } from '../../domain/uuid.js';
import type { Clock } from '../clock.js';
import type { Db } from '../db/db.js';
import { applyEvents } from './apply-events.js';
import { claimLateHolds } from '../budgets/claim-late-holds.js';
import type { StoreEntries } from './journal/applier.js';
import type { Partitions } from './partitions.js';
import type { Recorders } from './recorders.js';
import { createServedAds, type ServedAds } from './served-ads.js';

export interface StoreDeps {
  db: Db;
  clock: Clock;
  partitions: Partitions;
  recorders: Recorders;
}

/** Stores entries, and with them how far the journal is applied: all of it or nothing. */
export function createStore(
  { db, clock, partitions, recorders }: StoreDeps,
  journalId: string,
  stats: { flushed: number; batches: number },
  ads: ServedAds = createServedAds(db),
): StoreEntries {
  return async (entries, move) => {
    const events = claimLateHolds(
      entries.flatMap((entry) => entry.events),
      clock(),
    );
    await partitions.ensure(new Set(events.map((event) => uuidDay(event.id))));
    const fresh = await applyEvents(db, ads, {
      events,
      rows: recorders.gather(entries),
      position: move === null ? null : { journalId, ...move },
    });
    stats.flushed += events.length;
    stats.batches += 1;
    return fresh;
  };
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
