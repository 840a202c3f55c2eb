import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { slugOf } from '../../domain/commerce/product-id.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid } from '../../domain/uuid.js';
import { onlyNamed, recordAudit } from '../../platform/audit.js';
import { callerOf, type Guards } from '../../platform/auth/guards.js';
import { AppError } from '../../platform/errors.js';
import { fixedField } from '../../platform/http/fixed-field.js';
import { feedFormats, isStorefront } from './feeds/feed-row.js';
import { listFeeds, saveFeed, stopFeed } from './feed-queries.js';
import {
  announceMerchants,
  changeMerchant,
  listErrors,
  listMerchants,
  listRuns,
  openMerchant,
} from './queries.js';
import type { ImportDeps } from './run-import.js';
import { operatorRoute } from '../../platform/http/operator-route.js';
import { nothing } from '../../platform/http/plain-answers.js';

const NewFeed = Type.Object({
  merchant: Type.String({ minLength: 1, maxLength: 120 }),
  store_url: Type.Optional(Type.String({ pattern: '^https://', maxLength: 500 })),
  url: Type.String({ pattern: '^https?://', maxLength: 2000 }),
  format: Type.Unsafe<(typeof feedFormats)[number] | 'auto'>({
    type: 'string',
    enum: ['auto', ...feedFormats],
    default: 'auto',
  }),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
  every_minutes: Type.Integer({ minimum: 5, maximum: 10_080, default: 1440 }),
  max_missing_percent: Type.Integer({ minimum: 0, maximum: 100, default: 50 }),
  commission_bps: Type.Integer({ minimum: 0, maximum: 10_000, default: 0 }),
});
type NewFeed = Static<typeof NewFeed>;

const MerchantTerms = Type.Object({
  id: Type.String(),
  commission_bps: Type.Integer(),
  campaign_id: Type.Union([Type.String(), Type.Null()]),
  store_url: Type.String(),
});

const ofFeed = fixedField('Of a feed: POST /operator/catalog/feeds with its url again');

const MerchantChange = Type.Object({
  commission_bps: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  campaign_id: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F-]{36}$',
      description: 'Credited with what visitors sent there buy',
    }),
  ),
  store_url: Type.Optional(Type.String({ pattern: '^https://', maxLength: 500 })),
  merchant: fixedField('The name its feeds are read under stays'),
  url: ofFeed,
  format: ofFeed,
  currency: ofFeed,
  every_minutes: ofFeed,
  max_missing_percent: ofFeed,
});
type MerchantChange = Static<typeof MerchantChange>;

type ImportRouteDeps = ImportDeps & { guards: Guards };

/**
 * The product catalog as operators see it: merchants, feeds, what each import did. Owns
 * merchants, products, feeds, import_runs, import_errors, import_seen.
 */
export function catalogImportRoutes(app: FastifyInstance, deps: ImportRouteDeps): void {
  importListRoutes(app, deps);
  newFeedRoute(app, deps);
  merchantRoutes(app, deps);
}

function importListRoutes(app: FastifyInstance, deps: ImportRouteDeps): void {
  const { db } = deps;
  const guarded = operatorRoute(deps);

  app.get(
    '/operator/catalog',
    guarded('Merchants, feeds and imports of the product catalog'),
    async () => ({
      merchants: (await listMerchants(db)).map((row) => ({
        ...row,
        ucp_checked_at: shown(row.ucp_checked_at),
      })),
      feeds: (await listFeeds(db)).map((feed) => ({
        id: feed.id,
        merchant: feed.merchant,
        url: feed.url,
        format: feed.format,
        every_minutes: feed.everyMinutes,
        max_missing_percent: feed.maxMissingPercent,
        is_active: feed.isActive,
        next_run_at: shown(feed.nextRunAt),
      })),
      runs: (await listRuns(db, 100)).map((run) => ({
        ...run,
        started_at: shown(run.started_at),
        finished_at: shown(run.finished_at),
      })),
    }),
  );

  app.get<{ Params: { id: string } }>(
    '/operator/catalog/runs/:id/errors',
    guarded('Rows an import could not read'),
    async (request) => {
      if (!isUuid(request.params.id)) throw new AppError('not_found');
      return { errors: await listErrors(db, request.params.id, 500) };
    },
  );
}

function newFeedRoute(app: FastifyInstance, deps: ImportRouteDeps): void {
  const { clock, mintId, db } = deps;
  const guarded = operatorRoute(deps);

  app.post<{ Body: NewFeed }>(
    '/operator/catalog/feeds',
    guarded('Read a product feed on a schedule, starting now', { body: NewFeed }),
    async (request) => {
      const { body } = request;
      const now = clock();
      const id = await db.transaction(async (tx) => {
        const merchantId = await openMerchant(tx, {
          id: mintId(now),
          slug: slugOf(body.merchant),
          name: body.merchant,
          storeUrl: body.store_url ?? (isStorefront(body.format) ? new URL(body.url).origin : ''),
          platform: isStorefront(body.format) ? 'storefront' : 'feed',
          commissionBps: body.commission_bps,
          isDemo: false,
          createdAt: new Date(now),
        });
        const feedId = await saveFeed(tx, {
          id: mintId(now),
          merchantId,
          url: body.url,
          format: body.format,
          currency: body.currency ?? null,
          everyMinutes: body.every_minutes,
          maxMissingPercent: body.max_missing_percent,
          at: new Date(now),
        });
        await announceMerchants(tx);
        await recordAudit(tx, mintId, now, {
          actor: callerOf(request).actor,
          accountId: null,
          action: 'create',
          entity: 'feed',
          entityId: feedId,
          before: null,
          after: body,
        });
        return feedId;
      });
      return { id, merchant: body.merchant, url: body.url };
    },
  );
}

function merchantRoutes(app: FastifyInstance, deps: ImportRouteDeps): void {
  const { mintId, clock, db } = deps;
  const guarded = operatorRoute(deps);

  app.patch<{ Params: { id: string }; Body: MerchantChange }>(
    '/operator/catalog/merchants/:id',
    guarded('Set a merchant’s commission, campaign or store address', {
      body: MerchantChange,
      response: { 200: MerchantTerms },
    }),
    async (request) => {
      const { id } = request.params;
      const { body } = request;
      return db.transaction(async (tx) => {
        const change = {
          commissionBps: body.commission_bps ?? null,
          campaignId: body.campaign_id ?? null,
          storeUrl: body.store_url ?? null,
        };
        const stored = isUuid(id) ? await changeMerchant(tx, id, change) : null;
        if (stored === null) throw new AppError('not_found');
        await announceMerchants(tx);
        await recordAudit(tx, mintId, clock(), {
          actor: callerOf(request).actor,
          accountId: null,
          action: 'update',
          entity: 'merchant',
          entityId: id,
          before: null,
          after: onlyNamed(body, stored),
        });
        return stored;
      });
    },
  );

  app.delete<{ Params: { id: string } }>(
    '/operator/catalog/feeds/:id',
    guarded('Stop reading a feed', { response: nothing }),
    async (request, reply) => {
      if (!isUuid(request.params.id) || !(await stopFeed(db, request.params.id)))
        throw new AppError('not_found');
      return reply.code(204).send();
    },
  );
}

const shown = (at: Date | null): string | null =>
  at === null ? null : formatTimestamp(at.getTime());
