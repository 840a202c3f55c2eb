import type { Db } from '../../platform/db/db.js';
import { type Lesson, lessonsOf } from '../../platform/events/lessons-of.js';
import { reverseEvents } from '../../platform/events/reverse-events.js';
import { findRefundable, type RefundFilter } from './queries.js';

const batch = 2000;

export interface OnReversed {
  /** Told of conversions taken back, in the same transaction; says which of them had taught. */
  onReversed: (tx: Db, conversionIds: readonly string[]) => Promise<ReadonlySet<string>>;
  unlearn: (tx: Db, lessons: readonly Lesson[]) => Promise<void>;
}

/**
 * Takes back events found invalid later: every report of their days is restated and the money
 * returns to the advertiser.
 */
export async function refundTraffic(
  db: Db,
  filter: RefundFilter,
  reason: string,
  { onReversed, unlearn }: OnReversed,
): Promise<{ events: number; spendMicros: number }> {
  let events = 0;
  let spendMicros = 0;
  for (;;) {
    const reversed = await db.transaction(async (tx) => {
      const done = await reverseEvents(tx, await findRefundable(tx, filter, batch), reason);
      const taught = await onReversed(
        tx,
        done.flatMap((event) => (event.kind === 'conversion' ? [event.id] : [])),
      );
      await unlearn(tx, await lessonsOf(tx, done, taught));
      return done;
    });
    events += reversed.length;
    for (const event of reversed) spendMicros += event.spendMicros;
    if (reversed.length < batch) return { events, spendMicros };
  }
}
