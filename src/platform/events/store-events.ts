import { uuidDay } from '../../domain/uuid.js';
import type { Clock } from '../clock.js';
import type { Db } from '../db/db.js';
import { retryConflicts } from '../db/session-db.js';
import { claimLateHolds } from './claim-late-holds.js';
import type { EventRecord } from './event.js';
import { EventKeys } from './event-keys.js';
import { ingestEvents } from './ingest-events.js';
import type { StoreEntries } from './journal/applier.js';
import { savePosition } from './journal/position-queries.js';
import type { Partitions } from './partitions.js';
import type { Recorders } from './recorders.js';

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
): StoreEntries {
  return async (entries, position) => {
    const events = claimLateHolds(
      entries.flatMap((entry) => entry.events),
      clock(),
    );
    await partitions.ensure(new Set(events.map((event) => uuidDay(event.id))));
    const fresh = new EventKeys();
    const parts = apart(events);
    const [only] = parts;
    const rows = recorders.gather(entries);
    const write = async (tx: Db): Promise<void> => {
      for (const part of parts) for (const event of await ingestEvents(tx, part)) fresh.add(event);
      for (const { record, values } of rows) await record(tx, values);
      if (position !== null) await savePosition(tx, journalId, position);
    };
    // One statement commits by itself; claiming budget takes several.
    const isOne =
      position === null &&
      rows.length === 0 &&
      parts.length === 1 &&
      only?.some((event) => event.claimsBudget === true) === false;
    await (isOne ? retryConflicts(() => write(db)) : db.transaction(write));
    stats.flushed += events.length;
    stats.batches += 1;
    return fresh;
  };
}

/** A beacon reads the ad it belongs to, so an ad and its beacons never share a statement. */
function apart(events: readonly EventRecord[]): (readonly EventRecord[])[] {
  const wins = new Set<string>();
  for (const event of events) if (event.kind === 'win') wins.add(event.id);
  if (wins.size === 0 || wins.size === events.length) return [events];
  const first = events.filter((event) => event.kind === 'win' || !wins.has(servedAdOf(event)));
  const second = events.filter((event) => event.kind !== 'win' && wins.has(servedAdOf(event)));
  return second.length === 0 ? [first] : [first, second];
}

function servedAdOf(event: EventRecord): string {
  return event.serveId ?? event.id;
}

/**
 * SQLSTATE classes 22 and 23: the row is wrong and will be wrong again. Everything else may pass
 * later.
 */
export function isAboutData(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^2[23]\w{3}$/.test(error.code)
  );
}
