import { uuidDay } from '../../domain/uuid.js';
import { remember } from '../bounded-cache.js';
import type { Db } from '../db/db.js';
import { retryConflicts, sqlState } from '../db/session-db.js';
import { applyStatement } from './apply-statement.js';
import { chargesOf } from '../budgets/charge-budgets.js';
import { claimBudgets } from '../budgets/claim-budget.js';
import { countEvents } from './count-events.js';
import { type EventRecord, eventRow } from './event.js';
import { EventKeys } from './event-keys.js';
import type { Position } from './journal/journal.js';
import type { Record } from './recorders.js';
import {
  type ServedAd,
  servedAdOf,
  type ServedAds,
  withoutServedAd,
  withServedAd,
} from './served-ads.js';

export interface Batch {
  events: readonly EventRecord[];
  /** How far the journal is applied with it; refused when the database is not at `from`. */
  position: { journalId: string; from: Position | null; to: Position } | null;
  /** Rows of other tables, written in the same transaction. */
  rows: readonly { record: Record; values: unknown[] }[];
}

const statementOf = remember(
  (parts: string) => applyStatement(parts.split(' ').filter((part) => part !== '')),
  200,
);
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
  const run = (tx: Db, charged: readonly EventRecord[]): Promise<unknown> => {
    const { text, values } = statementFor(charged, position, served);
    return text === null ? Promise.resolve() : tx.query(text, values);
  };
  if (!claims && rows.length === 0) return void (await run(db, events));
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

function statementFor(
  events: readonly EventRecord[],
  position: Batch['position'],
  served: ReadonlyMap<string, ServedAd>,
): { text: string | null; values: string[] } {
  const whole = events.map((event) => withServedAd(event, served));
  const narrow = whole.map((event) => withoutServedAd(event, served));
  const charges = chargesOf(whole);
  const parts: [string, readonly object[]][] = [
    ...countEvents(whole),
    ['budgets', charges.budgets],
    ['holds', charges.holds],
    ['viewers', viewersOf(whole, served)],
    [
      'position',
      position === null
        ? []
        : [
            {
              journal_id: position.journalId,
              segment: position.to.segment,
              position: position.to.offset,
              from_segment: position.from?.segment ?? null,
              from_position: position.from?.offset ?? null,
            },
          ],
    ],
  ];
  // In one order whatever came first, so that there are few statements, each planned once.
  const used = parts.filter(([, rows]) => rows.length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  if (used.length === 0 && whole.length === 0) return { text: null, values: [] };
  return {
    text: statementOf(used.map(([part]) => part).join(' ')),
    values: [JSON.stringify(narrow.map(eventRow)), ...used.map(([, rows]) => JSON.stringify(rows))],
  };
}

interface Viewer {
  advertiser_id: string;
  identity: string;
  click_id: string | null;
  clicked_at: string | null;
  view_id: string | null;
  viewed_at: string | null;
}

/** What viewers known to a publisher by a hashed e-mail clicked and saw last. */
function viewersOf(
  events: readonly EventRecord[],
  served: ReadonlyMap<string, ServedAd>,
): Viewer[] {
  const viewers = new Map<string, Viewer>();
  for (const event of events) {
    if (event.kind !== 'impression' && event.kind !== 'click') continue;
    if (event.invalid != null || event.test === true || event.advertiserId == null) continue;
    const identity = served.get(servedAdOf(event))?.identity ?? null;
    if (identity === null || event.data?.['unlinked'] === true) continue;
    const key = `${event.advertiserId} ${identity}`;
    let viewer = viewers.get(key);
    if (viewer === undefined)
      viewers.set(
        key,
        (viewer = {
          advertiser_id: event.advertiserId,
          identity,
          click_id: null,
          clicked_at: null,
          view_id: null,
          viewed_at: null,
        }),
      );
    const at = new Date(event.at).toISOString();
    if (event.kind === 'click' && (viewer.clicked_at ?? '') <= at)
      Object.assign(viewer, { click_id: event.id, clicked_at: at });
    if (event.kind === 'impression' && (viewer.viewed_at ?? '') <= at)
      Object.assign(viewer, { view_id: event.id, viewed_at: at });
  }
  return [...viewers.values()];
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
  const rows = await db.query<{ n: number }>(
    `select k.n
     from unnest($1::date[], $2::uuid[], $3::text[]) with ordinality as k (day, id, kind, n)
     cross join lateral (
         select 1
         from events e
         where e.day = k.day and e.id = k.id and e.kind = k.kind
         limit 1
       ) e`,
    [
      events.map((event) => uuidDay(event.id)),
      events.map((event) => event.id),
      events.map((event) => event.kind),
    ],
  );
  const stored = new Set(rows.map((row) => row.n - 1));
  return events.filter((_, index) => !stored.has(index));
}
