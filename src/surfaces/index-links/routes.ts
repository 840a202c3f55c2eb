import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serveIdOf } from '../../domain/grclid.js';
import type { Clock } from '../../platform/clock.js';
import type { ConsentReader } from '../../platform/consent/consent-reader.js';
import type { Db } from '../../platform/db/db.js';
import type { DescribeAgent } from '../../platform/device/describe-agent.js';
import { AppError } from '../../platform/errors.js';
import { isEmbedded, isFetchedAhead } from '../../platform/http/fetched-ahead.js';
import { gonePage } from '../../platform/http/gone-page.js';
import { signalsOfRequest } from '../../platform/http/signals-of-request.js';
import type { ClientAddress } from '../../platform/http/client-address.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { isPrivateAddress } from '../../platform/outbound/private-address.js';
import type { SharedCounts } from '../../platform/shared-counts.js';
import type { EventLog } from '../../platform/events/event-log.js';
import type { IndexLinks } from './index-links.js';
import {
  deleteUnusedLinks,
  findOwner,
  findTarget,
  type IndexVisit,
  type LinkTarget,
} from './queries.js';
import { createVisitJudge, destinationUrl } from './visit-link.js';

export interface IndexLinkDeps {
  db: Db;
  clock: Clock;
  clientAddress: ClientAddress;
  describeAgent: DescribeAgent;
  countryOf: (address: string) => string | null;
  eventLog: Pick<EventLog, 'appendEntry'>;
  links: Pick<IndexLinks, 'targets'>;
  sharedCounts: Pick<SharedCounts, 'space'>;
  isPublisherBlocked: (publisherId: string) => boolean;
  isAdvertiserBlocked: (advertiserId: string) => boolean;
  consent: Pick<ConsentReader, 'judge'>;
}

/**
 * Tracked links of tool and product search: recorded against their search, then on to the
 * destination. Owns index_links, index_clicks.
 */
export function indexLinkRoutes(app: FastifyInstance, deps: IndexLinkDeps): void {
  const judge = createVisitJudge(deps.sharedCounts);

  app.route<{ Params: { id: string } }>({
    method: 'GET',
    url: '/go/:id',
    exposeHeadRoute: false,
    config: { quiet: true },
    schema: {
      tags: ['index'],
      summary: 'Follow a tracked link',
      params: Type.Object({ id: Type.String() }),
      response: {
        302: Type.Null({ description: 'On to the destination, see Location' }),
        410: {
          description: 'The offer is gone; a page for people',
          content: { 'text/html': { schema: Type.String() } },
        },
      },
    },
    handler: (request, reply) => follow(deps, judge, request, reply),
  });
  app.route<{ Params: { id: string } }>({
    method: 'HEAD',
    url: '/go/:id',
    config: { quiet: true },
    schema: { hide: true },
    handler: (request, reply) => follow(deps, judge, request, reply),
  });
}

async function follow(
  deps: IndexLinkDeps,
  judge: ReturnType<typeof createVisitJudge>,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const id = serveIdOf(request.params.id);
  const link = id === null ? null : await targetOf(deps, id);
  if (id === null || link === null) throw new AppError('not_found');
  const isGone = await isBlocked(deps, link);
  const at = deps.clock();
  const address = deps.clientAddress(request.raw);
  const known = address !== null && !isPrivateAddress(address) ? address : null;
  const { deviceType, bot } = deps.describeAgent(request.headers['user-agent']);
  const isPublisherBlocked = deps.isPublisherBlocked(link.publisherId);
  const isPrefetch = request.method === 'HEAD' || isFetchedAhead(request.raw);
  const visit: IndexVisit = {
    id,
    at,
    invalid: isGone
      ? 'offer_gone'
      : judge({
          at,
          address: known,
          bot,
          isPrefetch,
          isEmbedded: isEmbedded(request.raw),
          isPublisherBlocked,
        }),
    device: deviceType,
    country: known === null ? null : deps.countryOf(known),
  };
  await deps.eventLog.appendEntry({ events: [], rows: { index_visits: [visit] } });
  const { permissions } = await deps.consent.judge(signalsOfRequest(request.raw));
  const isLinked = permissions.advertiser_sharing && permissions.conversion_matching;
  void reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
  return isGone
    ? reply.code(410).type('text/html; charset=utf-8').send(gonePage)
    : reply.redirect(destinationUrl(link.target, id, isLinked), 302);
}

/** Who pays for the link is looked up; should the database be away, the link still leads on. */
async function isBlocked(deps: IndexLinkDeps, { campaignId }: LinkTarget): Promise<boolean> {
  if (campaignId === null) return false;
  const owner = await inTime(
    findOwner(deps.db, campaignId).catch(() => null),
    null,
  );
  return owner !== null && deps.isAdvertiserBlocked(owner);
}

/** A link that was minted here works at once, and while the database is away. */
async function targetOf(deps: IndexLinkDeps, id: string): Promise<LinkTarget | null> {
  const known = deps.links.targets.get(id);
  if (known !== undefined) return known;
  const found = await findTarget(deps.db, id);
  if (found !== null) deps.links.targets.set(id, found);
  return found;
}

/** Nobody waits longer than this to be led on. */
const patienceMs = 1_000;

async function inTime<T>(work: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, patienceMs, otherwise);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export function indexLinkJobs({
  db,
  clock,
  jobs,
  retentionDays,
}: {
  db: Db;
  clock: Clock;
  jobs: JobQueue;
  retentionDays: number;
}): void {
  jobs.every('forget-index-links', 86_400_000, () =>
    deleteUnusedLinks(db, new Date(clock() - retentionDays * 86_400_000)),
  );
}
