import type { Db } from '../../platform/db/db.js';
import type { EventKind, EventRecord } from '../../platform/events/event.js';
import { ingestEvents } from '../../platform/events/ingest-events.js';
import { findRefundable, type RefundableEvent, type RefundFilter } from './queries.js';

const batch = 2000;

/**
 * Takes back events found invalid later: each gets a reversal at its own time, so every report of that day is restated and
 * the money returns to the advertiser. Nothing is edited; reversing twice changes nothing.
 */
export async function refundTraffic(db: Db, filter: RefundFilter, reason: string): Promise<{ events: number; spendMicros: number }> {
  let events = 0;
  let spendMicros = 0;
  for (;;) {
    const found = await db.transaction(async (tx) => {
      const rows = await findRefundable(tx, filter, batch);
      const stored = new Set((await ingestEvents(tx, rows.map((row) => reversalOf(row, reason)))).map((event) => `${event.kind}:${event.id}`));
      return rows.filter((row) => stored.has(`${row.kind}_reversal:${row.id}`));
    });
    events += found.length;
    for (const row of found) spendMicros += row.spendMicros;
    if (found.length < batch) return { events, spendMicros };
  }
}

function reversalOf({ eventType, ...row }: RefundableEvent, reason: string): EventRecord {
  const kind: EventKind = `${row.kind}_reversal`;
  return { ...row, kind, at: row.at.getTime(), spendMicros: -row.spendMicros, revenueMicros: -row.revenueMicros, valueMicros: -row.valueMicros, data: eventType === null ? { reason } : { reason, event_type: eventType } };
}
