import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { toDollars } from '../../domain/money.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { explainFinding } from '../../domain/traffic/explain-finding.js';
import { advertiserOf, publisherOf } from '../../platform/auth/guards.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { type DisclosureDeps, disclosureRoutes } from './disclosure-routes.js';
import { judgeNetwork, type QualityDeps } from './judge-network.js';
import { type Finding, listCredits, listFindings } from './finding-queries.js';
import { type FilteredRow, sumFiltered } from './queries.js';
import { dayMs } from '../../domain/time/utc-day.js';
import { openAnswer } from '../../platform/http/plain-answers.js';

const shortMs = 2 * dayMs;
const longMs = 14 * dayMs;

const DaysQuery = Type.Object({ days: Type.Integer({ minimum: 1, maximum: 90, default: 30 }) });
const Filtered = Type.Object({
  rows: Type.Array(
    Type.Object({
      reason: Type.String(),
      kind: Type.String(),
      events: Type.Integer(),
      amount: Type.Number({ description: 'Dollars credited, or no longer earned' }),
    }),
  ),
});

const Found = Type.Object({
  rule: Type.String(),
  explanation: Type.String(),
  found_at: Type.String(),
  from: Type.String(),
  to: Type.String(),
  events: Type.Integer(),
  amount: Type.Number({ description: 'Dollars credited, or no longer earned' }),
  rate: Type.Number(),
  usual: Type.Number(),
});
const Findings = Type.Object({ findings: Type.Array(Found) });

type QualityRouteDeps = Pick<QualityDeps, 'db' | 'clock'> & DisclosureDeps;

/**
 * Why traffic does not count or was taken back, for both sides, and what was found out about
 * publishers later. Owns traffic_findings, traffic_finding_credits and publisher_evidence.
 */
export function trafficQualityRoutes(app: FastifyInstance, deps: QualityRouteDeps): void {
  disclosureRoutes(app, deps);
  invalidTrafficRoutes(app, deps);
  operatorFindingsRoute(app, deps);
  findingRoutes(app, deps);
}

function invalidTrafficRoutes(app: FastifyInstance, deps: QualityRouteDeps): void {
  const { clock, guards, db } = deps;

  const sinceOf = (days: number): Date => new Date(clock() - days * dayMs);
  const schema = (summary: string) => ({
    tags: ['traffic quality'],
    summary,
    security: [{ apiKey: [] }],
    querystring: DaysQuery,
    response: { 200: Filtered },
  });
  app.get<{ Querystring: { days: number } }>(
    '/advertiser-dashboard/invalid-traffic',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'rows' } },
      schema: schema('What was not counted or was credited, by reason'),
    },
    async (request) => {
      const account = { side: 'advertiser', id: advertiserOf(request).id } as const;
      return { rows: (await sumFiltered(db, account, sinceOf(request.query.days))).map(show) };
    },
  );
  app.get<{ Querystring: { days: number } }>(
    '/publisher-dashboard/invalid-traffic',
    {
      onRequest: guards.publisherDashboard,
      config: { validationStatus: 400, csv: { list: 'rows' } },
      schema: schema('What was not counted or was taken back, by reason'),
    },
    async (request) => {
      const account = { side: 'publisher', id: publisherOf(request).id } as const;
      return { rows: (await sumFiltered(db, account, sinceOf(request.query.days))).map(show) };
    },
  );
}

function operatorFindingsRoute(app: FastifyInstance, deps: QualityRouteDeps): void {
  const { guards, db } = deps;

  app.get(
    '/operator/traffic-findings',
    {
      onRequest: guards.operator,
      config: { csv: { list: 'findings' } },
      schema: {
        tags: ['operator'],
        summary: 'Publishers whose traffic was taken back, and why',
        security: [{ session: [] }],
        response: { 200: openAnswer },
      },
    },
    async () => ({
      findings: (await listFindings(db, null, 500)).map((row) => ({
        publisher_id: row.publisherId,
        ...showFinding(row, row.revenueMicros),
        spend: toDollars(row.spendMicros),
        revenue: toDollars(row.revenueMicros),
      })),
    }),
  );
}

function findingRoutes(app: FastifyInstance, deps: QualityRouteDeps): void {
  const { guards, db } = deps;

  const found = (summary: string) => ({
    tags: ['traffic quality'],
    summary,
    security: [{ apiKey: [] }],
    response: { 200: Findings },
  });
  app.get(
    '/publisher-dashboard/traffic-findings',
    {
      onRequest: guards.publisherDashboard,
      config: { validationStatus: 400, csv: { list: 'findings' } },
      schema: found('What was found about your traffic, why, and what is no longer earned'),
    },
    async (request) => ({
      findings: (await listFindings(db, publisherOf(request).id, 500)).map((row) =>
        showFinding(row, row.revenueMicros),
      ),
    }),
  );
  app.get(
    '/advertiser-dashboard/traffic-findings',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'findings' } },
      schema: found('Traffic found out later, why, and what was credited for it'),
    },
    async (request) => ({
      findings: (await listCredits(db, advertiserOf(request).id, 500)).map((row) =>
        showFinding(row, row.spendMicros),
      ),
    }),
  );
}

/** The last days every hour, and once a day as far back as earnings are held. */
export function trafficQualityJobs(jobs: Pick<JobQueue, 'every'>, deps: QualityDeps): void {
  jobs.every('judge-traffic', 3_600_000, async () => void (await judgeNetwork(deps, shortMs)));
  jobs.every('judge-traffic-long', dayMs, async () => void (await judgeNetwork(deps, longMs)));
}

function showFinding(row: Finding, micros: number): Static<typeof Found> {
  const { rate, usual } = row.details;
  return {
    rule: row.rule,
    explanation: explainFinding(row.rule, rate, usual),
    found_at: formatTimestamp(row.foundAt.getTime()),
    from: formatTimestamp(row.fromAt.getTime()),
    to: formatTimestamp(row.toAt.getTime()),
    events: row.events,
    amount: toDollars(micros),
    rate,
    usual,
  };
}

function show(row: FilteredRow) {
  return {
    reason: row.reason,
    kind: row.kind,
    events: row.events,
    amount: toDollars(row.micros),
  };
}
