import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { grclidOf } from '../../domain/grclid.js';
import { openToken, servedAt, type TrackingToken } from '../../domain/tracking-token.js';
import { createBoundedCache } from '../../platform/bounded-cache.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { ClientAddress } from '../../platform/http/client-address.js';
import { isPrivateAddress } from '../../platform/outbound/private-address.js';
import type { TrackingKeys } from '../../platform/secrets/tracking-keys.js';
import { createTrafficJudge, trafficRules, type Beacon } from './judge-traffic.js';
import { type Landing, landingUrl, utmRecord } from './landing-url.js';
import { findLanding } from './queries.js';
import { type BeaconDeps, createBeaconRecorder, type Visitor } from './record-beacon.js';
import { TokenQuery, ViewableTime } from './schema.js';

export interface TrackingDeps extends Omit<BeaconDeps, 'judge'> {
  db: Db;
  trackingKeys: Pick<TrackingKeys, 'find'>;
  clientAddress: ClientAddress;
  countryOf: (address: string) => string | null;
  describeAgent: (agent: string | undefined) => { deviceType: string; bot: Beacon['bot'] };
}

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const landingCacheMs = 500;

/** Impressions, clicks and viewable time of served ads. The token in `p` is the only credential. Writes only through the event log. */
export function trackingRoutes(app: FastifyInstance, deps: TrackingDeps): void {
  const judge = createTrafficJudge({ ...trafficRules, impressionWindowMs: deps.impressionWindowMs });
  const record = createBeaconRecorder({ ...deps, judge });
  const landings = createBoundedCache<string, { landing: Landing | null; at: number }>(10_000);

  for (const path of ['/ack', '/track/imp']) {
    app.get<{ Querystring: TokenQuery }>(
      path,
      { exposeHeadRoute: false, config: { quiet: true }, schema: { tags: ['tracking'], summary: 'Record an impression', querystring: TokenQuery } },
      async (request, reply) => {
        const token = tokenOf(request.query.p);
        await record('impression', token, visitorOf(request));
        return uncached(reply).type('image/gif').send(gif);
      },
    );
  }

  app.get<{ Querystring: TokenQuery }>(
    '/track/click',
    { exposeHeadRoute: false, config: { quiet: true }, schema: { tags: ['tracking'], summary: 'Record a click and go to the landing page', querystring: TokenQuery } },
    async (request, reply) => {
      const token = tokenOf(request.query.p);
      const [landing] = await Promise.all([landingOf(token), record('click', token, visitorOf(request))]);
      if (landing === null) throw new AppError('not_found');
      return uncached(reply).header('referrer-policy', 'no-referrer-when-downgrade').redirect(landingUrl(landing, grclidOf(token.serveId)), 302);
    },
  );

  app.post<{ Body: ViewableTime }>(
    '/track/viewable',
    { config: { quiet: true }, schema: { tags: ['tracking'], summary: 'Report how long an ad was visible', body: ViewableTime } },
    async (request, reply) => {
      const token = tokenOf(request.body.p);
      const { bot } = visitorOf(request);
      if (request.body.ms >= 1000 && bot === null && deps.clock() <= servedAt(token) + deps.impressionWindowMs) {
        await deps.eventLog.append([
          { id: token.serveId, kind: 'viewable', at: deps.clock(), publisherId: token.publisherId, advertiserId: token.advertiserId, campaignId: token.campaignId, adGroupId: token.adGroupId, adId: token.adId, placement: token.placement, test: token.test, data: { ms: Math.round(request.body.ms) } },
        ]);
      }
      return uncached(reply).code(204).send();
    },
  );
  app.options('/track/viewable', { schema: { hide: true } }, (_request, reply) =>
    reply.header('access-control-allow-origin', '*').header('access-control-allow-headers', 'content-type').header('access-control-max-age', '86400').code(204).send(),
  );

  function tokenOf(p: string | undefined): TrackingToken {
    const token = p === undefined ? null : openToken(p, deps.trackingKeys.find);
    if (token === null) throw new AppError('invalid_token');
    return token;
  }

  function visitorOf(request: FastifyRequest): Visitor {
    const address = deps.clientAddress(request.raw);
    const isPublic = address !== null && !isPrivateAddress(address);
    const { deviceType, bot } = deps.describeAgent(request.headers['user-agent']);
    return { address: isPublic ? address : null, country: isPublic ? deps.countryOf(address) : null, device: deviceType, bot };
  }

  async function landingOf(token: TrackingToken): Promise<Landing | null> {
    const known = landings.get(token.adId);
    if (known !== undefined && deps.clock() - known.at < landingCacheMs) return known.landing;
    const row = await findLanding(deps.db, token.campaignId, token.adId);
    const landing = row === null ? null : { url: row.landingPage, utmParams: utmRecord(row.utmParams) };
    landings.set(token.adId, { landing, at: deps.clock() });
    return landing;
  }
}

function uncached(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('access-control-allow-origin', '*');
}
