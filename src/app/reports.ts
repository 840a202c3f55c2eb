import type { FastifyInstance } from 'fastify';
import type { Database } from '../platform/db/db.js';
import type { Services } from '../services.js';
import { advertiserReportRoutes } from '../surfaces/advertiser-reports/routes.js';
import { experimentRoutes } from '../surfaces/experiments/routes.js';
import { exportRoutes } from '../surfaces/exports/routes.js';
import type { collectRouteSchemas } from '../surfaces/mcp/route-schemas.js';
import { mcpRoutes } from '../surfaces/mcp/routes.js';
import { publisherReportRoutes } from '../surfaces/publisher-reports/routes.js';
import { reportRoutes } from '../surfaces/reports/routes.js';
import type { Serving } from '../surfaces/serving/serving.js';

/** The numbers, for people and programs. */
export function addReports(
  http: FastifyInstance,
  { config, db, clock, mintId, guards, pseudonyms, rateLimit, jobs }: Services,
  { settledDb, categories }: { settledDb: Database; categories: Serving['categories'] },
): void {
  reportRoutes(http, { db: settledDb, clock, mintId, guards });
  advertiserReportRoutes(http, { db, clock, guards, contentCategories: categories });
  publisherReportRoutes(http, { db, clock, guards, pseudonyms });
  exportRoutes(http, { db, guards, rateLimit, pseudonyms });
  experimentRoutes(http, {
    db: settledDb,
    clock,
    mintId,
    guards,
    pseudonyms,
    jobs,
    runDays: config.RETENTION_DAYS,
    keptDays: config.EXPERIMENT_DAYS,
  });
}

/** The same routes for assistants. */
export function addMcp(
  http: FastifyInstance,
  { guards, urls }: Services,
  schemasOf: ReturnType<typeof collectRouteSchemas>,
): void {
  mcpRoutes(http, { guards, schemasOf, platformUrl: () => urls.platform });
}
