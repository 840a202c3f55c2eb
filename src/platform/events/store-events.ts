import { uuidDay } from '../../domain/uuid.js';
import type { Db } from '../db/db.js';
import { retryConflicts } from '../db/session-db.js';
import type { EventRecord } from './event.js';
import { EventKeys } from './event-keys.js';
import { ingestEvents } from './ingest-events.js';
import type { Partitions } from './partitions.js';

/** Stores events and says which were new. */
export type StoreEvents = (events: readonly EventRecord[]) => Promise<EventKeys>;

export function createStore(
  { db, partitions }: { db: Db; partitions: Partitions },
  stats: { flushed: number; batches: number },
): StoreEvents {
  return async (events) => {
    await partitions.ensure(new Set(events.map((event) => uuidDay(event.id))));
    const fresh = new EventKeys();
    for (const part of apart(events)) {
      // One statement commits by itself; claiming budget takes several.
      const inserted = await (part.some((event) => event.claimsBudget === true)
        ? db.transaction((tx) => ingestEvents(tx, part))
        : retryConflicts(() => ingestEvents(db, part)));
      for (const event of inserted) fresh.add(event);
    }
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
