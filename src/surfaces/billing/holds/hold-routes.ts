import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { formatTimestamp } from '../../../domain/time/format-timestamp.js';
import { recordAudit } from '../../../platform/audit.js';
import { advertiserOf, callerOf, type Guards } from '../../../platform/auth/guards.js';
import { AppError } from '../../../platform/errors.js';
import type { BillingDeps } from '../invoices/bill-spend.js';
import { type HoldDeps, releaseHold } from './hold-account.js';
import { findHold, type ListedHold, listHolds } from './hold-queries.js';
import { postEntry } from '../ledger/post-entry.js';
import { lockAccount } from '../queries.js';

const Hold = Type.Object({
  reference: Type.String(),
  reason: Type.String({ description: 'disputed, refunded, payment_failed or overdue' }),
  since: Type.String(),
});
const Holds = Type.Object({ holds: Type.Array(Hold) });
const OperatorHolds = Type.Object({
  holds: Type.Array(
    Type.Composite([
      Hold,
      Type.Object({ advertiser_id: Type.String(), advertiser_name: Type.String() }),
    ]),
  ),
});
const Release = Type.Object({
  reference: Type.String({ maxLength: 300 }),
  reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
});

type HoldRouteDeps = BillingDeps & HoldDeps & { guards: Guards };

/**
 * Why an account's campaigns stand still: a payment that came back or never came. The payment
 * itself ends it, or an operator does.
 */
export function holdRoutes(app: FastifyInstance, deps: HoldRouteDeps): void {
  ownHoldsRoute(app, deps);
  operatorHoldRoutes(app, deps);
}

function ownHoldsRoute(app: FastifyInstance, deps: HoldRouteDeps): void {
  const { guards, db } = deps;

  app.get(
    '/advertiser-dashboard/payment-holds',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'holds' } },
      schema: {
        tags: ['billing'],
        security: [{ apiKey: [] }],
        summary: 'Payments that stop the campaigns until they are settled',
        response: { 200: Holds },
      },
    },
    async (request) => ({ holds: (await listHolds(db, advertiserOf(request).id)).map(show) }),
  );
}

function operatorHoldRoutes(app: FastifyInstance, deps: HoldRouteDeps): void {
  const { guards, db } = deps;

  const operator = { tags: ['operator'], security: [{ session: [] }] };
  app.get(
    '/operator/payment-holds',
    {
      onRequest: guards.operator,
      config: { csv: { list: 'holds' } },
      schema: {
        ...operator,
        summary: 'Accounts that a payment stops',
        response: { 200: OperatorHolds },
      },
    },
    async () => ({
      holds: (await listHolds(db, null)).map((hold) => ({
        ...show(hold),
        advertiser_id: hold.advertiserId,
        advertiser_name: hold.advertiserName,
      })),
    }),
  );
  releaseRoute(app, deps);
}

function releaseRoute(app: FastifyInstance, deps: HoldRouteDeps): void {
  const { guards, db } = deps;
  const operator = { tags: ['operator'], security: [{ session: [] }] };

  app.post<{ Body: Static<typeof Release> }>(
    '/operator/payment-holds/release',
    {
      onRequest: guards.operator,
      schema: {
        ...operator,
        summary: 'Let an account run although a payment is missing',
        body: Release,
        response: { 200: Holds },
      },
    },
    async (request) => {
      const { reference, reason } = request.body;
      const { actor } = callerOf(request);
      const now = deps.clock();
      return db.transaction(async (tx) => {
        const hold = await findHold(tx, reference);
        if (hold === null || !(await lockAccount(tx, hold.advertiserId)))
          throw new AppError('not_found');
        // Two who release it at once: the second finds nothing.
        if (!(await releaseHold(tx, deps, reference))) throw new AppError('not_found');
        await postEntry(tx, deps.mintId, now, {
          advertiserId: hold.advertiserId,
          kind: 'notice',
          amountMicros: 0,
          reason: `Hold released: ${reason}`,
        });
        await recordAudit(tx, deps.mintId, now, {
          actor,
          accountId: hold.advertiserId,
          action: 'release',
          entity: 'payment_hold',
          entityId: reference,
          before: show(hold),
          after: { reason },
        });
        return { holds: (await listHolds(tx, hold.advertiserId)).map(show) };
      });
    },
  );
}

function show({ reference, reason, since }: ListedHold): Static<typeof Hold> {
  return { reference, reason, since: formatTimestamp(since.getTime()) };
}
