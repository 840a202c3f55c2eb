import type { FastifyInstance } from 'fastify';
import { advertiserOf, type Guards } from '../../../platform/auth/guards.js';
import type { Clock } from '../../../platform/clock.js';
import type { Db } from '../../../platform/db/db.js';
import { conversionStats, listOfConversions, pixelAnalytics } from './report-conversions.js';
import {
  Analytics,
  AnalyticsQuery,
  ConversionList,
  ConversionListQuery,
  ConversionStats,
  ConversionStatsQuery,
} from '../schema.js';

/** Reports on conversions and pixel events, for the advertiser they belong to. */
export function conversionReportRoutes(
  app: FastifyInstance,
  { db, clock, guards }: { db: Db; clock: Clock; guards: Guards },
): void {
  const shared = { tags: ['advertiser'], security: [{ apiKey: [] }] };

  app.get<{ Querystring: ConversionListQuery }>(
    '/advertiser-dashboard/conversions',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'conversions' } },
      schema: {
        ...shared,
        summary: 'Conversions, newest first',
        querystring: ConversionListQuery,
        response: { 200: ConversionList },
      },
    },
    (request) => listOfConversions(db, advertiserOf(request).id, request.query),
  );
  app.get<{ Querystring: AnalyticsQuery }>(
    '/advertiser-dashboard/events/analytics',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'time_series' } },
      schema: {
        ...shared,
        summary: 'Pixel events by domain, day and type',
        querystring: AnalyticsQuery,
        response: { 200: Analytics },
      },
    },
    (request) => pixelAnalytics(db, advertiserOf(request).id, request.query, clock()),
  );
  app.get<{ Querystring: ConversionStatsQuery }>(
    '/advertiser-dashboard/events/conversion-stats',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'time_series' } },
      schema: {
        ...shared,
        summary: 'Conversions by day and type',
        querystring: ConversionStatsQuery,
        response: { 200: ConversionStats },
      },
    },
    (request) => conversionStats(db, advertiserOf(request).id, request.query, clock()),
  );
}
