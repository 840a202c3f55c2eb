import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../domain/uuid.js';
import { advertiserOf } from '../../platform/auth/guards.js';
import { AppError } from '../../platform/errors.js';
import { findAdGroup, listAdGroups } from './ad-group-queries.js';
import { campaignExists } from './campaign-queries.js';
import { readCursor, writeCursor } from './cursor.js';
import { change, read } from './route-schema.js';
import type { AdvertisersDeps, Writing } from './routes.js';
import { AdGroupListQuery, AdGroupPatch, AdInput, NewAdGroup } from './schema.js';
import { showAdGroups } from './show-ad-groups.js';
import { AdGroupView, AdView } from './view-schema.js';
import { adView } from './views.js';
import { archiveAdGroup, createAdGroup, editAdGroup } from './write-ad-groups.js';
import { archiveAd, createAd, editAd } from './write-ads.js';

interface GroupById {
  ad_group_id: string;
}
interface AdById {
  ad_id: string;
}

export function adGroupRoutes(app: FastifyInstance, { db, guards }: AdvertisersDeps, writing: Writing): void {
  const onRequest = guards.advertiserDashboard;

  app.get<{ Querystring: AdGroupListQuery }>(
    '/advertiser-dashboard/ad-groups',
    { onRequest, schema: { ...read('Ad groups with their ads; with `limit`, the header X-Next-Cursor names the next page'), querystring: AdGroupListQuery, response: { 200: Type.Array(AdGroupView) } } },
    async (request, reply) => {
      const { id: advertiserId } = advertiserOf(request);
      const { campaign_id: campaignId = null, include_archived: includeArchived, limit, cursor } = request.query;
      if (campaignId !== null && !(isUuid(campaignId) && (await campaignExists(db, advertiserId, campaignId)))) throw new AppError('not_found');
      const rows = await listAdGroups(db, advertiserId, { campaignId, includeArchived, after: readCursor(cursor), limit: limit === undefined ? null : limit + 1 });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      if (limit !== undefined && rows.length > limit && last !== undefined) void reply.header('x-next-cursor', writeCursor(last));
      return showAdGroups(db, page, includeArchived);
    },
  );

  app.post<{ Body: NewAdGroup }>(
    '/advertiser-dashboard/ad-groups',
    { onRequest, schema: { ...change('Create an ad group'), body: NewAdGroup, response: { 201: AdGroupView } } },
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
    { onRequest, schema: { ...change('Edit an ad group; null clears a field, `ads` replaces the list'), body: AdGroupPatch, response: { 200: AdGroupView } } },
    (request, reply) =>
      writing(request, reply, async (write) => {
        const [body] = await showAdGroups(write.tx, [await editAdGroup(write, idOf(request.params.ad_group_id), request.body)]);
        return { status: 200, body };
      }),
  );

  app.delete<{ Params: GroupById }>('/advertiser-dashboard/ad-groups/:ad_group_id', { onRequest, schema: { ...change('Archive an ad group and its ads'), response: { 204: Type.Null() } } }, (request, reply) =>
    writing(request, reply, async (write) => {
      await archiveAdGroup(write, idOf(request.params.ad_group_id));
      return { status: 204, body: undefined };
    }),
  );

  app.post<{ Params: GroupById; Body: AdInput }>(
    '/advertiser-dashboard/ad-groups/:ad_group_id/ads',
    { onRequest, schema: { ...change('Add an ad to a manual group'), body: AdInput, response: { 201: AdView } } },
    (request, reply) => writing(request, reply, async (write) => ({ status: 201, body: adView(await createAd(write, idOf(request.params.ad_group_id), request.body)) })),
  );

  app.patch<{ Params: AdById; Body: AdInput }>(
    '/advertiser-dashboard/ads/:ad_id',
    { onRequest, schema: { ...change('Edit a manual ad'), body: AdInput, response: { 200: AdView } } },
    (request, reply) => writing(request, reply, async (write) => ({ status: 200, body: adView(await editAd(write, idOf(request.params.ad_id), request.body)) })),
  );

  app.delete<{ Params: AdById }>('/advertiser-dashboard/ads/:ad_id', { onRequest, schema: { ...change('Archive a manual ad'), response: { 204: Type.Null() } } }, (request, reply) =>
    writing(request, reply, async (write) => {
      await archiveAd(write, idOf(request.params.ad_id));
      return { status: 204, body: undefined };
    }),
  );
}

/** What is not an id names nothing. */
function idOf(text: string): string {
  if (!isUuid(text)) throw new AppError('not_found');
  return text;
}
