import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid } from '../../domain/uuid.js';
import { recordAudit } from '../../platform/audit.js';
import { advertiserOf, callerOf, type Guards } from '../../platform/auth/guards.js';
import type { Db } from '../../platform/db/db.js';
import type { Log } from '../../platform/log.js';
import type { Outbound } from '../../platform/outbound/guarded-fetch.js';
import type { RateLimit } from '../../platform/rate-limit.js';
import { AppError } from '../../platform/errors.js';
import { rawBodies } from '../../platform/http/raw-bodies.js';
import { writeOnce } from '../../platform/http/write-once.js';
import { connectShop } from './connect-shop.js';
import {
  type Connection,
  deactivate,
  findConnection,
  listConnections,
  listPending,
  verifyConnection,
} from './queries.js';
import { receiveWebhook, type WebhookDeps } from './receive-webhook.js';
import { showsChallenge } from './verify-shop.js';
import {
  ConnectedView,
  ConnectionView,
  IntegrationsView,
  NewConnection,
  WebhookAnswer,
} from './schema.js';
import { openAnswer } from '../../platform/http/plain-answers.js';

const limitBytes = 4 * 1024 * 1024;

type StorefrontRouteDeps = WebhookDeps & {
  guards: Guards;
  outbound: Outbound;
  log: Log;
  rateLimit: RateLimit;
};

/**
 * Hosted storefronts an advertiser connected: their orders become conversions. Owns
 * storefront_connections and storefront_webhooks.
 */
export function storefrontRoutes(app: FastifyInstance, deps: StorefrontRouteDeps): void {
  connectionRoutes(app, deps);
  connectionEndRoute(app, deps);
  operatorStorefrontRoutes(app, deps);
  orderWebhook(app, deps);
}

function connectionRoutes(app: FastifyInstance, deps: StorefrontRouteDeps): void {
  const { guards, db } = deps;
  const shared = { tags: ['integrations'], security: [{ apiKey: [] }] };

  app.get(
    '/advertiser-dashboard/integrations',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'shopify' } },
      schema: { ...shared, summary: 'Connected storefronts', response: { 200: IntegrationsView } },
    },
    async (request) => ({
      shopify: (await listConnections(db, advertiserOf(request).id)).map(show),
    }),
  );

  app.post<{ Body: NewConnection }>(
    '/advertiser-dashboard/integrations/shopify',
    {
      onRequest: guards.advertiserDashboard,
      schema: {
        ...shared,
        summary: 'Connect a storefront, or replace its webhook secret',
        body: NewConnection,
        response: { 200: ConnectedView },
      },
    },
    (request) =>
      change(deps, request, 'connect', advertiserOf(request).id, (tx) =>
        connectShop(tx, deps, advertiserOf(request).id, {
          domain: request.body.shop_domain,
          secret: request.body.webhook_secret ?? null,
        }),
      ),
  );

  app.post<{ Params: { connection_id: string } }>(
    '/advertiser-dashboard/integrations/shopify/:connection_id/verify',
    {
      onRequest: guards.advertiserDashboard,
      schema: {
        ...shared,
        summary: 'Look for the challenge on the shop’s front page',
        response: { 200: ConnectedView },
      },
    },
    async (request) => {
      const advertiserId = advertiserOf(request).id;
      const connection = await found(request.params.connection_id, (id) =>
        findConnection(db, id, advertiserId),
      );
      if (connection.verificationStatus === 'verified') return showConnected(connection);
      await deps.rateLimit.take(`verify-shop:${connection.id}`, 10, 3_600_000);
      if (!(await showsChallenge(deps, connection))) return showConnected(connection);
      return change(deps, request, 'verify', advertiserId, async (tx) =>
        found(connection.id, (id) => verifyConnection(tx, id, 'address')),
      );
    },
  );
}

function connectionEndRoute(app: FastifyInstance, deps: StorefrontRouteDeps): void {
  const { guards } = deps;
  const shared = { tags: ['integrations'], security: [{ apiKey: [] }] };

  app.delete<{ Params: { connection_id: string } }>(
    '/advertiser-dashboard/integrations/shopify/:connection_id',
    {
      onRequest: guards.advertiserDashboard,
      schema: { ...shared, summary: 'Disconnect a storefront', response: { 200: ConnectionView } },
    },
    (request) =>
      change(deps, request, 'disconnect', advertiserOf(request).id, async (tx) =>
        found(request.params.connection_id, (id) => deactivate(tx, id, advertiserOf(request).id)),
      ),
  );
}

function operatorStorefrontRoutes(app: FastifyInstance, deps: StorefrontRouteDeps): void {
  const { guards, db } = deps;

  const operator = {
    tags: ['operator'],
    security: [{ session: [] }],
    response: { 200: openAnswer },
  };
  app.get(
    '/operator/storefronts',
    {
      onRequest: guards.operator,
      schema: { ...operator, summary: 'Storefronts nobody has confirmed yet' },
    },
    async () => ({
      storefronts: (await listPending(db)).map((row) => ({
        ...show(row),
        advertiser_id: row.advertiserId,
        advertiser_name: row.advertiserName,
      })),
    }),
  );
  app.post<{ Params: { connection_id: string } }>(
    '/operator/storefronts/:connection_id/verify',
    {
      onRequest: guards.operator,
      schema: {
        ...operator,
        summary: 'Confirm that the shop belongs to the advertiser',
        response: { 200: ConnectionView },
      },
    },
    (request) =>
      change(deps, request, 'verify', null, async (tx) =>
        found(request.params.connection_id, (id) => verifyConnection(tx, id, 'operator')),
      ),
  );
}

function orderWebhook(app: FastifyInstance, deps: StorefrontRouteDeps): void {
  rawBodies(
    app,
    (scope) =>
      scope.post(
        '/webhooks/shopify',
        {
          schema: {
            tags: ['integrations'],
            summary: 'Orders and notices of connected storefronts',
            response: { 200: WebhookAnswer },
          },
        },
        async (request) => {
          const header = (name: string): string =>
            String(request.headers[name] ?? '').slice(0, 300);
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          return {
            status: await receiveWebhook(deps, {
              id: header('x-shopify-webhook-id'),
              topic: header('x-shopify-topic').toLowerCase(),
              shopDomain: header('x-shopify-shop-domain').toLowerCase(),
              signature: header('x-shopify-hmac-sha256'),
              body,
            }),
          };
        },
      ),
    limitBytes,
  );
}

async function change(
  deps: StorefrontRouteDeps,
  request: FastifyRequest,
  action: string,
  advertiserId: string | null,
  work: (tx: Db) => Promise<Connection>,
): Promise<unknown> {
  const { actor } = callerOf(request);
  const now = deps.clock();
  const { body } = await writeOnce(
    deps.db,
    { accountId: advertiserId ?? actor.id, request, now },
    async (tx) => {
      const connection = await work(tx);
      await recordAudit(tx, deps.mintId, now, {
        actor,
        accountId: connection.advertiserId,
        action,
        entity: 'storefront',
        entityId: connection.id,
        before: null,
        after: show(connection),
      });
      return { status: 200, body: showConnected(connection) };
    },
  );
  return body;
}

async function found(
  id: string,
  work: (id: string) => Promise<Connection | null>,
): Promise<Connection> {
  const connection = isUuid(id) ? await work(id) : null;
  if (connection === null) throw new AppError('not_found');
  return connection;
}

function showConnected(connection: Connection) {
  const { verificationStatus, challenge } = connection;
  return {
    ...show(connection),
    challenge: verificationStatus === 'verified' ? null : challenge,
  };
}

function show(connection: Connection): ConnectionView {
  return {
    id: connection.id,
    shop_domain: connection.shopDomain,
    is_active: connection.isActive,
    connected_at: formatTimestamp(connection.connectedAt.getTime()),
    verification_status: connection.verificationStatus,
  };
}
