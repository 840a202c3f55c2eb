import { uuidDay } from '../../domain/uuid.js';
import { remember } from '../bounded-cache.js';
import type { Db } from '../db/db.js';
import { retryConflicts, sqlState } from '../db/session-db.js';
import { claimBudgets } from '../budgets/claim-budget.js';
import { applyStatement, type BatchPart } from './apply-statement.js';
import { batchParts, inOrder, positionPart, type Reached } from './batch-parts.js';
import type { EventRecord } from './event.js';
import { EventKeys } from './event-keys.js';
import type { Record } from './recorders.js';
import type { ServedAd, ServedAds } from './served-ads.js';
import { firstAndLast } from './partitions.js';

export interface Batch {
  events: readonly EventRecord[];
  /** Rows of other tables, written in the same transaction. */
  rows: readonly { record: Record; values: unknown[] }[];
}

/** A batch of which everything that can be done before is done. */
export interface PreparedEvents {
  /** Stores what it brings and that the journal is applied as far; says which events were new. */
  write(position: Reached | null): Promise<EventKeys>;
}

/** What the ads of a batch say, and what the batch adds up to. */
interface Ready {
  readonly served: ReadonlyMap<string, ServedAd>;
  readonly version: number;
  /** Null where that is known only once budgets are claimed. */
  readonly parts: readonly BatchPart[] | null;
}

const statementOf = remember((names: string) => applyStatement(names.split(' ')), 200);
const uniqueViolation = '23505';
const mostAttempts = 5;

/**
 * Stores what a batch brings and adds it to every total, each event only if it is new. It is taken
 * for granted that all are: most batches are one statement. One that meets an event that is there
 * already fails as a whole, and is tried again without it.
 */
export async function prepareEvents(
  db: Db,
  ads: ServedAds,
  batch: Batch,
  before?: readonly EventRecord[],
): Promise<PreparedEvents> {
  const events = withoutRepeats(batch.events);
  const ready = await makeReady(ads, events, before);
  return { write: (position) => store(db, ads, { ...batch, events, position }, ready) };
}

async function makeReady(
  ads: ServedAds,
  events: readonly EventRecord[],
  before?: readonly EventRecord[],
): Promise<Ready> {
  const { version } = ads;
  const served = await ads.of(events, before);
  return { served, version, parts: claims(events) ? null : await batchParts(events, served) };
}

async function store(
  db: Db,
  ads: ServedAds,
  batch: Batch & { position: Reached | null },
  prepared: Ready,
): Promise<EventKeys> {
  let { events } = batch;
  // Somebody may have been erased since.
  let ready = prepared.version === ads.version ? prepared : await makeReady(ads, events);
  for (let attempt = 1; ; attempt += 1) {
    try {
      await retryConflicts(() => write(db, { ...batch, events }, ready));
      ads.stored(events);
      return keysOf(events);
    } catch (error) {
      if (sqlState(error) !== uniqueViolation || attempt >= mostAttempts) throw error;
      const fresh = await withoutStored(db, events);
      if (fresh.length === events.length) throw error;
      events = fresh;
      ready = await makeReady(ads, events);
    }
  }
}

async function write(
  db: Db,
  { events, position, rows }: Batch & { position: Reached | null },
  { served, parts }: Ready,
): Promise<void> {
  const run = async (tx: Db, charged: readonly EventRecord[]): Promise<void> => {
    const all = inOrder([
      ...(parts ?? (await batchParts(charged, served))),
      ...(position === null ? [] : [positionPart(position)]),
    ]);
    if (all.length === 0) return;
    await tx.query(
      statementOf(all.map(({ name }) => name).join(' ')),
      all.flatMap(({ values }) => values),
    );
  };
  const isClaimed = claims(events);
  if (!isClaimed && rows.length === 0) return run(db, events);
  const onCommitted = await db.transaction(async (tx) => {
    await run(tx, isClaimed ? await claimBudgets(tx, events) : events);
    const later: (() => void)[] = [];
    for (const { record, values } of rows) {
      const done = await record(tx, values);
      if (done !== undefined) later.push(done);
    }
    return later;
  });
  for (const done of onCommitted) done();
}

function claims(events: readonly EventRecord[]): boolean {
  return events.some((event) => event.claimsBudget === true);
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
