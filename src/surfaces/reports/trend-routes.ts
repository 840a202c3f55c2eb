import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { toDollars } from '../../domain/money.js';
import { isUuid } from '../../domain/uuid.js';
import { advertiserOf, type Guards } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { readRange, zoneField } from '../../platform/http/report-range.js';
import { type DayOf, sumCampaignDays, sumDaysOf } from './queries.js';

const mostIds = 100;
const mostDays = 60;

const idsField = Type.String({
  default: '',
  maxLength: mostIds * 37,
  description: `Up to ${mostIds}, separated by commas`,
});
const daysFields = {
  days: Type.Integer({ minimum: 2, maximum: mostDays, default: 14 }),
  ...zoneField,
};

const TrendsQuery = Type.Object({ campaign_ids: idsField, ...daysFields });
type TrendsQuery = Static<typeof TrendsQuery>;

export const Trends = Type.Object({
  dates: Type.Array(Type.String()),
  campaigns: Type.Array(
    Type.Object({
      campaign_id: Type.String(),
      spend: Type.Array(Type.Number(), { description: 'In dollars, one a date' }),
      clicks: Type.Array(Type.Integer()),
    }),
  ),
});

const NetworkTrendsQuery = Type.Object({
  of: Type.Union([Type.Literal('advertiser'), Type.Literal('publisher'), Type.Literal('campaign')]),
  ids: idsField,
  ...daysFields,
});
type NetworkTrendsQuery = Static<typeof NetworkTrendsQuery>;

export const NetworkTrends = Type.Object({
  dates: Type.Array(Type.String()),
  rows: Type.Array(
    Type.Object({
      id: Type.String(),
      money: Type.Array(Type.Number(), {
        description: 'What it spent, of a publisher what it earned, in dollars, one a date',
      }),
      clicks: Type.Array(Type.Integer()),
    }),
  ),
});

interface TrendDeps {
  db: Db;
  clock: Clock;
  guards: Guards;
}

/** The last days of several things at once, for the small lines in tables. */
export function trendRoutes(app: FastifyInstance, deps: TrendDeps): void {
  advertiserTrends(app, deps);
  networkTrends(app, deps);
}

const readIds = (given: string): string[] =>
  [...new Set(given.split(',').filter(isUuid))].slice(0, mostIds);

/** One row of zeros an id, filled where something happened. */
function byDay(
  ids: readonly string[],
  dates: readonly string[],
  rows: readonly DayOf[],
): { id: string; money: number[]; clicks: number[] }[] {
  const zeros = (): number[] => dates.map(() => 0);
  const found = new Map(ids.map((id) => [id, { money: zeros(), clicks: zeros() }]));
  for (const { id, day, micros, clicks } of rows) {
    const row = found.get(id);
    if (row === undefined) continue;
    row.money[day - 1] = toDollars(micros);
    row.clicks[day - 1] = clicks;
  }
  return [...found].map(([id, days]) => ({ id, ...days }));
}

function networkTrends(app: FastifyInstance, { db, clock, guards }: TrendDeps): void {
  app.get<{ Querystring: NetworkTrendsQuery }>(
    '/operator/trends',
    {
      onRequest: guards.operator,
      schema: {
        tags: ['operator'],
        summary: 'Money and clicks of several accounts or campaigns by day',
        security: [{ session: [] }],
        querystring: NetworkTrendsQuery,
        response: { 200: NetworkTrends },
      },
    },
    async (request): Promise<Static<typeof NetworkTrends>> => {
      const { of, ids: given, days, tz } = request.query;
      const range = readRange({ days, tz }, clock(), mostDays);
      const ids = readIds(given);
      const rows = await sumDaysOf(db, of, ids, range);
      return { dates: range.dates, rows: byDay(ids, range.dates, rows) };
    },
  );
}

function advertiserTrends(app: FastifyInstance, { db, clock, guards }: TrendDeps): void {
  app.get<{ Querystring: TrendsQuery }>(
    '/advertiser-dashboard/trends',
    {
      onRequest: guards.advertiserDashboard,
      schema: {
        tags: ['advertiser reports'],
        summary: 'Spend and clicks of several campaigns by day',
        security: [{ apiKey: [] }],
        querystring: TrendsQuery,
        response: { 200: Trends },
      },
    },
    async (request): Promise<Static<typeof Trends>> => {
      const { campaign_ids: given, days, tz } = request.query;
      const range = readRange({ days, tz }, clock(), mostDays);
      const ids = readIds(given);
      const rows = await sumCampaignDays(db, advertiserOf(request).id, ids, range);
      return {
        dates: range.dates,
        campaigns: byDay(ids, range.dates, rows).map(({ id, money, clicks }) => ({
          campaign_id: id,
          spend: money,
          clicks,
        })),
      };
    },
  );
}
