import type { FastifyInstance } from 'fastify';
import { type Static, Type } from '@sinclair/typebox';
import { placements } from '../../../domain/placement.js';
import type { ConversationMessage } from '../../../domain/reading/turns.js';
import { isUuid, nilUuid } from '../../../domain/uuid.js';
import { recordAudit } from '../../../platform/audit.js';
import { callerOf, type Guards, publisherOf } from '../../../platform/auth/guards.js';
import type { Clock } from '../../../platform/clock.js';
import type { Db } from '../../../platform/db/db.js';
import { AppError } from '../../../platform/errors.js';
import type { MintId } from '../../../platform/ids.js';
import type { ConversationExplained } from '../deciding/explain-conversation.js';
import type { CalibrationLearning } from './learn-calibration.js';
import type { ReadingCounts } from './reading-counts.js';
import { loadOffsets, setOffset, sumReadingDays } from './reading-queries.js';
import { Message } from '../schema.js';
import { utcDay } from '../../../domain/time/utc-day.js';
import { operatorRoute } from '../../../platform/http/operator-route.js';

export interface ReadingRouteDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  guards: Guards;
  calibration: CalibrationLearning;
  counts: ReadingCounts;
  explain: (messages: readonly ConversationMessage[]) => Promise<ConversationExplained>;
}

const Days = Type.Object({ days: Type.Integer({ minimum: 1, maximum: 90, default: 7 }) });
const Conversation = Type.Object({
  messages: Type.Array(Message, { minItems: 1, maxItems: 1000 }),
});
/** Without a publisher: everything. Without a placement: the publisher as a whole. */
const Freeze = Type.Object({
  publisher_id: Type.Optional(Type.String()),
  placement: Type.Optional(Type.Union(placements.map((name) => Type.Literal(name)))),
  frozen: Type.Boolean(),
  reset: Type.Boolean({ default: false }),
});

const Outcomes = Type.Object({
  days: Type.Array(
    Type.Object({
      day: Type.String(),
      outcome: Type.String(),
      requests: Type.Integer(),
      unread: Type.Integer(),
    }),
  ),
  totals: Type.Record(Type.String(), Type.Integer()),
  requests: Type.Integer(),
  unread_share: Type.Number(),
});

/**
 * How conversations are read, for operators and publishers: what became of requests, what was
 * learned on the job, and why a conversation gets what it gets. Owns reading_days and
 * calibration_offsets.
 */
export function readingRoutes(app: FastifyInstance, deps: ReadingRouteDeps): void {
  operatorReadingRoutes(app, deps);

  app.get<{ Querystring: Static<typeof Days> }>(
    '/publisher-dashboard/no-ad-reasons',
    {
      onRequest: deps.guards.publisherDashboard,
      schema: {
        tags: ['publisher reports'],
        summary: 'Why requests got no ad, by day',
        security: [{ apiKey: [] }],
        querystring: Days,
        response: { 200: Outcomes },
      },
    },
    async (request) => {
      await deps.counts.save();
      return outcomes(deps, request.query.days, publisherOf(request).id);
    },
  );
}

function operatorReadingRoutes(app: FastifyInstance, deps: ReadingRouteDeps): void {
  const { db, clock } = deps;
  const guarded = operatorRoute(deps);

  app.get<{ Querystring: Static<typeof Days> }>(
    '/operator/reading',
    guarded('What became of requests, and what was learned of places', { querystring: Days }),
    async (request) => {
      await deps.counts.save();
      await deps.calibration.save();
      const offsets = await loadOffsets(db);
      return {
        ...(await outcomes(deps, request.query.days, null)),
        frozen: offsets.some((row) => row.publisherId === nilUuid && row.frozen),
        offsets: offsets
          .filter((row) => row.publisherId !== nilUuid)
          .map((row) => ({
            publisher_id: row.publisherId,
            placement: row.placement === '' ? null : row.placement,
            offset: row.value,
            signals: row.signals,
            frozen: row.frozen,
          })),
      };
    },
  );

  app.patch<{ Body: Static<typeof Freeze> }>(
    '/operator/reading',
    guarded('Freeze, release or reset what is learned of a place', { body: Freeze }),
    async (request) => {
      const { publisher_id: id, placement = '', frozen, reset } = request.body;
      if (id !== undefined && !isUuid(id)) throw new AppError('not_found');
      await deps.calibration.save();
      const publisherId = id ?? nilUuid;
      await db.transaction(async (tx) => {
        await setOffset(tx, { publisherId, placement, frozen, reset, at: new Date(clock()) });
        await recordAudit(tx, deps.mintId, clock(), {
          actor: callerOf(request).actor,
          accountId: id ?? null,
          action: 'update',
          entity: 'calibration',
          entityId: publisherId,
          before: null,
          after: { placement, frozen, reset },
        });
      });
      await deps.calibration.load();
      return { publisher_id: id ?? null, placement, frozen };
    },
  );

  app.post<{ Body: Static<typeof Conversation> }>(
    '/operator/reading',
    guarded('How a conversation is read: need, sensitivity, fit, and what moved them', {
      body: Conversation,
    }),
    (request) => deps.explain(request.body.messages),
  );
}

async function outcomes(deps: ReadingRouteDeps, days: number, publisherId: string | null) {
  const from = utcDay(deps.clock() - (days - 1) * 86_400_000);
  const rows = await sumReadingDays(deps.db, from, publisherId);
  const totals: Record<string, number> = {};
  let [requests, unread] = [0, 0];
  for (const row of rows) {
    totals[row.outcome] = (totals[row.outcome] ?? 0) + row.requests;
    requests += row.requests;
    unread += row.unread;
  }
  return {
    days: rows,
    totals,
    requests,
    unread_share: requests === 0 ? 0 : Math.round((unread / requests) * 1e6) / 1e6,
  };
}
