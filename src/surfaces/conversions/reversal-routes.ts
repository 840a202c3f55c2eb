import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toDollars } from '../../domain/money.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid, uuidDay } from '../../domain/uuid.js';
import { recordAudit } from '../../platform/audit.js';
import { callerOf, type Guards } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { Lesson } from '../../platform/events/lessons-of.js';
import type { MintId } from '../../platform/ids.js';
import { findCountedConversions } from './order-queries.js';
import {
  decideReversal,
  type ListedReversal,
  listReversals,
  lockReversal,
  type ReversalStatus,
} from './reversal-queries.js';
import { takeBack } from './reverse-order.js';

export interface ReversalDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  guards: Guards;
  settleRefund: (advertiserId: string) => Promise<unknown>;
  unlearn: (lessons: readonly Lesson[]) => void;
}

const ReversalQuery = Type.Object({
  status: Type.Optional(
    Type.Union(
      (['applied', 'waiting', 'refused', 'late'] as const).map((name) => Type.Literal(name)),
    ),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
});
const Note = Type.Object({ note: Type.Optional(Type.String({ maxLength: 500 })) });
interface Params {
  conversion_id: string;
}

/** What shops asked back for cancelled orders, and the operator's word on what waits. */
export function reversalRoutes(app: FastifyInstance, deps: ReversalDeps): void {
  const { db, guards } = deps;
  const shared = { tags: ['operator'], security: [{ session: [] }] };
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
      reversals: (await listReversals(db, query.status ?? null, query.limit)).map(show),
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
      (request) => decide(request, verdict),
    );

  async function decide(
    request: FastifyRequest<{ Params: Params; Body: { note?: string } | undefined }>,
    verdict: 'approve' | 'refuse',
  ): Promise<unknown> {
    const id = request.params.conversion_id;
    const now = deps.clock();
    const { actor } = callerOf(request);
    const status = verdict === 'approve' ? 'applied' : 'refused';
    const { advertiserId, lessons } = await db.transaction(async (tx) => {
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
      return { advertiserId: reversal.advertiserId, lessons: taken.lessons };
    });
    deps.unlearn(lessons);
    if (verdict === 'approve') await deps.settleRefund(advertiserId);
    return { conversion_id: id, status };
  }
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
