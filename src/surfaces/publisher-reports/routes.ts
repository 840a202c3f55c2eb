import type { FastifyInstance } from 'fastify';
import type { TSchema } from '@sinclair/typebox';
import { type Guards, publisherOf } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { CsvRows } from '../../platform/http/csv-answers.js';
import { sumLifetime } from './queries.js';
import { reportActivity, reportFunnel, reportStats } from './report-days.js';
import { reportSlices } from './report-slices.js';
import type { Pseudonyms } from '../../platform/secrets/pseudonyms.js';
import { reportUserCountries, reportUsers, type UserCounts } from './report-users.js';
import {
  Activity,
  ActivityQuery,
  Countries,
  CountriesQuery,
  Devices,
  DevicesQuery,
  Funnel,
  FunnelQuery,
  Geography,
  GeographyQuery,
  limits,
  Placements,
  PlacementsQuery,
  PublisherInfo,
  type SliceQuery,
  Stats,
  StatsQuery,
  Users,
  UsersQuery,
} from './schema.js';

/**
 * What stands where an event did not say its placement or device, and where its country is unknown.
 */
const unknownValue = 'unknown';
const unknownCountry = 'ZZ';

interface PublisherReportDeps {
  db: Db;
  clock: Clock;
  guards: Guards;
  pseudonyms: Pick<Pseudonyms, 'open'>;
}

/**
 * What a publisher's requests became and earned. Owns no table: reads the totals. A wrong parameter
 * is 400 here.
 */
export function publisherReportRoutes(app: FastifyInstance, deps: PublisherReportDeps): void {
  const { db, clock } = deps;
  const userCounts: UserCounts = new Map();
  const report = publisherReport(deps);

  accountReportRoutes(app, deps);
  sliceReportRoutes(app, deps);

  app.get<{ Querystring: UsersQuery }>(
    '/publisher-dashboard/users',
    report('The publisher’s users', { list: 'users' }, Users, UsersQuery),
    (request) => reportUsers(deps, publisherOf(request).id, request.query, clock(), userCounts),
  );

  app.get<{ Querystring: CountriesQuery }>(
    '/publisher-dashboard/countries',
    report('Countries by number of users', { list: 'countries' }, Countries, CountriesQuery),
    (request) => reportUserCountries(db, publisherOf(request).id, request.query, unknownCountry),
  );
}

function accountReportRoutes(app: FastifyInstance, deps: PublisherReportDeps): void {
  const { db, clock } = deps;
  const report = publisherReport(deps);

  app.get(
    '/publisher-dashboard/info',
    report('Who the key belongs to, with lifetime totals', {}, PublisherInfo),
    async (request) => {
      const publisher = publisherOf(request);
      const { impressions, clicks } = await sumLifetime(db, publisher.id);
      return {
        publisher_id: publisher.id,
        name: publisher.name,
        url: publisher.url,
        payout_model: publisher.payoutModel,
        total_impressions: impressions,
        total_clicks: clicks,
      };
    },
  );

  app.get<{ Querystring: StatsQuery }>(
    '/publisher-dashboard/stats',
    report('Revenue and delivery by day', { list: 'timeSeries' }, Stats, StatsQuery),
    (request) => reportStats(db, publisherOf(request).id, request.query, clock()),
  );

  app.get<{ Querystring: ActivityQuery }>(
    '/publisher-dashboard/activity',
    report(
      'Requests and how many were filled and shown',
      { list: 'data' },
      Activity,
      ActivityQuery,
    ),
    (request) => reportActivity(db, publisherOf(request).id, request.query, clock()),
  );

  app.get<{ Querystring: FunnelQuery }>(
    '/publisher-dashboard/funnel',
    report('From request to conversion', { list: 'data' }, Funnel, FunnelQuery),
    (request) => reportFunnel(db, publisherOf(request).id, request.query, clock()),
  );
}

function sliceReportRoutes(app: FastifyInstance, deps: PublisherReportDeps): void {
  placementReportRoute(app, deps);
  deviceReportRoute(app, deps);
  countryReportRoute(app, deps);
}

function placementReportRoute(app: FastifyInstance, deps: PublisherReportDeps): void {
  const { db, clock } = deps;
  const report = publisherReport(deps);

  app.get<{ Querystring: SliceQuery }>(
    '/publisher-dashboard/placements',
    report(
      'Performance by placement',
      { list: 'placements', series: 'daily' },
      Placements,
      PlacementsQuery,
    ),
    async (request) => {
      const { slices, periodDays } = await reportSlices(
        db,
        publisherOf(request).id,
        request.query,
        clock(),
        { dimension: 'placement', maxDays: limits.placements.max, unknown: unknownValue },
      );
      return {
        placements: slices.map(({ value, metrics, daily }) => ({
          placement: value,
          ...metrics,
          daily: daily.map((day) => ({ date: day.date, ...day.metrics })),
        })),
        period_days: periodDays,
      };
    },
  );
}

function deviceReportRoute(app: FastifyInstance, deps: PublisherReportDeps): void {
  const { db, clock } = deps;
  const report = publisherReport(deps);

  app.get<{ Querystring: SliceQuery }>(
    '/publisher-dashboard/devices',
    report(
      'Performance by device type',
      { list: 'devices', series: 'daily' },
      Devices,
      DevicesQuery,
    ),
    async (request) => {
      const { slices, periodDays } = await reportSlices(
        db,
        publisherOf(request).id,
        request.query,
        clock(),
        { dimension: 'device', maxDays: limits.devices.max, unknown: unknownValue },
      );
      return {
        devices: slices.map(({ value, metrics, daily }) => ({
          device_type: value,
          ...metrics,
          daily: daily.map((day) => ({ date: day.date, device_type: value, ...day.metrics })),
        })),
        period_days: periodDays,
      };
    },
  );
}

function countryReportRoute(app: FastifyInstance, deps: PublisherReportDeps): void {
  const { db, clock } = deps;
  const report = publisherReport(deps);

  app.get<{ Querystring: SliceQuery }>(
    '/publisher-dashboard/geography',
    report('Performance by country', { list: 'countries' }, Geography, GeographyQuery),
    async (request) => {
      const { slices, periodDays } = await reportSlices(
        db,
        publisherOf(request).id,
        request.query,
        clock(),
        { dimension: 'country', maxDays: limits.geography.max, unknown: unknownCountry },
      );
      return {
        countries: slices.map(({ value, metrics }) => ({ country_code: value, ...metrics })),
        period_days: periodDays,
      };
    },
  );
}

const publisherReport =
  (deps: PublisherReportDeps) =>
  (summary: string, csv: CsvRows, response: TSchema, querystring?: TSchema) => ({
    onRequest: deps.guards.publisherDashboard,
    config: { validationStatus: 400, csv } as const,
    schema: {
      tags: ['publisher reports'],
      summary,
      security: [{ apiKey: [] }],
      ...(querystring === undefined ? {} : { querystring }),
      response: { 200: response },
    },
  });
