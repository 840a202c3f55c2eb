import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  agentProfile,
  isUcpVersion,
  type UcpVersion,
  usualUcpVersion,
} from '../../domain/commerce/ucp-profile.js';
import { type Guards, publisherOf } from '../../platform/auth/guards.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { AppError } from '../../platform/errors.js';
import { privacyHeaders } from '../../platform/privacy/privacy-headers.js';
import { judgeSearch } from '../../platform/privacy/searcher.js';
import { countSearchesBefore } from './queries.js';
import { readIdentity, withoutNulls } from './read-query.js';
import { ShopAnswer, ShopQuery } from './schema.js';
import { searchProducts, type ShopSearchDeps } from './search-products.js';
import { openAnswer } from '../../platform/http/plain-answers.js';

/**
 * Product search for agents, and the agent profile merchants fetch. Owns shop_searches; reads
 * merchants and products.
 */
export function shopSearchRoutes(
  app: FastifyInstance,
  deps: ShopSearchDeps & { guards: Guards },
): void {
  const dropNulls = async (request: FastifyRequest): Promise<void> => {
    request.body = withoutNulls(request.body);
  };
  app.post<{ Body: ShopQuery }>(
    '/shop/search',
    {
      onRequest: deps.guards.index.onRequest,
      preValidation: [deps.guards.index.preValidation, dropNulls],
      schema: {
        tags: ['index'],
        summary: 'Find products to buy',
        security: [{ apiKey: [] }],
        body: ShopQuery,
        response: { 200: ShopAnswer },
      },
    },
    async (request, reply) => {
      const { body, headers } = request;
      const publisher = publisherOf(request);
      const { emailHash } = readIdentity(body);
      const privacy = await judgeSearch(deps, publisher.id, body, emailHash, headers);
      void reply.headers(privacyHeaders(privacy));
      return searchProducts(deps, publisher, body, privacy);
    },
  );

  app.get(
    '/.well-known/ucp-agent.json',
    {
      schema: {
        tags: ['index'],
        summary: 'Profile of agents that shop through this service',
        response: { 200: openAnswer },
      },
    },
    (request, reply) => sendProfile(request, reply, usualUcpVersion),
  );

  app.get<{ Params: { file: string } }>(
    '/.well-known/ucp-agent/:file',
    {
      schema: {
        tags: ['index'],
        summary: 'The same profile for one release of the protocol',
        response: { 200: openAnswer },
      },
    },
    (request, reply) => {
      const version = request.params.file.replace(/\.json$/, '');
      if (!isUcpVersion(version)) throw new AppError('not_found');
      return sendProfile(request, reply, version);
    },
  );
}

/** Merchants keep it for an hour and ask again by tag. */
function sendProfile(
  request: FastifyRequest,
  reply: FastifyReply,
  version: UcpVersion,
): FastifyReply {
  const text = JSON.stringify(agentProfile(version));
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  void reply
    .header('cache-control', 'public, max-age=3600')
    .header('etag', etag)
    .header('access-control-allow-origin', '*');
  return request.headers['if-none-match'] === etag
    ? reply.code(304).send()
    : reply.type('application/json').send(text);
}

export function shopSearchJobs({
  db,
  clock,
  jobs,
  retentionDays,
}: Pick<ShopSearchDeps, 'db' | 'clock'> & { jobs: JobQueue; retentionDays: number }): void {
  jobs.every('forget-shop-searches', 86_400_000, () =>
    countSearchesBefore(db, new Date(clock() - retentionDays * 86_400_000)),
  );
}
