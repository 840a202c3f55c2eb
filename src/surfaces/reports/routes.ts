import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../domain/uuid.js';
import { advertiserOf, callerOf, type Guards, publisherOf } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import { liveRoutes } from './live-routes.js';
import { deleteView, insertView, listViews } from './queries.js';
import { readReport } from './read-report.js';
import {
  AdvertiserReport,
  AdvertiserReportQuery,
  NewView,
  OperatorReport,
  OperatorReportQuery,
  PublisherReport,
  PublisherReportQuery,
  View,
  Views,
} from './schema.js';
import { trendRoutes } from './trend-routes.js';

export interface ReportsDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  guards: Guards;
}

/** Enough for a team, and a bound for one that saves by program. */
const mostViews = 200;

/**
 * Numbers by anything they are counted by, for advertisers, publishers and operators, and the views
 * of them people keep. Owns saved_views; reads the totals.
 */
export function reportRoutes(app: FastifyInstance, deps: ReportsDeps): void {
  const { db, clock, guards } = deps;
  const csv = { list: 'rows' };

  app.get<{ Querystring: AdvertiserReportQuery }>(
    '/advertiser-dashboard/report',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv },
      schema: {
        tags: ['advertiser reports'],
        summary: 'Performance by day, campaign, ad group, ad, country, device and more',
        security: [{ apiKey: [] }],
        querystring: AdvertiserReportQuery,
        response: { 200: AdvertiserReport },
      },
    },
    (request) =>
      readReport(db, { kind: 'advertiser', id: advertiserOf(request).id }, request.query, clock()),
  );

  app.get<{ Querystring: PublisherReportQuery }>(
    '/publisher-dashboard/report',
    {
      onRequest: guards.publisherDashboard,
      config: { csv, validationStatus: 400 },
      schema: {
        tags: ['publisher reports'],
        summary: 'Revenue by day, advertiser, placement, country, device, and why no ad came',
        security: [{ apiKey: [] }],
        querystring: PublisherReportQuery,
        response: { 200: PublisherReport },
      },
    },
    (request) =>
      readReport(db, { kind: 'publisher', id: publisherOf(request).id }, request.query, clock()),
  );

  app.get<{ Querystring: OperatorReportQuery }>(
    '/operator/report',
    {
      onRequest: guards.operator,
      config: { csv },
      schema: {
        tags: ['operator'],
        summary: 'The network: requests, fill, spend, payout and margin by anything',
        security: [{ session: [] }],
        querystring: OperatorReportQuery,
        response: { 200: OperatorReport },
      },
    },
    (request) => readReport(db, { kind: 'operator' }, request.query, clock()),
  );

  liveRoutes(app, deps);
  trendRoutes(app, deps);
  viewRoutes(app, deps);
}

function viewRoutes(app: FastifyInstance, { db, clock, mintId, guards }: ReportsDeps): void {
  const tags = ['session'];
  const onRequest = guards.person;

  app.get(
    '/session/views',
    {
      onRequest,
      schema: { tags, summary: 'Saved views of the account', response: { 200: Views } },
    },
    async (request) => ({ views: await listViews(db, accountOf(request)) }),
  );

  app.post<{ Body: NewView }>(
    '/session/views',
    {
      onRequest,
      schema: {
        tags,
        summary: 'Save what a page shows under a name',
        body: NewView,
        response: { 201: View },
      },
    },
    async (request, reply) => {
      const accountId = accountOf(request);
      if ((await listViews(db, accountId)).length >= mostViews) throw new AppError('conflict');
      const { name, path, search } = request.body;
      const now = clock();
      const view = { id: mintId(now), name: name.trim(), path, search, createdAt: new Date(now) };
      await insertView(db, accountId, view);
      return reply.code(201).send(view);
    },
  );

  app.delete<{ Params: { view_id: string } }>(
    '/session/views/:view_id',
    {
      onRequest,
      schema: { tags, summary: 'Forget a saved view', response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const { view_id: id } = request.params;
      if (!isUuid(id) || !(await deleteView(db, accountOf(request), id)))
        throw new AppError('not_found');
      return reply.code(204).send();
    },
  );
}

/** Operators share theirs. */
function accountOf(request: Parameters<typeof callerOf>[0]): string | null {
  return callerOf(request).session?.accountId ?? null;
}
