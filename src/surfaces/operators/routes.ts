import { readInstant } from '../../domain/time/read-instant.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from '@sinclair/typebox';
import { toDollars } from '../../domain/money.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid, uuidDay } from '../../domain/uuid.js';
import { onlyNamed, recordAudit } from '../../platform/audit.js';
import { callerOf, type Guards } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError, fieldError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import { explainRequest } from './explain-request.js';
import {
  listAccounts,
  listAudit,
  listNodes,
  setAdvertiser,
  setPublisher,
  sumInvalidTraffic,
} from './queries.js';
import { type OnReversed, refundTraffic } from './refund-traffic.js';
import {
  AdvertiserChange,
  AdvertiserTerms,
  PublisherChange,
  PublisherTerms,
  Refund,
  SettingView,
} from './schema.js';
import { operatorRoute } from '../../platform/http/operator-route.js';

type OperatorDeps = {
  db: Db;
  clock: Clock;
  mintId: MintId;
  guards: Guards;
  refreshAccounts: () => Promise<void>;
  /** What this server was started with; secrets only as set or not. */
  settings: readonly Static<typeof SettingView>[];
  afterRefund: () => Promise<void>;
} & OnReversed;

/**
 * What operators do: approve and block accounts, refund invalid traffic, look at nodes, decisions
 * and the audit trail. Owns no table.
 */
export function operatorRoutes(app: FastifyInstance, deps: OperatorDeps): void {
  publisherRoutes(app, deps);
  advertiserRoutes(app, deps);
  serverRoutes(app, deps);
  auditRoutes(app, deps);
  refundRoute(app, deps);
}

function publisherRoutes(app: FastifyInstance, deps: OperatorDeps): void {
  const { db } = deps;
  const guarded = operatorRoute(deps);

  app.get('/operator/accounts', guarded('Every account'), async () => ({
    accounts: (await listAccounts(db)).map((row) => ({
      ...row,
      created_at: formatTimestamp(row.created_at.getTime()),
    })),
  }));

  app.patch<{ Params: { id: string }; Body: PublisherChange }>(
    '/operator/publishers/:id',
    guarded('Approve or block a publisher, set its share', {
      body: PublisherChange,
      response: { 200: PublisherTerms },
    }),
    async (request) => {
      const { id } = request.params;
      const { body } = request;
      return changeAccount(deps, request, { kind: 'publisher', id, sent: body }, (tx) =>
        setPublisher(tx, id, {
          status: body.status ?? null,
          revenueShareBps: body.revenue_share_bps ?? null,
          isNative: body.native ?? null,
        }),
      );
    },
  );
}

function advertiserRoutes(app: FastifyInstance, deps: OperatorDeps): void {
  const guarded = operatorRoute(deps);

  app.patch<{ Params: { id: string }; Body: AdvertiserChange }>(
    '/operator/advertisers/:id',
    guarded('Block an advertiser, switch billing', {
      body: AdvertiserChange,
      response: { 200: AdvertiserTerms },
    }),
    async (request) => {
      const { id } = request.params;
      const { body } = request;
      return changeAccount(deps, request, { kind: 'advertiser', id, sent: body }, (tx) =>
        setAdvertiser(tx, id, {
          status: body.status ?? null,
          billingEnabled: body.billing_enabled ?? null,
        }),
      );
    },
  );
}

/** Changes an account that exists, and writes down who did. Gives what is stored then. */
async function changeAccount<Terms extends object>(
  { db, mintId, clock, refreshAccounts }: OperatorDeps,
  request: FastifyRequest,
  { kind, id, sent }: { kind: 'advertiser' | 'publisher'; id: string; sent: object },
  save: (tx: Db) => Promise<Terms | null>,
): Promise<Terms> {
  const stored = await db.transaction(async (tx) => {
    const terms = isUuid(id) ? await save(tx) : null;
    if (terms === null) throw new AppError('not_found');
    await recordAudit(tx, mintId, clock(), {
      actor: callerOf(request).actor,
      accountId: id,
      action: 'update',
      entity: kind,
      entityId: id,
      before: null,
      after: onlyNamed(sent, terms),
    });
    return terms;
  });
  await refreshAccounts();
  return stored;
}

function serverRoutes(app: FastifyInstance, deps: OperatorDeps): void {
  const { clock, db } = deps;
  const guarded = operatorRoute(deps);

  app.get('/operator/nodes', guarded('The nodes that share the database'), async () => ({
    nodes: (await listNodes(db)).map((row) => ({
      ...row,
      started_at: formatTimestamp(row.started_at.getTime()),
      seen_at: formatTimestamp(row.seen_at.getTime()),
      is_live: clock() - row.seen_at.getTime() < 20_000,
    })),
  }));

  app.get(
    '/operator/settings',
    guarded('What this server was started with; of secrets only whether they are set', {
      response: { 200: Type.Object({ settings: Type.Array(SettingView) }) },
    }),
    async () => ({ settings: deps.settings }),
  );

  app.get<{ Params: { request_id: string } }>(
    '/operator/decisions/:request_id',
    guarded('Why this ad: candidates, scores, prices, reasons'),
    async (request) => {
      const { request_id: id } = request.params;
      const found = isUuid(id) ? await explainRequest(db, id, uuidDay(id)) : null;
      if (found === null) throw new AppError('not_found');
      return found;
    },
  );
}

function auditRoutes(app: FastifyInstance, deps: OperatorDeps): void {
  const { db, clock } = deps;
  const guarded = operatorRoute(deps);

  app.get<{ Querystring: { account_id?: string; before?: string; limit: number } }>(
    '/operator/audit',
    guarded('Who changed what', {
      querystring: Type.Object({
        account_id: Type.Optional(Type.String()),
        before: Type.Optional(Type.String()),
        limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
      }),
    }),
    async (request) => {
      const { account_id: accountId = null, before, limit } = request.query;
      if (accountId !== null && !isUuid(accountId)) throw new AppError('not_found');
      return {
        entries: await listAudit(db, {
          accountId,
          before: before === undefined ? null : instant(['query', 'before'], before),
          limit,
        }),
      };
    },
  );

  app.get<{ Querystring: { days: number } }>(
    '/operator/invalid-traffic',
    guarded('What was filtered, by reason', {
      querystring: Type.Object({ days: Type.Integer({ minimum: 1, maximum: 90, default: 7 }) }),
    }),
    async (request) => ({
      rows: await sumInvalidTraffic(
        db,
        new Date(clock() - request.query.days * 86_400_000),
        new Date(clock()),
      ),
    }),
  );
}

function refundRoute(app: FastifyInstance, deps: OperatorDeps): void {
  const { db, mintId, clock } = deps;
  const guarded = operatorRoute(deps);

  app.post<{ Body: Refund }>(
    '/operator/refunds',
    guarded('Take back traffic found invalid', { body: Refund }),
    async (request) => {
      const {
        advertiser_id: advertiserId = null,
        campaign_id: campaignId = null,
        publisher_id: publisherId = null,
        reason,
      } = request.body;
      for (const id of [advertiserId, campaignId, publisherId])
        if (id !== null && !isUuid(id)) throw new AppError('not_found');
      if (advertiserId === null && campaignId === null && publisherId === null)
        throw fieldError(['body'], 'Name an advertiser, a campaign or a publisher', 'missing');
      const filter = {
        advertiserId,
        campaignId,
        publisherId,
        from: instant(['body', 'from'], request.body.from),
        to: instant(['body', 'to'], request.body.to),
      };
      const refunded = await refundTraffic(db, filter, reason, deps);
      await recordAudit(db, mintId, clock(), {
        actor: callerOf(request).actor,
        accountId: advertiserId,
        action: 'refund',
        entity: 'traffic',
        entityId: campaignId ?? advertiserId ?? publisherId ?? '',
        before: null,
        after: { ...request.body, ...refunded },
      });
      await deps.afterRefund();
      return { events: refunded.events, spend: toDollars(refunded.spendMicros) };
    },
  );
}

function instant(place: [string, string], text: string): Date {
  const at = readInstant(text);
  if (at === null) throw fieldError(place, 'Must be an ISO 8601 instant', 'datetime');
  return at;
}
