import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUuid } from '../../domain/uuid.js';
import { recordAudit } from '../../platform/audit.js';
import { callerOf } from '../../platform/auth/guards.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import { centMicros, type PayoutProvider, PayoutRefused } from './payout-provider.js';
import {
  claimPayout,
  type EarningsRow,
  findPayout,
  findPayoutAccount,
  insertPayout,
  listPayouts,
  lockPublisher,
  markPaid,
  markUnsent,
  type Payout,
  type PayoutAccount,
  voidPayout,
} from './queries.js';
import type { EarningsDeps } from './routes.js';
import { NewPayout, PayoutView } from './schema.js';
import { payableOf, showPayout } from './weigh-earnings.js';

interface PayoutDeps extends EarningsDeps {
  sum: (tx: Db, publisherId: string) => Promise<EarningsRow[]>;
  isUndisclosed: (row: EarningsRow) => boolean;
  /** Earnings up to and including this day. */
  throughDay: () => string;
}

/** What operators approve; the money is sent by hand, or once by a provider. */
export function payoutRoutes(app: FastifyInstance, deps: PayoutDeps): void {
  payoutListRoutes(app, deps);
  payoutActionRoute(app, deps);
}

function payoutListRoutes(app: FastifyInstance, deps: PayoutDeps): void {
  const { guards, db, payoutProvider: provider } = deps;
  const operator = { tags: ['operator'], security: [{ session: [] }] };

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

  app.post<{ Body: NewPayout }>(
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
      const { publisher_id: publisherId, method } = request.body;
      const account =
        provider === null || method === 'manual' || !isUuid(publisherId)
          ? null
          : await findPayoutAccount(db, publisherId, provider.name);
      if (method === 'provider' && account === null)
        throw new AppError('conflict', { detail: 'publisher_has_no_payout_account' });
      const payout = await approve(deps, request, account);
      return showPayout(
        account === null || provider === null
          ? payout
          : await sendPayout(db, provider, payout, account),
      );
    },
  );
}

function payoutActionRoute(app: FastifyInstance, deps: PayoutDeps): void {
  const { guards, db, payoutProvider: provider, clock } = deps;
  const operator = { tags: ['operator'], security: [{ session: [] }] };

  app.post<{ Params: { payout_id: string }; Body: { action: 'send' | 'void' } }>(
    '/operator/payouts/:payout_id',
    {
      onRequest: guards.operator,
      schema: {
        ...operator,
        summary: 'Send a payout that was not sent again, or take it back',
        body: Type.Object({
          action: Type.Unsafe<'send' | 'void'>({ type: 'string', enum: ['send', 'void'] }),
        }),
        response: { 200: PayoutView },
      },
    },
    async (request) => {
      const { payout_id: id } = request.params;
      const payout = isUuid(id) ? await findPayout(db, id) : null;
      if (payout === null) throw new AppError('not_found');
      const { action } = request.body;
      const account =
        provider === null ? null : await findPayoutAccount(db, payout.publisherId, provider.name);
      const done =
        action === 'void'
          ? must(await voidPayout(db, id))
          : await sendPayout(db, must(provider), must(await claimPayout(db, id)), must(account));
      await recordAudit(db, deps.mintId, clock(), {
        actor: callerOf(request).actor,
        accountId: payout.publisherId,
        action,
        entity: 'payout',
        entityId: id,
        before: showPayout(payout),
        after: showPayout(done),
      });
      return showPayout(done);
    },
  );
}

function must<T>(value: T | null): T {
  if (value === null) throw new AppError('conflict');
  return value;
}

async function approve(
  deps: PayoutDeps,
  request: FastifyRequest<{ Body: NewPayout }>,
  account: PayoutAccount | null,
): Promise<Payout> {
  const { publisher_id: publisherId, reference = null, unproven = false } = request.body;
  const { actor } = callerOf(request);
  return deps.db.transaction(async (tx) => {
    if (!isUuid(publisherId) || !(await lockPublisher(tx, publisherId)))
      throw new AppError('not_found');
    const [row] = await deps.sum(tx, publisherId);
    const payable =
      row === undefined ? 0 : payableOf(row, { unproven, isUndisclosed: deps.isUndisclosed(row) });
    const amountMicros = account === null ? payable : payable - (payable % centMicros);
    if (amountMicros <= 0) throw new AppError('conflict');
    const now = deps.clock();
    const payout: Payout = {
      id: deps.mintId(now),
      publisherId,
      amountMicros,
      throughDay: deps.throughDay(),
      approvedAt: new Date(now),
      approvedBy: actor.id,
      reference,
      method: account?.provider ?? 'manual',
      status: account === null ? 'paid' : 'approved',
      problem: null,
      refusals: 0,
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
    return payout;
  });
}

/**
 * After it was written down, never before: the provider is asked under the payout's own id, so that
 * a lost answer is asked for again and nothing is sent twice. What failed without a refusal stays
 * approved, to be sent again. `payout` is claimed: nobody takes it back meanwhile.
 */
async function sendPayout(
  db: Db,
  provider: PayoutProvider,
  payout: Payout,
  account: PayoutAccount,
): Promise<Payout> {
  const { id, amountMicros, refusals, throughDay: through } = payout;
  try {
    const reference = await provider.send(
      { id, amountMicros, through, attempt: refusals },
      account.reference,
    );
    return (await markPaid(db, id, reference)) ?? payout;
  } catch (error) {
    const isRefused = error instanceof PayoutRefused;
    const problem = isRefused ? error.message : 'No answer from the provider. Send it again.';
    return (await markUnsent(db, payout, { isRefused, problem })) ?? payout;
  }
}
