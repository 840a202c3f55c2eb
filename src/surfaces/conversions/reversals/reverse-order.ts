import { judgeReversal } from '../../../domain/judge-reversal.js';
import { scaledRatio } from '../../../domain/money.js';
import { sha256 } from '../../../domain/pii.js';
import { formatUuidV7, uuidDay, uuidTime } from '../../../domain/uuid.js';
import type { Clock } from '../../../platform/clock.js';
import type { Db } from '../../../platform/db/db.js';
import { type Lesson, lessonsOf } from '../../../platform/events/lessons-of.js';
import {
  type CountedEvent,
  lowerValue,
  reverseEvents,
} from '../../../platform/events/reverse-events.js';
import { countCharged, findReversals, insertReversal } from './reversal-queries.js';
import {
  addRefund,
  findCountedConversions,
  isAdjusted,
  lockOrder,
  markReversed,
  type OrderRow,
} from './order-queries.js';
import { claimKeys } from '../queries.js';
import { releaseCharges } from '../crediting/trust-queries.js';

export interface OrderReversal {
  /** Every name under which the order may have been told of. */
  names: readonly string[];
  /** What its teller calls the refund: told twice, it counts once. */
  refundId: string | null;
  /** How much of it was given back, in the order's own currency; null: all of it. */
  refundedMicros: number | null;
  reason: string;
}

/**
 * `partial`: the conversion stays and is worth less. `waiting`: an operator decides. `late`: it was
 * paid too long ago to be taken back. `unknown`: nobody told of the order before,
 * and from now on nobody can.
 */
export type ReversalOutcome = 'reversed' | 'duplicate' | 'partial' | 'unknown' | 'waiting' | 'late';

/**
 * Takes back the conversion of an order, or a part of its value. Its bill is not touched: what it
 * cost is given back by an entry of its own.
 */
export type ReverseOrder = (
  advertiserId: string,
  reversal: OrderReversal,
) => Promise<ReversalOutcome>;

/** What conversions that were none had taught is forgotten on every node. */
export type Unlearn = (tx: Db, lessons: readonly Lesson[]) => Promise<void>;

/** Over how long paid conversions are set against those taken back. */
const limitMs = 30 * 86_400_000;

interface ReverserDeps {
  db: Db;
  clock: Clock;
  dedupeMs: number;
  /** How long after it was told of a paid conversion may be taken back. */
  windowMs: number;
  settleRefund: (advertiserId: string) => Promise<unknown>;
  unlearn: Unlearn;
}

export function createOrderReverser(deps: ReverserDeps): ReverseOrder {
  return async (advertiserId, reversal) => {
    const { outcome, spendMicros } = await deps.db.transaction(async (tx) => {
      const { lessons, ...done } = await reverse(deps, tx, advertiserId, reversal);
      await deps.unlearn(tx, lessons);
      return done;
    });
    if (spendMicros > 0) await deps.settleRefund(advertiserId);
    return outcome;
  };
}

async function reverse(
  deps: ReverserDeps,
  tx: Db,
  advertiserId: string,
  reversal: OrderReversal,
): Promise<TakenBack & { outcome: ReversalOutcome }> {
  const { names, refundedMicros, reason } = reversal;
  const nothing = (outcome: ReversalOutcome) => ({ outcome, spendMicros: 0, lessons: [] });
  const now = deps.clock();
  let rows = await lockOrder(tx, advertiserId, names);
  if (rows.length === 0) {
    if (refundedMicros !== null) return nothing('unknown');
    // Cancelled before it was told of: what comes later is a repeat. Who is telling of it this
    // moment is waited for here.
    await claimKeys(tx, advertiserId, names.map(orderKey), now, deps.dedupeMs);
    rows = await lockOrder(tx, advertiserId, names);
    if (rows.length === 0) return nothing('unknown');
  }
  const open = rows.filter((row) => row.reversedAt === null);
  if (open.length === 0) return nothing('duplicate');
  const ids: string[] = [];
  for (const row of open)
    if (
      refundedMicros === null ||
      (await refundPart(tx, advertiserId, row, { ...reversal, refundedMicros }, now)) === 'whole'
    )
      ids.push(row.id);
  if (ids.length === 0) return nothing('partial');
  const events = await findCountedConversions(tx, ids, [...new Set(ids.map(uuidDay))]);
  const refused = await askForMoney(deps, tx, advertiserId, events, { ...reversal, now });
  if (refused !== null) return nothing(refused);
  return { outcome: 'reversed', ...(await takeBack(tx, ids, events, reason, now)) };
}

/** Notes that money is asked back. Null: it is given; otherwise what becomes of it instead. */
async function askForMoney(
  deps: ReverserDeps,
  tx: Db,
  advertiserId: string,
  events: readonly CountedEvent[],
  { names, reason, now }: OrderReversal & { now: number },
): Promise<ReversalOutcome | null> {
  const paid = events.filter((event) => event.spendMicros > 0);
  const [first] = paid;
  if (first === undefined) return null;
  const known = await findReversals(
    tx,
    paid.map((event) => event.id),
  );
  if (known.size > 0) return known.get(first.id) === 'waiting' ? 'waiting' : 'duplicate';
  const verdict = judgeReversal({
    ageMs: now - uuidTime(first.id),
    windowMs: deps.windowMs,
    ...(await countCharged(tx, advertiserId, new Date(now - limitMs))),
  });
  const status = { apply: 'applied', ask: 'waiting', late: 'late' } as const;
  for (const event of paid)
    await insertReversal(tx, {
      conversionId: event.id,
      advertiserId,
      publisherId: event.publisherId,
      orderId: names[0] ?? null,
      reason,
      spendMicros: event.spendMicros,
      status: status[verdict],
      requestedAt: new Date(now),
      decidedAt: verdict === 'ask' ? null : new Date(now),
      decidedBy: verdict === 'ask' ? null : 'rules',
      note: null,
    });
  return verdict === 'apply' ? null : verdict === 'ask' ? 'waiting' : 'late';
}

/** What conversions had cost and taught. */
interface TakenBack {
  spendMicros: number;
  lessons: readonly Lesson[];
}

/** Takes conversions back. */
export async function takeBack(
  tx: Db,
  ids: readonly string[],
  events: readonly CountedEvent[],
  reason: string,
  now: number,
): Promise<TakenBack> {
  const reversed = await reverseEvents(tx, events, reason);
  const taught = await forgetConversions(tx, ids, new Date(now));
  return {
    spendMicros: reversed.reduce((sum, event) => sum + event.spendMicros, 0),
    lessons: await lessonsOf(tx, reversed, taught),
  };
}

/** Conversions whose events were taken back no longer stand. Returns those that had taught. */
export async function forgetConversions(
  tx: Db,
  ids: readonly string[],
  at: Date,
): Promise<ReadonlySet<string>> {
  await markReversed(tx, ids, at);
  return releaseCharges(tx, ids);
}

/**
 * Lowers the value of a conversion by its share of what was given back; `whole` when with this
 * refund nothing is left of it.
 */
async function refundPart(
  tx: Db,
  advertiserId: string,
  row: OrderRow,
  refund: OrderReversal & { refundedMicros: number },
  now: number,
): Promise<'whole' | 'part'> {
  const id = adjustmentId(row.id, refund.refundId ?? String(now));
  if (refund.refundedMicros <= 0 || (await isAdjusted(tx, id))) return 'part';
  const refundedMicros = row.refundedMicros + refund.refundedMicros;
  if (refundedMicros >= row.amountMicros) return 'whole';
  // Of everything given back so far, so that parts round to the whole.
  const valueMicros =
    scaledRatio(row.valueMicros, refundedMicros, row.amountMicros) - row.refundedValueMicros;
  const [event] = await findCountedConversions(tx, [row.id], [uuidDay(row.id)]);
  if (
    event === undefined ||
    !(await lowerValue(tx, event, { id, byMicros: valueMicros, reason: refund.reason }))
  )
    return 'part';
  await addRefund(tx, row.id, advertiserId, { micros: refund.refundedMicros, valueMicros });
  return 'part';
}

/** The same for the same refund, and of the day the conversion is stored under. */
function adjustmentId(conversionId: string, refundId: string): string {
  return formatUuidV7(
    uuidTime(conversionId),
    Buffer.from(sha256(`${conversionId}\n${refundId}`), 'hex'),
  );
}

/** The first who tells of an order takes this key. */
export function orderKey(orderId: string): string {
  return sha256(`\norder\n${orderId}`).slice(0, 32);
}
