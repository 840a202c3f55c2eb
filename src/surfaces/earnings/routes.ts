import type { FastifyInstance } from 'fastify';
import { isHidden, judgeDisclosure } from '../../domain/disclosure/judge-disclosure.js';
import { type Guards, publisherOf } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import { payoutAccountRoutes } from './account-routes.js';
import type { PayoutProvider } from './payout-provider.js';
import { payoutRoutes } from './payout-routes.js';
import { type EarningsRow, listPayouts, sumEarnings } from './queries.js';
import { Earnings } from './schema.js';
import { statementRoutes } from './statement-routes.js';
import { showEarnings, showPayout } from './weigh-earnings.js';
import { dayMs, utcDay, utcMidnight } from '../../domain/time/utc-day.js';
import { openAnswer } from '../../platform/http/plain-answers.js';

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
  /** Who sends payouts; null: the operator, by hand. */
  payoutProvider: PayoutProvider | null;
  /** Where a publisher comes back to from the provider's page. */
  returnUrl: () => string;
}

/**
 * What publishers have earned: held for some days, in which late findings still take back what was
 * no person's, then payable, then paid, by hand or by a provider; and a statement of each month.
 * Owns payouts and payout_accounts.
 */
export function earningsRoutes(app: FastifyInstance, deps: EarningsDeps): void {
  const { db, guards } = deps;

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
      const [row] = await sum(deps, db, id);
      if (row === undefined) throw new AppError('not_found');
      return {
        hold_days: deps.holdDays,
        ...show(deps, row),
        payouts: (await listPayouts(db, id)).map(showPayout),
      };
    },
  );

  app.get(
    '/operator/earnings',
    {
      onRequest: guards.operator,
      config: { csv: { list: 'publishers' } },
      schema: {
        tags: ['operator'],
        security: [{ session: [] }],
        summary: 'What every publisher may be paid',
        response: { 200: openAnswer },
      },
    },
    async () => ({
      publishers: (await sum(deps, db, null)).map((row) => ({
        publisher_id: row.publisherId,
        name: row.name,
        status: row.status,
        ...show(deps, row),
      })),
    }),
  );

  payoutRoutes(app, {
    ...deps,
    sum: (tx, publisherId) => sum(deps, tx, publisherId),
    isUndisclosed: (row) => isUndisclosed(deps, row),
    throughDay: () => utcDay(midnight(deps, deps.holdDays).getTime() - dayMs),
  });
  payoutAccountRoutes(app, deps);
  statementRoutes(app, deps);
}

const show = (deps: EarningsDeps, row: EarningsRow) => showEarnings(row, isUndisclosed(deps, row));

const isUndisclosed = (deps: EarningsDeps, row: EarningsRow): boolean =>
  deps.disclosing.isHeld() && isHidden(judgeDisclosure(row, deps.disclosing.leastShare));

const sum = (deps: EarningsDeps, tx: Db, publisherId: string | null): Promise<EarningsRow[]> =>
  sumEarnings(tx, {
    publisherId,
    heldSince: midnight(deps, deps.holdDays),
    pixelHeldSince: midnight(deps, Math.max(pixelHoldDays, deps.holdDays)),
    shownSince: midnight(deps, shownDays),
  });

/** Whole days only: what is paid is what reports show up to a date. */
const midnight = (deps: EarningsDeps, days: number): Date =>
  new Date(utcMidnight(deps.clock()) - (days - 1) * dayMs);
