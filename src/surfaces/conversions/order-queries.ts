import type { Db } from '../../platform/db/db.js';
import { type CountedEvent, countedEvents } from '../../platform/events/reverse-events.js';

export interface OrderRow {
  id: string;
  amountMicros: number;
  reversedAt: Date | null;
}

/** Purchases told of under one of the order's names. Whoever else would take them back waits. */
export function lockOrder(tx: Db, advertiserId: string, names: readonly string[]): Promise<OrderRow[]> {
  return tx.query<OrderRow>(
    `select id, amount_micros as "amountMicros", reversed_at as "reversedAt" from conversions where advertiser_id = $1 and order_id = any($2::text[]) and lower(event_name) = 'purchase' order by id for update`,
    [advertiserId, names],
  );
}

/** The facts behind conversions, of the days their ids were made on. */
export function findCountedConversions(tx: Db, ids: readonly string[], days: readonly string[]): Promise<CountedEvent[]> {
  return tx.query<CountedEvent>(`${countedEvents} and e.day = any($2::date[]) and e.id = any($1::uuid[]) and e.kind = 'conversion' order by e.day, e.id`, [ids, days]);
}

export async function markReversed(tx: Db, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length > 0) await tx.query(`update conversions set reversed_at = $2 where id = any($1::uuid[]) and reversed_at is null`, [ids, at]);
}
