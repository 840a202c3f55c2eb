import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { nilUuid } from '../../domain/uuid.js';
import { advertiserOf } from '../../platform/auth/guards.js';
import { AppError, fieldError } from '../../platform/errors.js';
import { type FollowDeps, followErasures } from './erasing/follow-erasures.js';
import { type PrivacyJobDeps, privacyJobs } from './jobs.js';
import { optOut } from './opt-out.js';
import { findPixelOwner } from './queries.js';
import { readIdentities } from './read-identities.js';
import { privacyRequestRoutes } from './request-routes.js';
import { OptOut, OptOutAnswer } from './schema.js';

type PrivacyDeps = Parameters<typeof privacyRequestRoutes>[1] & FollowDeps & PrivacyJobDeps;

/**
 * People's choice not to be tracked. Owns opt_outs. A page may name only its own visitor; e-mails,
 * phones and customer ids
 * need the advertiser's key, or anybody could opt others out.
 */
export function privacyRoutes(app: FastifyInstance, deps: PrivacyDeps): void {
  let stop = (): Promise<void> => Promise.resolve();
  app.addHook('onReady', async () => {
    stop = await followErasures(deps);
  });
  app.addHook('onClose', () => stop());
  privacyJobs(deps);
  privacyRequestRoutes(app, deps);
  optOutRoutes(app, deps);
}

function optOutRoutes(app: FastifyInstance, deps: PrivacyDeps): void {
  app.post<{ Body: OptOut }>(
    '/privacy/opt-out',
    {
      onRequest: [openToAll, (request) => keyIfGiven(deps, request)],
      schema: {
        tags: ['privacy'],
        summary: 'Stop tracking a visitor or a person',
        security: [{}, { bearer: [] }, { queryKey: [] }, { apiKey: [] }],
        body: OptOut,
        response: { 200: OptOutAnswer },
      },
    },
    async (request) => {
      const { body } = request;
      const { keys } = readIdentities({ ...body, ...body.user_data });
      if (request.caller !== undefined) {
        if (keys.length === 0)
          throw fieldError(['body'], 'visitor_id, em, ph or external_id is needed', 'missing');
        await optOut(deps, advertiserOf(request).id, keys, 'api');
        return { status: 'ok' as const };
      }
      const visitor = readIdentities({ visitor_id: body.visitor_id ?? null }).keys;
      if (keys.length > visitor.length) throw new AppError('missing_api_key');
      if (visitor.length === 0)
        throw fieldError(['body', 'visitor_id'], 'Field required', 'missing');
      await optOut(deps, await ownerOf(deps, body.pixel_id ?? null), visitor, 'pixel');
      return { status: 'ok' as const };
    },
  );
  app.options(
    '/privacy/opt-out',
    { onRequest: openToAll, schema: { hide: true } },
    (_request, reply) =>
      reply
        .headers({
          'access-control-allow-methods': 'POST, OPTIONS',
          'access-control-allow-headers': 'content-type, authorization, x-api-key',
          'access-control-max-age': '86400',
        })
        .code(204)
        .send(),
  );
}

async function keyIfGiven(deps: PrivacyDeps, request: FastifyRequest): Promise<void> {
  if (request.headers['x-api-key'] !== undefined) return deps.guards.advertiserDashboard(request);
  const { query } = request;
  if (
    request.headers.authorization !== undefined ||
    (typeof query === 'object' && query !== null && 'api_key' in query)
  )
    await deps.guards.conversionIntake(request);
}

/**
 * A visitor without a pixel (opted out before the page loaded one) is out everywhere: visitor ids
 * are random, so nobody else is meant.
 */
async function ownerOf(deps: PrivacyDeps, pixelId: string | null): Promise<string> {
  if (pixelId === null || pixelId === '') return nilUuid;
  const owner = await findPixelOwner(deps.db, pixelId);
  if (owner === null) throw new AppError('not_found');
  return owner;
}

async function openToAll(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  void reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
}
