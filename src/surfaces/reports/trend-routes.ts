import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { toDollars } from '../../domain/money.js';
import { isUuid } from '../../domain/uuid.js';
import { advertiserOf, type Guards } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { readRange, zoneField } from '../../platform/http/report-range.js';
import { sumCampaignDays } from './queries.js';

const mostCampaigns = 100;
const mostDays = 60;

const TrendsQuery = Type.Object({
  campaign_ids: Type.String({
    default: '',
    maxLength: mostCampaigns * 37,
    description: `Up to ${mostCampaigns}, separated by commas`,
  }),
  days: Type.Integer({ minimum: 2, maximum: mostDays, default: 14 }),
  ...zoneField,
});
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

/** The last days of several campaigns at once, for the small lines in tables. */
export function trendRoutes(
  app: FastifyInstance,
  { db, clock, guards }: { db: Db; clock: Clock; guards: Guards },
): void {
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
      const ids = [...new Set(given.split(',').filter(isUuid))].slice(0, mostCampaigns);
      const rows = await sumCampaignDays(db, advertiserOf(request).id, ids, range);
      const zeros = (): number[] => range.dates.map(() => 0);
      const found = new Map(ids.map((id) => [id, { spend: zeros(), clicks: zeros() }]));
      for (const { campaignId, day, spendMicros, clicks } of rows) {
        const campaign = found.get(campaignId);
        if (campaign === undefined) continue;
        campaign.spend[day - 1] = toDollars(spendMicros);
        campaign.clicks[day - 1] = clicks;
      }
      return {
        dates: range.dates,
        campaigns: [...found].map(([id, days]) => ({ campaign_id: id, ...days })),
      };
    },
  );
}
