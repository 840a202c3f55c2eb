import { type Static, Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid } from '../../domain/uuid.js';
import { advertiserOf, type Guards, publisherOf } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import type { Log } from '../../platform/log.js';
import { keptPerKey, type NoteRequest, noteRequests } from './note-requests.js';
import { listRequests } from './queries.js';

const RequestsQuery = Type.Object({
  key_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only this key' })),
  limit: Type.Integer({ minimum: 1, maximum: keptPerKey, default: 50 }),
});
type RequestsQuery = Static<typeof RequestsQuery>;

const Requests = Type.Object({
  requests: Type.Array(
    Type.Object({
      id: Type.String(),
      at: Type.String(),
      key_id: Type.String(),
      key_name: Type.String(),
      method: Type.String(),
      route: Type.String({ description: 'As the reference names it, without what was sent' }),
      status: Type.Integer(),
      reason: Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'Why there was no ad, or what was wrong',
      }),
      latency_ms: Type.Number(),
    }),
  ),
});

/**
 * The last requests of each key, for whoever integrates: what was asked, how it was answered, why
 * there was no ad. Owns key_requests.
 */
export function requestLogRoutes(
  app: FastifyInstance,
  deps: { db: Db; clock: Clock; mintId: MintId; guards: Guards; log: Log },
): NoteRequest {
  const { guards } = deps;
  const summary = 'The last requests of the account’s keys, newest first; no personal data';
  const schema = (tag: string) => ({
    tags: [tag],
    summary,
    security: [{ apiKey: [] }],
    querystring: RequestsQuery,
    response: { 200: Requests },
  });
  app.get<{ Querystring: RequestsQuery }>(
    '/publisher-dashboard/requests',
    {
      onRequest: guards.publisherDashboard,
      config: { csv: { list: 'requests' }, validationStatus: 400, isRequestLog: true },
      schema: schema('publisher reports'),
    },
    (request) => show({ kind: 'publisher', id: publisherOf(request).id }, request.query),
  );
  app.get<{ Querystring: RequestsQuery }>(
    '/advertiser-dashboard/requests',
    {
      onRequest: guards.advertiserDashboard,
      config: { csv: { list: 'requests' }, isRequestLog: true },
      schema: schema('advertiser reports'),
    },
    (request) => show({ kind: 'advertiser', id: advertiserOf(request).id }, request.query),
  );

  async function show(
    account: { kind: 'advertiser' | 'publisher'; id: string },
    { key_id: asked, limit }: RequestsQuery,
  ) {
    const keyId = asked ?? null;
    if (keyId !== null && !isUuid(keyId)) throw new AppError('not_found');
    const rows = await listRequests(deps.db, account, keyId, limit);
    return {
      requests: rows.map((row) => ({
        id: row.id,
        at: formatTimestamp(row.at.getTime()),
        key_id: row.keyId,
        key_name: row.keyName,
        method: row.method,
        route: row.route,
        status: row.status,
        reason: row.reason,
        latency_ms: row.latencyMs,
      })),
    };
  }
  return noteRequests(app, deps);
}
