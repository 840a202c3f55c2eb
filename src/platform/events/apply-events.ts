import { uuidDay } from '../../domain/uuid.js';
import { remember } from '../bounded-cache.js';
import type { Db } from '../db/db.js';
import { retryConflicts, sqlState } from '../db/session-db.js';
import { claimBudgets } from '../budgets/claim-budget.js';
import { applyStatement } from './apply-statement.js';
import { batchParts, type Reached } from './batch-parts.js';
import type { EventRecord } from './event.js';
import { EventKeys } from './event-keys.js';
import type { Record } from './recorders.js';
import type { ServedAd, ServedAds } from './served-ads.js';
import { firstAndLast } from './partitions.js';

export interface Batch {
  events: readonly EventRecord[];
  position: Reached | null;
  /** Rows of other tables, written in the same transaction. */
  rows: readonly { record: Record; values: unknown[] }[];
}

const statementOf = remember((names: string) => applyStatement(names.split(' ')), 200);
const uniqueViolation = '23505';
const mostAttempts = 5;

/**
 * Stores what a batch brings and adds it to every total, each event only if it is new. It is taken
 * for granted that all are: most batches are one statement. One that meets an event that is there
 * already fails as a whole, and is tried again without it.
 */
export async function applyEvents(db: Db, ads: ServedAds, batch: Batch): Promise<EventKeys> {
  let events = withoutRepeats(batch.events);
  const served = await ads.of(events);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await retryConflicts(() => write(db, { ...batch, events }, served));
      ads.stored(events);
      return keysOf(events);
    } catch (error) {
      if (sqlState(error) !== uniqueViolation || attempt >= mostAttempts) throw error;
      const fresh = await withoutStored(db, events);
      if (fresh.length === events.length) throw error;
      events = fresh;
    }
  }
}

async function write(
  db: Db,
  { events, position, rows }: Batch,
  served: ReadonlyMap<string, ServedAd>,
): Promise<void> {
  const claims = events.some((event) => event.claimsBudget === true);
  const run = async (tx: Db, charged: readonly EventRecord[]): Promise<void> => {
    const parts = await batchParts(charged, position, served);
    if (parts.length === 0) return;
    await tx.query(
      statementOf(parts.map(({ name }) => name).join(' ')),
      parts.flatMap(({ values }) => values),
    );
  };
  if (!claims && rows.length === 0) return run(db, events);
  const onCommitted = await db.transaction(async (tx) => {
    await run(tx, claims ? await claimBudgets(tx, events) : events);
    const later: (() => void)[] = [];
    for (const { record, values } of rows) {
      const done = await record(tx, values);
      if (done !== undefined) later.push(done);
    }
    return later;
  });
  for (const done of onCommitted) done();
}

/** The first of each: a repeat inside one batch counts no second time. */
function withoutRepeats(events: readonly EventRecord[]): readonly EventRecord[] {
  const seen = new EventKeys();
  return events.filter((event) => seen.add(event));
}

function keysOf(events: readonly EventRecord[]): EventKeys {
  const keys = new EventKeys();
  for (const event of events) keys.add(event);
  return keys;
}

async function withoutStored(
  db: Db,
  events: readonly EventRecord[],
): Promise<readonly EventRecord[]> {
  const days = events.map((event) => uuidDay(event.id));
  const rows = await db.query<{ n: number }>(
    `select k.n
     from unnest($1::date[], $2::uuid[], $3::text[]) with ordinality as k (day, id, kind, n)
     cross join lateral (
         select 1
         from events e
         where e.day = k.day and e.id = k.id and e.kind = k.kind and e.day >= $4 and e.day <= $5
         limit 1
       ) e`,
    [
      days,
      events.map((event) => event.id),
      events.map((event) => event.kind),
      // Told apart, so that other days are not even planned.
      ...firstAndLast(days),
    ],
  );
  const stored = new Set(rows.map((row) => row.n - 1));
  return events.filter((_, index) => !stored.has(index));
}
