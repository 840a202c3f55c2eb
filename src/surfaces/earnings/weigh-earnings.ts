import { toDollars } from '../../domain/money.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import type { EarningsRow, Payout } from './queries.js';

/**
 * What was paid and taken back since is set against what comes. A blocked account is paid nothing.
 */
export function payableOf(
  row: EarningsRow,
  options: { unproven: boolean; isUndisclosed: boolean },
): number {
  if (row.status === 'blocked' || options.isUndisclosed) return 0;
  if (row.isProven === false && !options.unproven) return 0;
  return Math.max(0, row.maturedMicros - row.paidMicros);
}

export function showEarnings(row: EarningsRow, isUndisclosed: boolean) {
  const earnedMicros = row.maturedMicros + row.recentMicros + row.pixelMicros;
  const payableMicros = payableOf(row, { unproven: false, isUndisclosed });
  const matureMicros = row.maturedMicros - row.paidMicros;
  const because = row.status === 'blocked' ? 'blocked' : isUndisclosed ? 'undisclosed' : 'unproven';
  const reasons = [
    { reason: 'recent', micros: row.recentMicros },
    { reason: 'told_by_pixel', micros: row.pixelMicros },
    ...(matureMicros < 0
      ? [{ reason: 'paid_and_taken_back', micros: matureMicros }]
      : [{ reason: because, micros: matureMicros - payableMicros }]),
  ];
  return {
    earned: toDollars(earnedMicros),
    held: toDollars(earnedMicros - row.paidMicros - payableMicros),
    payable: toDollars(payableMicros),
    paid: toDollars(row.paidMicros),
    balance: toDollars(earnedMicros - row.paidMicros),
    held_because: reasons
      .filter(({ micros }) => micros !== 0)
      .map(({ reason, micros }) => ({ reason, amount: toDollars(micros) })),
  };
}

export function showPayout(payout: Payout) {
  return {
    id: payout.id,
    publisher_id: payout.publisherId,
    amount: toDollars(payout.amountMicros),
    through: payout.throughDay,
    approved_at: formatTimestamp(payout.approvedAt.getTime()),
    reference: payout.reference,
    method: payout.method,
    status: payout.status,
    problem: payout.problem,
  };
}
