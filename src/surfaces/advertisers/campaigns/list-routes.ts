import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { toDollars } from '../../../domain/money.js';
import { isUuid } from '../../../domain/uuid.js';
import { advertiserOf } from '../../../platform/auth/guards.js';
import { AppError } from '../../../platform/errors.js';
import { choice } from '../fields/field-schemas.js';
import { type ListFilter, listAdRows, listGroupRows } from './list-queries.js';
import { read } from '../route-schema.js';
import type { AdvertisersDeps } from '../routes.js';
import { dayMs, utcDay } from '../../../domain/time/utc-day.js';

const ListQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name or text' })),
  campaign_id: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(
    choice(['active', 'paused', 'archived'], { description: 'All but archived ones without it' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 100 })),
});
type ListQuery = Static<typeof ListQuery>;

const text = Type.String();
const maybeText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
const maybeAmount = Type.Unsafe<number | null>({ type: ['number', 'null'] });
const next = {
  next_cursor: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Where the next page begins',
  }),
};
const Groups = Type.Object({
  ad_groups: Type.Array(
    Type.Object({
      id: text,
      name: text,
      campaign_id: text,
      campaign_name: text,
      group_type: text,
      status: text,
      context: maybeText,
      daily_budget: maybeAmount,
      max_cpc: maybeAmount,
      ads: Type.Integer(),
      impressions: Type.Integer(),
      clicks: Type.Integer(),
      spend: Type.Number(),
      spend_by_day: Type.Array(Type.Number(), {
        description: 'Of the last 14 UTC days before today, the oldest first',
      }),
    }),
  ),
  ...next,
});
const Ads = Type.Object({
  ads: Type.Array(
    Type.Object({
      id: text,
      name: text,
      headline: maybeText,
      copy: maybeText,
      cta: maybeText,
      source: text,
      status: text,
      review_status: text,
      ad_group_id: text,
      ad_group_name: text,
      campaign_id: text,
      campaign_name: text,
    }),
  ),
  ...next,
});

const shownDays = 30;
const trendDays = 14;

/** Every ad group and every ad of an account in lean pages, to find and to choose from. */
export function listRoutes(app: FastifyInstance, deps: AdvertisersDeps): void {
  adGroupListRoute(app, deps);
  adListRoute(app, deps);
}

function adGroupListRoute(app: FastifyInstance, deps: AdvertisersDeps): void {
  const { guards, clock, db } = deps;
  const onRequest = guards.advertiserDashboard;

  app.get<{ Querystring: ListQuery }>(
    '/advertiser-dashboard/bulk/ad-groups',
    {
      onRequest,
      schema: {
        ...read('Ad groups of all campaigns, newest first, with their last 30 days'),
        querystring: ListQuery,
        response: { 200: Groups },
      },
    },
    async (request) => {
      const filter = filterOf(request.query);
      const day = (ago: number): string => utcDay(clock() - ago * dayMs);
      const rows = await listGroupRows(db, advertiserOf(request).id, filter, {
        since: day(shownDays),
        trendFrom: day(trendDays),
        today: day(0),
      });
      return {
        ad_groups: rows.slice(0, request.query.limit).map((row) => ({
          id: row.id,
          name: row.name,
          campaign_id: row.campaignId,
          campaign_name: row.campaignName,
          group_type: row.groupType,
          status: row.status,
          context: row.context,
          daily_budget: row.dailyBudgetMicros === null ? null : toDollars(row.dailyBudgetMicros),
          max_cpc: row.maxCpcMicros === null ? null : toDollars(row.maxCpcMicros),
          ads: row.ads,
          impressions: row.impressions,
          clicks: row.clicks,
          spend: toDollars(row.spendMicros),
          spend_by_day: row.spendByDay.map(toDollars),
        })),
        next_cursor: nextOf(rows, request.query.limit),
      };
    },
  );
}

function adListRoute(app: FastifyInstance, deps: AdvertisersDeps): void {
  const { guards, db } = deps;
  const onRequest = guards.advertiserDashboard;

  app.get<{ Querystring: ListQuery }>(
    '/advertiser-dashboard/bulk/ads',
    {
      onRequest,
      schema: {
        ...read('Ads of all groups, newest first'),
        querystring: ListQuery,
        response: { 200: Ads },
      },
    },
    async (request) => {
      const rows = await listAdRows(db, advertiserOf(request).id, filterOf(request.query));
      return {
        ads: rows.slice(0, request.query.limit).map((row) => ({
          id: row.id,
          name: row.name,
          headline: row.headline,
          copy: row.copy,
          cta: row.cta,
          source: row.source,
          status: row.status,
          review_status: row.reviewStatus,
          ad_group_id: row.adGroupId,
          ad_group_name: row.adGroupName,
          campaign_id: row.campaignId,
          campaign_name: row.campaignName,
        })),
        next_cursor: nextOf(rows, request.query.limit),
      };
    },
  );
}

function filterOf(query: ListQuery): ListFilter {
  const { q, campaign_id: campaignId = null, status = null, cursor = null, limit } = query;
  if (campaignId !== null && !isUuid(campaignId)) throw new AppError('not_found');
  if (cursor !== null && !isUuid(cursor)) throw new AppError('invalid_cursor');
  const search = q?.trim() ?? '';
  return {
    campaignId,
    status,
    afterId: cursor,
    search: search === '' ? null : search,
    // One more tells whether there is another page.
    limit: limit + 1,
  };
}

function nextOf(rows: readonly { id: string }[], limit: number): string | null {
  return rows.length > limit ? (rows[limit - 1]?.id ?? null) : null;
}
