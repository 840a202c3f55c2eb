import type { FastifyInstance } from 'fastify';
import { type Guards, publisherOf, requireApproved } from '../../platform/auth/guards.js';
import { bodiesReadBefore, type ReadBodies } from '../../platform/http/read-bodies.js';
import { privacyHeaders } from '../../platform/privacy/privacy-headers.js';
import { type AnswerDeps, answerRequest } from './door/answer-request.js';
import { AdRequest, ServedAds } from './schema.js';
import { Type } from '@sinclair/typebox';

export interface ServingRouteDeps extends AnswerDeps {
  guards: Guards;
  /** What the door before the framework read of requests it left to it. */
  readBodies: ReadBodies;
}

export const adRoute = '/api/v1/ad';
const bodyLimit = 512 * 1024;

/**
 * Ads for publishers. No database call on this path: inventory, keys and budgets are in memory, the
 * event log is the only I/O. Most requests are answered by `door/front` and only the unusual ones
 * come here.
 */
export function servingRoutes(app: FastifyInstance, deps: ServingRouteDeps): void {
  app.post<{ Body: AdRequest }>(
    adRoute,
    {
      bodyLimit,
      config: { quiet: true },
      onRequest: deps.guards.adServing,
      preParsing: bodiesReadBefore(deps.readBodies),
      // Before the body is judged: whoever may not serve learns that first.
      preValidation(request, _reply, done) {
        if (!asksForTestAd(request.body) || publisherOf(request).status === 'blocked')
          requireApproved(request);
        done();
      },
      schema: {
        tags: ['ads'],
        summary: 'Ask for ads that fit a conversation',
        security: [{ bearer: [] }],
        body: AdRequest,
        response: {
          200: ServedAds,
          204: Type.Null({ description: 'No ad; the header `No-Ad-Reason` says why' }),
        },
      },
    },
    async (request, reply) => {
      const { requestId, ads, noAdReason, privacy } = await answerRequest(
        deps,
        publisherOf(request),
        request.body,
        request.raw,
      );
      void reply
        .headers(privacyHeaders(privacy))
        .header('x-ad-request-id', requestId)
        .header('cache-control', 'no-store');
      if (noAdReason !== null) return reply.header('no-ad-reason', noAdReason).code(204).send();
      return ads;
    },
  );
}

function asksForTestAd(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'testAd' in body && body.testAd === true;
}
