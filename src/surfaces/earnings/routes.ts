import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { isHidden, judgeDisclosure } from '../../domain/disclosure/judge-disclosure.js';
import { toDollars } from '../../domain/money.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid } from '../../domain/uuid.js';
import { recordAudit } from '../../platform/audit.js';
import { callerOf, type Guards, publisherOf } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import {
  type EarningsRow,
  insertPayout,
  listPayouts,
  lockPublisher,
  type Payout,
  sumEarnings,
} from './queries.js';

const dayMs = 86_400_000;
const pixelHoldDays = 14;
/** Whose label is hidden is told by what was shown in so many days. */
const shownDays = 28;

export interface EarningsDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  guards: Guards;
  holdDays: number;
  disclosing: {
    /** The share of ads seen that must be seen to be ads. */
    leastShare: number;
    /** Whether those below it are not paid. */
    isHeld: () => boolean;
  };
}

const PayoutView = Type.Object({
  id: Type.String(),
  publisher_id: Type.String(),
  amount: Type.Number(),
  through: Type.String(),
  approved_at: Type.String(),
  reference: Type.Union([Type.String(), Type.Null()]),
});
const Earnings = Type.Object({
  hold_days: Type.Integer(),
  earned: Type.Number(),
  held: Type.Number({ description: 'Not to be paid yet; `held_because` says why' }),
  payable: Type.Number(),
  paid: Type.Number(),
  held_because: Type.Array(
    Type.Object({
      reason: Type.String({
        description:
          '`recent`: inside `hold_days`. `told_by_pixel`: conversions only a pixel tells of, two weeks. `unproven`: the network’s purchases do not show yet that people stand behind the traffic. `undisclosed`: the label of its ads is rarely proven to be seen. `blocked`: the account is. `paid_and_taken_back`: set against what comes.',
      }),
      amount: Type.Number(),
    }),
  ),
  payouts: Type.Array(PayoutView),
});
const NewPayout = Type.Object({
  publisher_id: Type.String(),
  reference: Type.Optional(Type.String({ maxLength: 200 })),
  unproven: Type.Optional(
    Type.Boolean({ description: 'Pay also what waits for evidence: you know the publisher' }),
  ),
});

/**
 * What publishers have earned: held for some days, in which late findings still take back what was
 * no person's, then payable, then paid. Owns payouts.
 */
export function earningsRoutes(app: FastifyInstance, deps: EarningsDeps): void {
  const { db, clock, guards } = deps;
  /** Whole days only: what is paid is what reports show up to a date. */
  const midnight = (days: number): Date =>
    new Date(Math.floor(clock() / dayMs) * dayMs - (days - 1) * dayMs);
  const sum = (tx: Db, publisherId: string | null): Promise<EarningsRow[]> =>
    sumEarnings(tx, {
      publisherId,
      heldSince: midnight(deps.holdDays),
      pixelHeldSince: midnight(Math.max(pixelHoldDays, deps.holdDays)),
      shownSince: midnight(shownDays),
    });
  const showEarnings = (row: EarningsRow) => showRow(row, isUndisclosed(row));
  const isUndisclosed = (row: EarningsRow): boolean =>
    deps.disclosing.isHeld() && isHidden(judgeDisclosure(row, deps.disclosing.leastShare));

  app.get(
    '/publisher-dashboard/earnings',
    {
      onRequest: guards.publisherDashboard,
      config: { csv: { list: 'payouts' } },
      schema: {
        tags: ['publisher reports'],
        summary: 'What is held, payable and paid',
        security: [{ apiKey: [] }],
        response: { 200: Earnings },
      },
    },
    async (request) => {
      const { id } = publisherOf(request);
      const [row] = await sum(db, id);
      if (row === undefined) throw new AppError('not_found');
      return {
        hold_days: deps.holdDays,
        ...showEarnings(row),
        payouts: (await listPayouts(db, id)).map(showPayout),
      };
    },
  );

  const operator = { tags: ['operator'], security: [{ session: [] }] };
  app.get(
    '/operator/earnings',
    {
      onRequest: guards.operator,
      config: { csv: { list: 'publishers' } },
      schema: { ...operator, summary: 'What every publisher may be paid' },
    },
    async () => ({
      publishers: (await sum(db, null)).map((row) => ({
        publisher_id: row.publisherId,
        name: row.name,
        status: row.status,
        ...showEarnings(row),
      })),
    }),
  );
  app.get(
    '/operator/payouts',
    {
      onRequest: guards.operator,
      config: { csv: { list: 'payouts' } },
      schema: {
        ...operator,
        summary: 'Payouts that were approved',
        response: { 200: Type.Object({ payouts: Type.Array(PayoutView) }) },
      },
    },
    async () => ({ payouts: (await listPayouts(db, null)).map(showPayout) }),
  );
  app.post<{ Body: Static<typeof NewPayout> }>(
    '/operator/payouts',
    {
      onRequest: guards.operator,
      schema: {
        ...operator,
        summary: 'Approve what a publisher may be paid',
        body: NewPayout,
        response: { 200: PayoutView },
      },
    },
    async (request) => {
      const { publisher_id: publisherId, reference = null, unproven = false } = request.body;
      const { actor } = callerOf(request);
      return db.transaction(async (tx) => {
        if (!isUuid(publisherId) || !(await lockPublisher(tx, publisherId)))
          throw new AppError('not_found');
        const [row] = await sum(tx, publisherId);
        const amountMicros =
          row === undefined ? 0 : payableOf(row, { unproven, isUndisclosed: isUndisclosed(row) });
        if (amountMicros <= 0) throw new AppError('conflict');
        const now = clock();
        const payout: Payout = {
          id: deps.mintId(now),
          publisherId,
          amountMicros,
          throughDay: new Date(midnight(deps.holdDays).getTime() - dayMs)
            .toISOString()
            .slice(0, 10),
          approvedAt: new Date(now),
          approvedBy: actor.id,
          reference,
        };
        await insertPayout(tx, payout);
        await recordAudit(tx, deps.mintId, now, {
          actor,
          accountId: publisherId,
          action: 'approve',
          entity: 'payout',
          entityId: payout.id,
          before: null,
          after: showPayout(payout),
        });
        return showPayout(payout);
      });
    },
  );
}

/** What was paid and taken back since is set against what comes. A blocked account is paid nothing. */
function payableOf(
  row: EarningsRow,
  options: { unproven: boolean; isUndisclosed: boolean },
): number {
  if (row.status === 'blocked' || options.isUndisclosed) return 0;
  if (row.isProven === false && !options.unproven) return 0;
  return Math.max(0, row.maturedMicros - row.paidMicros);
}

function showRow(row: EarningsRow, isUndisclosed: boolean) {
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
    held_because: reasons
      .filter(({ micros }) => micros !== 0)
      .map(({ reason, micros }) => ({ reason, amount: toDollars(micros) })),
  };
}

function showPayout(payout: Payout) {
  return {
    id: payout.id,
    publisher_id: payout.publisherId,
    amount: toDollars(payout.amountMicros),
    through: payout.throughDay,
    approved_at: formatTimestamp(payout.approvedAt.getTime()),
    reference: payout.reference,
  };
}
