import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../../domain/uuid.js';
import { advertiserOf } from '../../../platform/auth/guards.js';
import { AppError } from '../../../platform/errors.js';
import { findAdGroup, listAdGroups } from './ad-group-queries.js';
import { campaignExists } from '../campaigns/campaign-queries.js';
import { readCursor, writeCursor } from '../fields/cursor.js';
import { idOf } from '../fields/id-of.js';
import { change, read } from '../route-schema.js';
import type { AdvertisersDeps, Writing } from '../routes.js';
import { AdGroupListQuery, AdGroupPatch, NewAdGroup } from '../schema.js';
import { showAdGroups } from './show-ad-groups.js';
import { AdGroupView } from '../view-schema.js';
import { archiveAdGroup, createAdGroup, editAdGroup } from './write-ad-groups.js';

interface GroupById {
  ad_group_id: string;
}

export function adGroupRoutes(app: FastifyInstance, deps: AdvertisersDeps, writing: Writing): void {
  adGroupListRoute(app, deps);
  adGroupChangeRoutes(app, deps, writing);
}

function adGroupListRoute(app: FastifyInstance, deps: AdvertisersDeps): void {
  const { guards, db } = deps;
  const onRequest = guards.advertiserDashboard;

  app.get<{ Querystring: AdGroupListQuery }>(
    '/advertiser-dashboard/ad-groups',
    {
      onRequest,
      schema: {
        ...read(
          'Ad groups with their ads; with `limit`, the header X-Next-Cursor names the next page',
        ),
        querystring: AdGroupListQuery,
        response: { 200: Type.Array(AdGroupView) },
      },
    },
    async (request, reply) => {
      const { id: advertiserId } = advertiserOf(request);
      const {
        campaign_id: campaignId = null,
        q: search = null,
        include_archived: includeArchived,
        limit,
        cursor,
      } = request.query;
      if (
        campaignId !== null &&
        !(isUuid(campaignId) && (await campaignExists(db, advertiserId, campaignId)))
      )
        throw new AppError('not_found');
      const rows = await listAdGroups(db, advertiserId, {
        campaignId,
        search,
        includeArchived,
        after: readCursor(cursor),
        limit: limit === undefined ? null : limit + 1,
      });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      if (limit !== undefined && rows.length > limit && last !== undefined)
        void reply.header('x-next-cursor', writeCursor(last));
      return showAdGroups(db, page, includeArchived);
    },
  );
}

function adGroupChangeRoutes(app: FastifyInstance, deps: AdvertisersDeps, writing: Writing): void {
  const { guards, db } = deps;
  const onRequest = guards.advertiserDashboard;

  app.post<{ Body: NewAdGroup }>(
    '/advertiser-dashboard/ad-groups',
    {
      onRequest,
      schema: { ...change('Create an ad group'), body: NewAdGroup, response: { 201: AdGroupView } },
    },
    (request, reply) =>
      writing(request, reply, async (write) => {
        const [body] = await showAdGroups(write.tx, [await createAdGroup(write, request.body)]);
        return { status: 201, body };
      }),
  );

  app.get<{ Params: GroupById }>(
    '/advertiser-dashboard/ad-groups/:ad_group_id',
    { onRequest, schema: { ...read('One ad group with its ads'), response: { 200: AdGroupView } } },
    async (request) => {
      const { ad_group_id: id } = request.params;
      const group = isUuid(id) ? await findAdGroup(db, advertiserOf(request).id, id) : null;
      if (group === null) throw new AppError('not_found');
      const [shown] = await showAdGroups(db, [group]);
      return shown;
    },
  );

  app.patch<{ Params: GroupById; Body: AdGroupPatch }>(
    '/advertiser-dashboard/ad-groups/:ad_group_id',
    {
      onRequest,
      schema: {
        ...change('Edit an ad group; null clears a field, `ads` replaces the list'),
        body: AdGroupPatch,
        response: { 200: AdGroupView },
      },
    },
    (request, reply) =>
      writing(request, reply, async (write) => {
        const [body] = await showAdGroups(write.tx, [
          await editAdGroup(write, idOf(request.params.ad_group_id), request.body),
        ]);
        return { status: 200, body };
      }),
  );

  app.delete<{ Params: GroupById }>(
    '/advertiser-dashboard/ad-groups/:ad_group_id',
    {
      onRequest,
      schema: { ...change('Archive an ad group and its ads'), response: { 204: Type.Null() } },
    },
    (request, reply) =>
      writing(request, reply, async (write) => {
        await archiveAdGroup(write, idOf(request.params.ad_group_id));
        return { status: 204, body: undefined };
      }),
  );
}
