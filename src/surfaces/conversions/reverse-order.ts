import { sha256 } from '../../domain/pii.js';
import { uuidDay } from '../../domain/uuid.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { reverseEvents } from '../../platform/events/reverse-events.js';
import { findCountedConversions, lockOrder, markReversed } from './order-queries.js';
import { claimKeys } from './queries.js';

export interface OrderReversal {
  /** Every name under which the order may have been told of. */
  names: readonly string[];
  /** How much of it was given back, in the order's own currency; null: all of it. */
  refundedMicros: number | null;
  reason: string;
}

/** `unknown`: nobody told of the order before, and from now on nobody can. */
export type ReversalOutcome = 'reversed' | 'duplicate' | 'partial' | 'unknown';

/** Takes back the conversion of an order. Its bill is not touched: what it cost is given back by an entry of its own. */
export type ReverseOrder = (advertiserId: string, reversal: OrderReversal) => Promise<ReversalOutcome>;

export function createOrderReverser(deps: { db: Db; clock: Clock; dedupeMs: number; settleRefund: (advertiserId: string) => Promise<unknown> }): ReverseOrder {
  return async (advertiserId, reversal) => {
    const { outcome, spendMicros } = await deps.db.transaction((tx) => reverse(tx, advertiserId, reversal));
    if (spendMicros > 0) await deps.settleRefund(advertiserId);
    return outcome;
  };

  async function reverse(tx: Db, advertiserId: string, { names, refundedMicros, reason }: OrderReversal): Promise<{ outcome: ReversalOutcome; spendMicros: number }> {
    const nothing = (outcome: ReversalOutcome) => ({ outcome, spendMicros: 0 });
    const now = deps.clock();
    let rows = await lockOrder(tx, advertiserId, names);
    if (rows.length === 0) {
      if (refundedMicros !== null) return nothing('unknown');
      // Cancelled before it was told of: what comes later is a repeat. Who is telling of it this moment is waited for here.
      await claimKeys(tx, advertiserId, names.map(orderKey), now, deps.dedupeMs);
      rows = await lockOrder(tx, advertiserId, names);
      if (rows.length === 0) return nothing('unknown');
    }
    const open = rows.filter((row) => row.reversedAt === null);
    if (open.length === 0) return nothing('duplicate');
    const whole = open.filter((row) => refundedMicros === null || refundedMicros >= row.amountMicros);
    if (whole.length === 0) return nothing('partial');
    const ids = whole.map((row) => row.id);
    const reversed = await reverseEvents(tx, await findCountedConversions(tx, ids, [...new Set(ids.map(uuidDay))]), reason);
    await markReversed(tx, ids, new Date(now));
    return { outcome: 'reversed', spendMicros: reversed.reduce((sum, event) => sum + event.spendMicros, 0) };
  }
}

/** The first who tells of an order takes this key. */
export function orderKey(orderId: string): string {
  return sha256(`\norder\n${orderId}`).slice(0, 32);
}
