import { uuidDay } from '../../../domain/uuid.js';
import type { Db } from '../../../platform/db/db.js';
import { type CountedEvent, countedEvents } from '../../../platform/events/reverse-events.js';

export interface OrderRow {
  id: string;
  amountMicros: number;
  valueMicros: number;
  /** Given back before: of the amount, and of the value in reports. */
  refundedMicros: number;
  refundedValueMicros: number;
  reversedAt: Date | null;
}

/** Purchases told of under one of the order's names. Whoever else would take them back waits. */
export function lockOrder(
  tx: Db,
  advertiserId: string,
  names: readonly string[],
): Promise<OrderRow[]> {
  return tx.query<OrderRow>(
    `select id, amount_micros as "amountMicros", value_micros as "valueMicros",
       refunded_micros as "refundedMicros", refunded_value_micros as "refundedValueMicros",
       reversed_at as "reversedAt"
     from conversions
     where advertiser_id = $1 and order_id = any($2::text[]) and lower(event_name) = 'purchase'
     order by id
     for update`,
    [advertiserId, names],
  );
}

/** The facts behind conversions, of the days their ids were made on. */
export function findCountedConversions(
  tx: Db,
  ids: readonly string[],
  days: readonly string[],
): Promise<CountedEvent[]> {
  return tx.query<CountedEvent>(
    `${countedEvents((day) => `${day} = any($2::date[])`)} and e.id = any($1::uuid[])
      and e.kind = 'conversion' order by e.day, e.id`,
    [ids, days],
  );
}

export async function markReversed(tx: Db, ids: readonly string[], at: Date): Promise<void> {
  if (ids.length > 0)
    await tx.query(
      `update conversions set reversed_at = $2 where id = any($1::uuid[]) and reversed_at is null`,
      [ids, at],
    );
}

export async function addRefund(
  tx: Db,
  id: string,
  advertiserId: string,
  refund: { micros: number; valueMicros: number },
): Promise<void> {
  await tx.query(
    `update conversions
     set refunded_micros = refunded_micros + $3, refunded_value_micros = refunded_value_micros + $4
     where advertiser_id = $2 and id = $1`,
    [id, advertiserId, refund.micros, refund.valueMicros],
  );
}

export async function isAdjusted(tx: Db, id: string): Promise<boolean> {
  return (
    (
      await tx.query(
        `select from events where day = $1 and id = $2 and kind = 'conversion_adjustment'`,
        [uuidDay(id), id],
      )
    ).length > 0
  );
}
