import type { FastifyRequest } from 'fastify';
import type { AccountDirectory } from '../../platform/auth/account-directory.js';
import type { PublisherAccount } from '../../platform/auth/queries.js';
import { readAudience } from './read-request.js';
import type { ServingRouteDeps } from './routes.js';
import type { AdAnswer } from './serve-ads.js';
import type { AdRequest } from './schema.js';

/**
 * One placement for a visitor of our own pages: the visitor is the audience, the session is
 * anonymous, and nobody but demo advertisers takes part.
 */
export function askForAds(
  deps: Pick<
    ServingRouteDeps,
    'clock' | 'mintId' | 'clientAddress' | 'countryOf' | 'describeAgent' | 'serveAds'
  > & { directory: Pick<AccountDirectory, 'advertiser'> },
) {
  return async (
    publisher: PublisherAccount,
    asked: Pick<AdRequest, 'messages' | 'sessionId' | 'relevancy' | 'testAd'> & {
      placement?: AdRequest['placements'][number]['placement'];
    },
    request: FastifyRequest,
  ): Promise<AdAnswer & { requestId: string }> => {
    const { messages, sessionId, relevancy, testAd, placement = 'below_response' } = asked;
    const body: AdRequest = {
      messages,
      sessionId,
      relevancy,
      testAd,
      placements: [{ placement, placement_id: 'playground' }],
    };
    const requestId = deps.mintId(deps.clock());
    const audience = readAudience(body, {
      address: deps.clientAddress(request.raw),
      agent: request.headers['user-agent'],
      language: request.headers['accept-language'],
      countryOf: deps.countryOf,
      describeAgent: deps.describeAgent,
    });
    const isDemo = (id: string): boolean => deps.directory.advertiser(id)?.isDemo === true;
    const answer = await deps.serveAds(requestId, publisher, body, audience, undefined, isDemo);
    return { requestId, ...answer };
  };
}
