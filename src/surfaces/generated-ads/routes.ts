import { type TObject, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../domain/uuid.js';
import { advertiserOf, callerOf, type Guards } from '../../platform/auth/guards.js';
import { AppError } from '../../platform/errors.js';
import { answeredBefore, writeOnce } from '../../platform/http/write-once.js';
import { type DraftDeps, draftAdUnits, storeDrafts } from './draft-ad-units.js';
import { GenerateUnits, WriteAds, WrittenAds } from './schema.js';
import { writeAds } from './write-ads.js';
import { ownsCampaign } from '../../platform/owns-campaign.js';

type AdWritingDeps = DraftDeps & { guards: Guards; adUnitView: TObject };

/**
 * Ads the service writes itself: drafts from a page an advertiser names, and the ads of generative
 * groups (`jobs.ts`). Owns ad_group_writings and generated_ads; writes ads whose source is
 * `generated` and ad units whose source is `scraped`.
 */
export function generatedAdRoutes(app: FastifyInstance, deps: AdWritingDeps): void {
  const GeneratedUnits = Type.Object({
    campaign_id: Type.String(),
    ad_units: Type.Array(deps.adUnitView),
  });
  const headers = Type.Object({
    'idempotency-key': Type.Optional(Type.String({ maxLength: 255 })),
  });
  adWritingRoute(app, deps);

  app.post<{ Params: { campaign_id: string }; Body: GenerateUnits }>(
    '/advertiser-dashboard/campaigns/:campaign_id/ad-units/generate',
    {
      onRequest: deps.guards.advertiserDashboard,
      schema: {
        tags: ['advertiser'],
        summary: 'Draft ad units from a landing page',
        security: [{ apiKey: [] }],
        deprecated: true,
        headers,
        body: GenerateUnits,
        response: { 200: GeneratedUnits },
      },
    },
    async (request, reply) => {
      const { id: accountId } = advertiserOf(request);
      const { campaign_id: campaignId } = request.params;
      if (!isUuid(campaignId) || !(await ownsCampaign(deps.db, accountId, campaignId)))
        throw new AppError('not_found');
      const known = await answeredBefore(deps.db, { accountId, request });
      if (known !== null) return reply.code(known.status).send(known.body);
      // The page is read before the transaction begins: nobody waits for somebody else's server.
      const drafts = await draftAdUnits(deps, request.body.site_url, request.body.count ?? 3);
      const now = deps.clock();
      const answer = await writeOnce(deps.db, { accountId, request, now }, async (tx) => ({
        status: 200,
        body: {
          campaign_id: campaignId,
          ad_units: await storeDrafts(
            deps,
            { tx, now, advertiserId: accountId, actor: callerOf(request).actor },
            campaignId,
            drafts,
          ),
        },
      }));
      return reply.code(answer.status).send(answer.body);
    },
  );
}

function adWritingRoute(app: FastifyInstance, deps: AdWritingDeps): void {
  app.post<{ Body: WriteAds }>(
    '/advertiser-dashboard/ads/write',
    {
      onRequest: deps.guards.advertiserDashboard,
      schema: {
        tags: ['advertiser'],
        summary: 'Ads from a brief and a page, to choose from; nothing is stored',
        security: [{ apiKey: [] }],
        body: WriteAds,
        response: { 200: WrittenAds },
      },
    },
    (request) => writeAds(deps, request.body),
  );
}
