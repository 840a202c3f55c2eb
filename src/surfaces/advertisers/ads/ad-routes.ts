import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { idOf } from '../fields/id-of.js';
import { change } from '../route-schema.js';
import type { AdvertisersDeps, Writing } from '../routes.js';
import { AdInput } from '../schema.js';
import { AdView } from '../view-schema.js';
import { adView } from '../views.js';
import { archiveAd, createAd, editAd } from './write-ads.js';

interface GroupById {
  ad_group_id: string;
}
interface AdById {
  ad_id: string;
}

/** Ads an advertiser writes; generated ones can only be read, inside their group. */
export function adRoutes(
  app: FastifyInstance,
  { guards }: AdvertisersDeps,
  writing: Writing,
): void {
  const onRequest = guards.advertiserDashboard;

  app.post<{ Params: GroupById; Body: AdInput }>(
    '/advertiser-dashboard/ad-groups/:ad_group_id/ads',
    {
      onRequest,
      schema: {
        ...change('Add an ad to a manual group'),
        body: AdInput,
        response: { 201: AdView },
      },
    },
    (request, reply) =>
      writing(request, reply, async (write) => ({
        status: 201,
        body: adView(await createAd(write, idOf(request.params.ad_group_id), request.body)),
      })),
  );

  app.patch<{ Params: AdById; Body: AdInput }>(
    '/advertiser-dashboard/ads/:ad_id',
    {
      onRequest,
      schema: { ...change('Edit a manual ad'), body: AdInput, response: { 200: AdView } },
    },
    (request, reply) =>
      writing(request, reply, async (write) => ({
        status: 200,
        body: adView(await editAd(write, idOf(request.params.ad_id), request.body)),
      })),
  );

  app.delete<{ Params: AdById }>(
    '/advertiser-dashboard/ads/:ad_id',
    { onRequest, schema: { ...change('Archive a manual ad'), response: { 204: Type.Null() } } },
    (request, reply) =>
      writing(request, reply, async (write) => {
        await archiveAd(write, idOf(request.params.ad_id));
        return { status: 204, body: undefined };
      }),
  );
}
