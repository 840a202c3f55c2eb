import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { advertiserOf, type Guards } from '../../platform/auth/guards.js';
import type { ContentCategory } from '../../domain/reading/topics.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { csvReply, linkNext, wantsCsv } from '../../platform/http/csv-answers.js';
import { reportAdUnits } from './report-ad-units.js';
import { reportCategories } from './report-categories.js';
import { reportMetrics } from './report-metrics.js';
import {
  AdGroupMetrics,
  AdGroupMetricsQuery,
  AdUnitMetrics,
  AdUnitMetricsQuery,
  AdvertiserInfo,
  CategoriesQuery,
  CategoryReport,
  Metrics,
  MetricsQuery,
} from './schema.js';
import { streamAdGroups } from './ad-groups/stream-ad-groups.js';

interface AdvertiserReportDeps {
  db: Db;
  clock: Clock;
  guards: Guards;
  contentCategories: readonly ContentCategory[];
}

/**
 * What an advertiser's campaigns, ad groups and ad units did, day by day in any zone. Owns no
 * table: reads the totals.
 */
export function advertiserReportRoutes(app: FastifyInstance, deps: AdvertiserReportDeps): void {
  accountReportRoutes(app, deps);
  adReportRoutes(app, deps);
}

function accountReportRoutes(app: FastifyInstance, deps: AdvertiserReportDeps): void {
  const { guards, db, clock } = deps;
  const tags = ['advertiser reports'];
  const security = [{ apiKey: [] }];

  app.get(
    '/advertiser-dashboard/info',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: {} },
      schema: {
        tags,
        summary: 'Who the key belongs to',
        security,
        response: { 200: AdvertiserInfo },
      },
    },
    async (request) => {
      const advertiser = advertiserOf(request);
      return { advertiser_id: advertiser.id, name: advertiser.name, email: advertiser.email };
    },
  );

  app.get<{ Querystring: MetricsQuery }>(
    '/advertiser-dashboard/metrics',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'data' } },
      schema: {
        tags,
        summary: 'Daily performance of the account or one campaign',
        security,
        querystring: MetricsQuery,
        response: { 200: Metrics },
      },
    },
    (request) => reportMetrics(db, advertiserOf(request).id, request.query, clock()),
  );

  app.get<{ Querystring: CategoriesQuery }>(
    '/advertiser-dashboard/content-categories',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'categories' } },
      schema: {
        tags,
        summary: 'What the conversations were about that ads stood beside',
        security,
        querystring: CategoriesQuery,
        response: { 200: CategoryReport },
      },
    },
    (request) => reportCategories(deps, advertiserOf(request).id, request.query, clock()),
  );
}

function adReportRoutes(app: FastifyInstance, deps: AdvertiserReportDeps): void {
  const { guards, db, clock } = deps;
  const tags = ['advertiser reports'];
  const security = [{ apiKey: [] }];

  app.get<{ Querystring: AdUnitMetricsQuery }>(
    '/advertiser-dashboard/ad-unit-metrics',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'ad_units', series: 'data' } },
      schema: {
        tags,
        summary: 'Daily performance of each ad unit in each campaign',
        security,
        querystring: AdUnitMetricsQuery,
        response: { 200: AdUnitMetrics },
      },
    },
    (request) => reportAdUnits(db, advertiserOf(request).id, request.query, clock()),
  );

  app.get<{ Querystring: AdGroupMetricsQuery }>(
    '/advertiser-dashboard/ad-group-metrics',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'ad_groups', series: 'data' } },
      schema: {
        tags,
        summary: 'Daily performance of each ad group',
        security,
        querystring: AdGroupMetricsQuery,
        response: { 200: AdGroupMetrics },
      },
    },
    async (request, reply) => {
      const format = wantsCsv(request) ? 'csv' : 'json';
      const { pieces, nextOffset } = await streamAdGroups(
        db,
        advertiserOf(request).id,
        request.query,
        clock(),
        format,
      );
      const typed =
        format === 'csv'
          ? csvReply(reply, request.routeOptions.url ?? '')
          : reply.type('application/json; charset=utf-8');
      linkNext(request, reply, nextOffset === null ? null : { offset: String(nextOffset) });
      return typed.send(Readable.from(pieces, { objectMode: false }));
    },
  );
}
