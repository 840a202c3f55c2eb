import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { formatDate } from '../../domain/time/zone.js';
import { formatUuidV7 } from '../../domain/uuid.js';
import { advertiserOf, type Guards, publisherOf } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { listLiveEvents } from './live-queries.js';

/** How far back the view goes; beacons come this long after their ad, as a rule. */
const minutes = 10;

const LiveQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 100 }),
});
type LiveQuery = Static<typeof LiveQuery>;

const text = (description?: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    ...(description === undefined ? {} : { description }),
  });

export const LiveEvents = Type.Object({
  events: Type.Array(
    Type.Object({
      at: Type.String(),
      kind: Type.String({ description: '`request`, `win`, `impression`, `click`, `conversion`' }),
      country: text(),
      device: text(),
      placement: text(),
      campaign: text('Where it is the account’s own, or for operators'),
      publisher: text(),
      reason: text('Why a request got no ad'),
    }),
  ),
});

/**
 * What happens right now, to look at while it happens: no person, no text, nothing to count by. The
 * newest come first, a hundred at most.
 */
export function liveRoutes(
  app: FastifyInstance,
  { db, clock, guards }: { db: Db; clock: Clock; guards: Guards },
): void {
  const list = async (
    of: { advertiserId: string | null; publisherId: string | null },
    { limit }: LiveQuery,
  ): Promise<Static<typeof LiveEvents>> => {
    const since = clock() - minutes * 60_000;
    const rows = await listLiveEvents(db, {
      ...of,
      limit,
      since: new Date(since),
      firstId: formatUuidV7(since, new Uint8Array(16)),
      days: [...new Set([formatDate(clock()), formatDate(since)])],
    });
    return {
      events: rows.map((row) => ({
        ...row,
        at: formatTimestamp(row.at.getTime()),
        campaign: of.publisherId === null ? row.campaign : null,
      })),
    };
  };
  const schema = (tag: string, key: string) => ({
    tags: [tag],
    summary: 'Requests, ads, impressions and clicks of the last ten minutes, newest first',
    security: [{ [key]: [] }],
    querystring: LiveQuery,
    response: { 200: LiveEvents },
  });
  app.get<{ Querystring: LiveQuery }>(
    '/advertiser-dashboard/live',
    { onRequest: guards.advertiserDashboard, schema: schema('advertiser reports', 'apiKey') },
    (request) => list({ advertiserId: advertiserOf(request).id, publisherId: null }, request.query),
  );
  app.get<{ Querystring: LiveQuery }>(
    '/publisher-dashboard/live',
    {
      onRequest: guards.publisherDashboard,
      config: { validationStatus: 400 },
      schema: schema('publisher reports', 'apiKey'),
    },
    (request) => list({ advertiserId: null, publisherId: publisherOf(request).id }, request.query),
  );
  app.get<{ Querystring: LiveQuery }>(
    '/operator/live',
    { onRequest: guards.operator, schema: schema('operator', 'session') },
    (request) => list({ advertiserId: null, publisherId: null }, request.query),
  );
}
