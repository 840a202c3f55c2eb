import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../../domain/uuid.js';
import { AppError } from '../../../platform/errors.js';
import { change } from '../route-schema.js';
import type { AdvertisersDeps, Writing } from '../routes.js';
import { LinkedUnits, NewAdUnit, ReplacedUnits } from '../schema.js';
import { AdUnitView, ArchivedUnit, UnitLinks } from '../view-schema.js';
import { adUnitView } from '../views.js';
import { createAdUnit, linkAdUnits, toggleUnitArchive } from './write-ad-units.js';

interface CampaignById {
  campaign_id: string;
}

/** Ad units came before ad groups and ads; they keep working. */
export function adUnitRoutes(app: FastifyInstance, deps: AdvertisersDeps, writing: Writing): void {
  const { guards } = deps;

  const onRequest = guards.advertiserDashboard;

  app.post<{ Body: NewAdUnit }>(
    '/advertiser-dashboard/ad-units',
    {
      onRequest,
      schema: {
        ...change('Create an ad unit'),
        deprecated: true,
        body: NewAdUnit,
        response: { 200: AdUnitView },
      },
    },
    (request, reply) =>
      writing(request, reply, async (write) => ({
        status: 200,
        body: adUnitView(await createAdUnit(write, request.body)),
      })),
  );

  linkRoutes(app, deps, writing);

  app.patch<{ Params: { ad_unit_id: string } }>(
    '/advertiser-dashboard/ad-units/:ad_unit_id/archive',
    {
      onRequest,
      schema: {
        ...change('Archive an ad unit, or bring it back as a draft'),
        deprecated: true,
        response: { 200: ArchivedUnit },
      },
    },
    (request, reply) =>
      writing(request, reply, async (write) => {
        if (!isUuid(request.params.ad_unit_id)) throw new AppError('not_found');
        const unit = await toggleUnitArchive(write, request.params.ad_unit_id);
        return {
          status: 200,
          body: {
            ad_unit_id: unit.id,
            is_archived: unit.status === 'archived',
            status: unit.status,
          },
        };
      }),
  );
}

function linkRoutes(app: FastifyInstance, deps: AdvertisersDeps, writing: Writing): void {
  const { guards } = deps;
  const links = '/advertiser-dashboard/campaigns/:campaign_id/ad-units';
  const onRequest = guards.advertiserDashboard;

  app.post<{ Params: CampaignById; Body: LinkedUnits }>(
    links,
    {
      onRequest,
      schema: {
        ...change('Link ad units to a campaign'),
        deprecated: true,
        body: LinkedUnits,
        response: { 200: UnitLinks },
      },
    },
    (request, reply) =>
      writing(request, reply, async (write) => {
        const { campaign_id: campaignId } = request.params;
        return {
          status: 200,
          body: {
            campaign_id: campaignId,
            ad_unit_ids: await linkAdUnits(write, campaignId, request.body.ad_unit_ids, 'add'),
          },
        };
      }),
  );

  app.put<{ Params: CampaignById; Body: LinkedUnits }>(
    links,
    {
      onRequest,
      schema: {
        ...change('Replace the ad units of a campaign'),
        deprecated: true,
        body: ReplacedUnits,
        response: { 200: UnitLinks },
      },
    },
    (request, reply) =>
      writing(request, reply, async (write) => {
        const { campaign_id: campaignId } = request.params;
        return {
          status: 200,
          body: {
            campaign_id: campaignId,
            ad_unit_ids: await linkAdUnits(write, campaignId, request.body.ad_unit_ids, 'replace'),
          },
        };
      }),
  );
}
