import { Type } from '@sinclair/typebox';
import type { RateLimit } from '../../platform/rate-limit.js';
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid } from '../../domain/uuid.js';
import { recordAudit } from '../../platform/audit.js';
import type { AccountKind } from '../../platform/auth/api-key.js';
import { advertiserOf, callerOf, type Guards, publisherOf } from '../../platform/auth/guards.js';
import type { Db } from '../../platform/db/db.js';
import { AppError, fieldError } from '../../platform/errors.js';
import { secretOf } from './deliver-webhook.js';
import { type AlertJobDeps, raiseAlert } from './jobs.js';
import {
  type Account,
  countEndpoints,
  deleteEndpoint,
  type EndpointRow,
  insertEndpoint,
  listAlerts,
  listDeliveries,
  listEndpoints,
  updateEndpoint,
} from './queries.js';
import {
  Alerts,
  CreatedEndpoint,
  Deliveries,
  type Endpoint,
  Endpoint as EndpointSchema,
  EndpointChange,
  Endpoints,
  NewEndpoint,
} from './schema.js';
import { utcDay } from '../../domain/time/utc-day.js';
import { nothing } from '../../platform/http/plain-answers.js';

const maxEndpoints = 10;
/** Enough to set up endpoints, too few to make us call somebody for hours. */
const testsAnHour = 20;

/**
 * Where an account wants alerts sent, and what was sent. Owns webhook_endpoints, alerts,
 * webhook_deliveries.
 */
export function alertRoutes(app: FastifyInstance, deps: AlertRouteDeps): void {
  accountRoutes(app, deps, 'advertiser');
  accountRoutes(app, deps, 'publisher');
}

type AlertRouteDeps = AlertJobDeps & { guards: Guards; rateLimit: RateLimit };

function accountRoutes(app: FastifyInstance, deps: AlertRouteDeps, kind: AccountKind): void {
  endpointListRoutes(app, deps, kind);
  endpointChangeRoutes(app, deps, kind);
  deliveryRoutes(app, deps, kind);
  alertListRoute(app, deps, kind);
}

function endpointListRoutes(app: FastifyInstance, deps: AlertRouteDeps, kind: AccountKind): void {
  const { db, clock, mintId, sealer } = deps;
  const base = `/${kind}-dashboard`;
  const route = alertRoute(deps, kind);
  const accountOf = accountBy(kind);

  app.get(
    `${base}/webhooks`,
    route('Endpoints that are told of alerts', { response: { 200: Endpoints } }),
    async (request) => ({ webhooks: (await listEndpoints(db, accountOf(request))).map(view) }),
  );

  app.post<{ Body: NewEndpoint }>(
    `${base}/webhooks`,
    route('Add an endpoint; its secret is shown once', {
      body: NewEndpoint,
      response: { 201: CreatedEndpoint },
    }),
    async (request, reply) => {
      const account = accountOf(request);
      const [id, secret, url] = [
        mintId(clock()),
        `whsec_${randomBytes(24).toString('base64url')}`,
        readUrl(request.body.url),
      ];
      const created = await db.transaction(async (tx) => {
        if ((await countEndpoints(tx, account)) >= maxEndpoints)
          throw new AppError('conflict', { detail: 'too_many_webhooks' });
        await audit(deps, kind, tx, request, 'create', id, { url });
        return insertEndpoint(tx, account, {
          id,
          url,
          alertTypes: request.body.alert_types ?? [],
          secretSealed: sealer.seal(secret, secretOf(id)),
          at: new Date(clock()),
        });
      });
      return reply.code(201).send({ ...view(found(created)), secret });
    },
  );
}

function endpointChangeRoutes(app: FastifyInstance, deps: AlertRouteDeps, kind: AccountKind): void {
  const { clock, db } = deps;
  const base = `/${kind}-dashboard`;
  const route = alertRoute(deps, kind);
  const accountOf = accountBy(kind);

  app.patch<{ Params: { webhook_id: string }; Body: EndpointChange }>(
    `${base}/webhooks/:webhook_id`,
    route('Change an endpoint', { body: EndpointChange, response: { 200: EndpointSchema } }),
    async (request) => {
      const { url, alert_types: alertTypes = null, is_active: isActive = null } = request.body;
      const id = idOf(request.params.webhook_id);
      return db.transaction(async (tx) => {
        const changed = found(
          await updateEndpoint(tx, accountOf(request), id, {
            url: url === undefined ? null : readUrl(url),
            alertTypes,
            isActive,
            at: new Date(clock()),
          }),
        );
        await audit(deps, kind, tx, request, 'update', id, request.body);
        return view(changed);
      });
    },
  );

  app.delete<{ Params: { webhook_id: string } }>(
    `${base}/webhooks/:webhook_id`,
    route('Remove an endpoint', { response: nothing }),
    async (request, reply) => {
      const id = idOf(request.params.webhook_id);
      await db.transaction(async (tx) => {
        if (!(await deleteEndpoint(tx, accountOf(request), id))) throw new AppError('not_found');
        await audit(deps, kind, tx, request, 'delete', id, null);
      });
      return reply.code(204).send();
    },
  );
}

function deliveryRoutes(app: FastifyInstance, deps: AlertRouteDeps, kind: AccountKind): void {
  const { db, clock, mintId } = deps;
  const base = `/${kind}-dashboard`;
  const route = alertRoute(deps, kind);
  const accountOf = accountBy(kind);

  app.post<{ Params: { webhook_id: string } }>(
    `${base}/webhooks/:webhook_id/test`,
    route('Send a test alert', {
      response: { 202: Type.Object({ status: Type.Literal('queued') }) },
    }),
    async (request, reply) => {
      const account = accountOf(request);
      const id = idOf(request.params.webhook_id);
      const endpoint = found((await listEndpoints(db, account)).find((row) => row.id === id));
      await deps.rateLimit.take(`webhook-test ${kind} ${account.id}`, testsAnHour, 3_600_000);
      // Its own subject each time: a test is never a repeat.
      await raiseAlert(
        deps,
        {
          account,
          type: 'webhook.test',
          subjectId: mintId(clock()),
          day: utcDay(clock()),
          data: { webhook_id: endpoint.id },
        },
        endpoint.id,
      );
      return reply.code(202).send({ status: 'queued' });
    },
  );

  app.get<{ Params: { webhook_id: string } }>(
    `${base}/webhooks/:webhook_id/deliveries`,
    route('The last 100 deliveries', { response: { 200: Deliveries } }),
    async (request) => {
      const id = idOf(request.params.webhook_id);
      found((await listEndpoints(db, accountOf(request))).find((row) => row.id === id));
      const rows = await listDeliveries(db, accountOf(request), id, 100);
      return {
        deliveries: rows.map((row) => ({
          ...row,
          attempted_at: stamp(row.attempted_at),
          delivered_at: stamp(row.delivered_at),
        })),
      };
    },
  );
}

function alertListRoute(app: FastifyInstance, deps: AlertRouteDeps, kind: AccountKind): void {
  const { db } = deps;
  const base = `/${kind}-dashboard`;
  const route = alertRoute(deps, kind);
  const accountOf = accountBy(kind);

  app.get(
    `${base}/alerts`,
    route('The last 100 alerts', { response: { 200: Alerts } }),
    async (request) => ({
      alerts: (await listAlerts(db, accountOf(request), 100)).map((row) => ({
        id: row.id,
        type: row.type,
        created_at: formatTimestamp(row.createdAt.getTime()),
        data: row.data,
      })),
    }),
  );
}

const audit = (
  deps: AlertRouteDeps,
  kind: AccountKind,
  tx: Db,
  request: FastifyRequest,
  action: string,
  id: string,
  after: unknown,
) =>
  recordAudit(tx, deps.mintId, deps.clock(), {
    actor: callerOf(request).actor,
    accountId: accountBy(kind)(request).id,
    action,
    entity: 'webhook',
    entityId: id,
    before: null,
    after,
  });

const accountBy =
  (kind: AccountKind) =>
  (request: FastifyRequest): Account => ({
    kind,
    id: kind === 'advertiser' ? advertiserOf(request).id : publisherOf(request).id,
  });

const alertRoute =
  (deps: AlertRouteDeps, kind: AccountKind) =>
  (summary: string, more: Record<string, unknown>) => ({
    onRequest:
      kind === 'advertiser' ? deps.guards.advertiserDashboard : deps.guards.publisherDashboard,
    schema: { tags: [`${kind} alerts`], summary, security: [{ apiKey: [] }], ...more },
  });

function view(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    url: row.url,
    alert_types: row.alertTypes,
    is_active: row.isActive,
    created_at: formatTimestamp(row.createdAt.getTime()),
    updated_at: formatTimestamp(row.updatedAt.getTime()),
  };
}

function stamp(at: Date | null): string | null {
  return at === null ? null : formatTimestamp(at.getTime());
}

function idOf(text: string): string {
  if (!isUuid(text)) throw new AppError('not_found');
  return text;
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw new AppError('not_found');
  return row;
}

/**
 * Whether it may be reached is checked at every delivery; here only that it is an address at all.
 */
function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    url === null ||
    (url.protocol !== 'https:' && url.protocol !== 'http:') ||
    url.username !== '' ||
    url.password !== ''
  )
    throw fieldError(
      ['body', 'url'],
      'Must be an http or https address without credentials',
      'url',
    );
  return url.href;
}
