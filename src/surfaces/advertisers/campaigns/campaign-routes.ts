import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUuid } from '../../../domain/uuid.js';
import { type AdvertiserAccount } from '../../../platform/auth/queries.js';
import { advertiserOf } from '../../../platform/auth/guards.js';
import { AppError } from '../../../platform/errors.js';
import { linkedUnitIds } from '../ads/ad-unit-queries.js';
import { findCampaign, listCampaigns } from './campaign-queries.js';
import { withCategoryIds } from './category-ids.js';
import { readCursor, writeCursor } from '../fields/cursor.js';
import { change, read } from '../route-schema.js';
import type { AdvertisersDeps, Writing } from '../routes.js';
import { CampaignListQuery, CampaignPatch, NewCampaign } from '../schema.js';
import { showAdGroups } from '../ad-groups/show-ad-groups.js';
import {
  ArchivedCampaign,
  CampaignDetail,
  CampaignList,
  CampaignView,
  CreatedCampaign,
} from '../view-schema.js';
import { campaignView, campaignWithStats } from '../views.js';
import type { Write } from '../write.js';
import { createCampaign, editCampaign, toggleCampaignArchive } from './write-campaigns.js';

interface ById {
  campaign_id: string;
}

export function campaignRoutes(
  app: FastifyInstance,
  deps: AdvertisersDeps,
  writing: Writing,
): void {
  campaignListRoute(app, deps);
  oneCampaignRoute(app, deps);
  newCampaignRoute(app, deps, writing);
  campaignChangeRoutes(app, deps, writing);
}

function campaignListRoute(app: FastifyInstance, deps: AdvertisersDeps): void {
  const { guards, db, caps, clock } = deps;
  const onRequest = guards.advertiserDashboard;

  app.get<{ Querystring: CampaignListQuery }>(
    '/advertiser-dashboard/campaigns',
    {
      onRequest,
      config: { csv: { list: 'campaigns' } },
      schema: {
        ...read('Campaigns with lifetime stats, newest first'),
        querystring: CampaignListQuery,
        response: { 200: CampaignList },
      },
    },
    async (request) => {
      const advertiser = advertiserOf(request);
      const { status = null, include_archived: includeArchived, limit, cursor } = request.query;
      const { q = null, review_status: reviewStatus = null, archived } = request.query;
      const rows = await listCampaigns(db, advertiser.id, {
        today: todayOf(deps, advertiser),
        status,
        reviewStatus,
        search: q,
        includeArchived: includeArchived || archived === 'only',
        onlyArchived: archived === 'only',
        before: readCursor(cursor),
        limit: limit === undefined ? null : limit + 1,
      });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const next =
        limit !== undefined && rows.length > limit && last !== undefined ? writeCursor(last) : null;
      return {
        campaigns: page.map((row) => campaignWithStats(row, caps, clock())),
        ...(limit === undefined ? {} : { next_cursor: next }),
      };
    },
  );
}

function oneCampaignRoute(app: FastifyInstance, deps: AdvertisersDeps): void {
  const { guards, db, caps, clock } = deps;
  const onRequest = guards.advertiserDashboard;

  app.get<{ Params: ById }>(
    '/advertiser-dashboard/campaigns/:campaign_id',
    {
      onRequest,
      schema: { ...read('One campaign with lifetime stats'), response: { 200: CampaignDetail } },
    },
    async (request) => {
      const advertiser = advertiserOf(request);
      const { campaign_id: id } = request.params;
      const row = isUuid(id)
        ? await findCampaign(db, advertiser.id, id, todayOf(deps, advertiser))
        : null;
      if (row === null) throw new AppError('not_found');
      return {
        ...campaignWithStats(row, caps, clock()),
        ad_unit_ids: await linkedUnitIds(db, row.id),
      };
    },
  );
}

function newCampaignRoute(app: FastifyInstance, deps: AdvertisersDeps, writing: Writing): void {
  const { guards, contentCategories } = deps;
  const onRequest = guards.advertiserDashboard;

  app.post<{ Body: NewCampaign }>(
    '/advertiser-dashboard/campaigns',
    {
      onRequest,
      schema: {
        ...change('Create a campaign with its ad groups or ad units'),
        body: NewCampaign,
        response: { 200: CreatedCampaign },
      },
    },
    (request, reply) =>
      writing(request, reply, async (write) => {
        const { campaign, groups, adUnitIds } = await createCampaign(
          write,
          withCategoryIds(request.body, contentCategories),
        );
        return {
          status: 200,
          body: {
            ...(await viewOf(deps, write, request, campaign.id)),
            ad_groups: await showAdGroups(write.tx, groups),
            ad_unit_ids: adUnitIds,
          },
        };
      }),
  );
}

function campaignChangeRoutes(app: FastifyInstance, deps: AdvertisersDeps, writing: Writing): void {
  const { guards, contentCategories } = deps;
  const onRequest = guards.advertiserDashboard;

  app.patch<{ Params: ById; Body: CampaignPatch }>(
    '/advertiser-dashboard/campaigns/:campaign_id',
    {
      onRequest,
      schema: {
        ...change('Edit a campaign; null clears a field'),
        body: CampaignPatch,
        response: { 200: CampaignView },
      },
    },
    (request, reply) =>
      writing(request, reply, async (write) => {
        const campaign = await editCampaign(
          write,
          request.params.campaign_id,
          withCategoryIds(request.body, contentCategories),
        );
        return {
          status: 200,
          body: await viewOf(deps, write, request, campaign.id),
        };
      }),
  );

  app.patch<{ Params: ById }>(
    '/advertiser-dashboard/campaigns/:campaign_id/archive',
    {
      onRequest,
      schema: {
        ...change('Archive a campaign, or bring it back'),
        response: { 200: ArchivedCampaign },
      },
    },
    (request, reply) =>
      writing(request, reply, async (write) => {
        const campaign = await toggleCampaignArchive(write, request.params.campaign_id);
        return {
          status: 200,
          body: { campaign_id: campaign.id, is_archived: campaign.is_archived },
        };
      }),
  );
}

/** As it stands after the write. */
const viewOf = async (deps: AdvertisersDeps, write: Write, request: FastifyRequest, id: string) => {
  const advertiser = advertiserOf(request);
  const row = await findCampaign(write.tx, advertiser.id, id, todayOf(deps, advertiser));
  if (row === null) throw new AppError('not_found');
  return campaignView(row, deps.caps, write.now);
};

const todayOf = (deps: AdvertisersDeps, advertiser: AdvertiserAccount): string =>
  deps.budgetDays.at(advertiser.timeZone, deps.clock()).date;
