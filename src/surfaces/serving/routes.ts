import type { FastifyInstance } from 'fastify';
import { type Guards, publisherOf, requireApproved } from '../../platform/auth/guards.js';
import { readSignals } from '../../domain/privacy/read-signals.js';
import type { Clock } from '../../platform/clock.js';
import type { ConsentReader } from '../../platform/consent/consent-reader.js';
import type { ClientAddress } from '../../platform/http/client-address.js';
import type { MintId } from '../../platform/ids.js';
import { privacyHeaders } from '../../platform/privacy/privacy-headers.js';
import { readAudience, type RequestFacts } from './read-request.js';
import { AdRequest, ServedAd } from './schema.js';
import type { ServeAds } from './serve-ads.js';
import { Type } from '@sinclair/typebox';

export interface ServingRouteDeps {
  clock: Clock;
  mintId: MintId;
  guards: Guards;
  clientAddress: ClientAddress;
  countryOf: RequestFacts['countryOf'];
  describeAgent: RequestFacts['describeAgent'];
  serveAds: ServeAds;
  consent: Pick<ConsentReader, 'judge'>;
}

const bodyLimit = 512 * 1024;

/**
 * Ads for publishers. No database call on this path: inventory, keys and budgets are in memory, the
 * event log is the only I/O.
 */
export function servingRoutes(app: FastifyInstance, deps: ServingRouteDeps): void {
  app.post<{ Body: AdRequest }>(
    '/api/v1/ad',
    {
      bodyLimit,
      config: { quiet: true },
      onRequest: deps.guards.adServing,
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
          200: Type.Array(ServedAd),
          204: Type.Null({ description: 'No ad; the header `No-Ad-Reason` says why' }),
        },
      },
    },
    async (request, reply) => {
      const requestId = deps.mintId(deps.clock());
      const { regs, coppa, user, device } = request.body;
      const said = await deps.consent.judge(
        readSignals({ places: [regs, { coppa }], user, device, headers: request.headers }),
      );
      const address =
        forwardedAddress(request.headers['x-forwarded-for']) ?? deps.clientAddress(request.raw);
      const audience = readAudience(
        request.body,
        {
          countryOf: deps.countryOf,
          describeAgent: deps.describeAgent,
          address,
          agent: request.headers['user-agent'],
          language: request.headers['accept-language'],
        },
        said,
      );
      const { ads, noAdReason, privacy } = await deps.serveAds(
        requestId,
        publisherOf(request),
        request.body,
        audience,
        () => request.raw.socket.destroyed,
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

/**
 * A publisher's server is authenticated and may name its user's address in the body, so its
 * X-Forwarded-For is believed as well.
 */
function forwardedAddress(header: string | string[] | undefined): string | null {
  const first = (Array.isArray(header) ? header[0] : header)?.split(',')[0]?.trim();
  return first === undefined || first === '' ? null : first;
}
