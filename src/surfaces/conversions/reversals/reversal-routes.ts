import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toDollars } from '../../../domain/money.js';
import { formatTimestamp } from '../../../domain/time/format-timestamp.js';
import { isUuid, uuidDay } from '../../../domain/uuid.js';
import { recordAudit } from '../../../platform/audit.js';
import { advertiserOf, callerOf, type Guards, publisherOf } from '../../../platform/auth/guards.js';
import type { Clock } from '../../../platform/clock.js';
import type { Db } from '../../../platform/db/db.js';
import { AppError } from '../../../platform/errors.js';
import type { MintId } from '../../../platform/ids.js';
import { findCountedConversions } from './order-queries.js';
import {
  decideReversal,
  type ListedReversal,
  listReversals,
  loadRevenues,
  lockReversal,
  type ReversalStatus,
} from './reversal-queries.js';
import { takeBack, type Unlearn } from './reverse-order.js';
import { openAnswer } from '../../../platform/http/plain-answers.js';

export interface ReversalDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  guards: Guards;
  settleRefund: (advertiserId: string) => Promise<unknown>;
  unlearn: Unlearn;
}

const ReversalQuery = Type.Object({
  status: Type.Optional(
    Type.Union(
      (['applied', 'waiting', 'refused', 'late'] as const).map((name) => Type.Literal(name)),
    ),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
});
const OwnReversal = Type.Object({
  conversion_id: Type.String(),
  order_id: Type.Union([Type.String(), Type.Null()]),
  reason: Type.String(),
  amount: Type.Number({ description: 'Dollars it cost, or had earned' }),
  status: Type.String({
    description:
      '`applied`: given back. `waiting`: an operator decides. `refused`, `late`: it stands.',
  }),
  requested_at: Type.String(),
  decided_at: Type.Union([Type.String(), Type.Null()]),
  note: Type.Union([Type.String(), Type.Null()]),
});
const OwnReversals = Type.Object({ reversals: Type.Array(OwnReversal) });
const Note = Type.Object({ note: Type.Optional(Type.String({ maxLength: 500 })) });
interface Params {
  conversion_id: string;
}

/** What shops asked back for cancelled orders, and the operator's word on what waits. */
export function reversalRoutes(app: FastifyInstance, deps: ReversalDeps): void {
  operatorReversalRoutes(app, deps);
  ownReversalRoutes(app, deps);
}

function operatorReversalRoutes(app: FastifyInstance, deps: ReversalDeps): void {
  const { guards, db } = deps;
  const shared = {
    tags: ['operator'],
    security: [{ session: [] }],
    response: { 200: openAnswer },
  };

  app.get<{ Querystring: { status?: ReversalStatus; limit: number } }>(
    '/operator/reversals',
    {
      onRequest: guards.operator,
      config: { csv: { list: 'reversals' } },
      schema: {
        ...shared,
        summary: 'Money asked back for cancelled orders',
        querystring: ReversalQuery,
      },
    },
    async ({ query }) => ({
      reversals: (await listReversals(db, query, query.limit)).map(show),
    }),
  );
  for (const verdict of ['approve', 'refuse'] as const)
    app.post<{ Params: Params; Body: { note?: string } | undefined }>(
      `/operator/reversals/:conversion_id/${verdict}`,
      {
        onRequest: guards.operator,
        schema: {
          ...shared,
          summary:
            verdict === 'approve'
              ? 'Give back what a conversion cost'
              : 'Keep a conversion as it is',
          body: Type.Union([Note, Type.Null()]),
        },
      },
      (request) => decide(deps, request, verdict),
    );
}

function ownReversalRoutes(app: FastifyInstance, deps: ReversalDeps): void {
  const { guards, db } = deps;

  const own = (summary: string) => ({
    tags: ['traffic quality'],
    summary,
    security: [{ apiKey: [] }],
    response: { 200: OwnReversals },
  });
  app.get(
    '/advertiser-dashboard/reversals',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'reversals' } },
      schema: own('Money asked back for cancelled orders, and what became of it'),
    },
    async (request) => {
      const rows = await listReversals(db, { advertiserId: advertiserOf(request).id }, 500);
      return { reversals: rows.map((row) => showOwn(row, row.orderId, row.spendMicros)) };
    },
  );
  app.get(
    '/publisher-dashboard/reversals',
    {
      onRequest: guards.publisherDashboard,
      config: { validationStatus: 400, csv: { list: 'reversals' } },
      schema: own('Conversions that shops took back or want to, and what they had earned you'),
    },
    async (request) => {
      const rows = await listReversals(db, { publisherId: publisherOf(request).id }, 500);
      const ids = rows.map((row) => row.conversionId);
      const revenues = await loadRevenues(db, ids, [...new Set(ids.map(uuidDay))]);
      return {
        // Whose order it was is the advertiser's own.
        reversals: rows.map((row) => showOwn(row, null, revenues.get(row.conversionId) ?? 0)),
      };
    },
  );
}

async function decide(
  deps: ReversalDeps,
  request: FastifyRequest<{ Params: Params; Body: { note?: string } | undefined }>,
  verdict: 'approve' | 'refuse',
): Promise<unknown> {
  const id = request.params.conversion_id;
  const now = deps.clock();
  const { actor } = callerOf(request);
  const status = verdict === 'approve' ? 'applied' : 'refused';
  const advertiserId = await deps.db.transaction(async (tx) => {
    const reversal = isUuid(id) ? await lockReversal(tx, id) : null;
    if (reversal === null) throw new AppError('not_found');
    if (reversal.status === 'applied') throw new AppError('conflict');
    const taken =
      verdict === 'approve'
        ? await takeBack(
            tx,
            [id],
            await findCountedConversions(tx, [id], [uuidDay(id)]),
            reversal.reason,
            now,
          )
        : { lessons: [] };
    await deps.unlearn(tx, taken.lessons);
    const note = request.body?.note ?? null;
    await decideReversal(tx, id, { status, at: new Date(now), by: actor.id, note });
    await recordAudit(tx, deps.mintId, now, {
      actor,
      accountId: reversal.advertiserId,
      action: verdict,
      entity: 'reversal',
      entityId: id,
      before: { status: reversal.status },
      after: { status, note },
    });
    return reversal.advertiserId;
  });
  if (verdict === 'approve') await deps.settleRefund(advertiserId);
  return { conversion_id: id, status };
}

function showOwn(
  row: ListedReversal,
  orderId: string | null,
  micros: number,
): Static<typeof OwnReversal> {
  return {
    conversion_id: row.conversionId,
    order_id: orderId,
    reason: row.reason,
    amount: toDollars(micros),
    status: row.status,
    requested_at: formatTimestamp(row.requestedAt.getTime()),
    decided_at: row.decidedAt === null ? null : formatTimestamp(row.decidedAt.getTime()),
    note: row.note,
  };
}

function show(row: ListedReversal) {
  return {
    conversion_id: row.conversionId,
    advertiser_id: row.advertiserId,
    advertiser_name: row.advertiserName,
    publisher_id: row.publisherId,
    order_id: row.orderId,
    reason: row.reason,
    spend: toDollars(row.spendMicros),
    status: row.status,
    requested_at: formatTimestamp(row.requestedAt.getTime()),
    decided_at: row.decidedAt === null ? null : formatTimestamp(row.decidedAt.getTime()),
    decided_by: row.decidedBy,
    note: row.note,
  };
}
