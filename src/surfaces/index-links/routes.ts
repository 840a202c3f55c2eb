import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { serveIdOf } from '../../domain/grclid.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { DescribeAgent } from '../../platform/device/describe-agent.js';
import { AppError } from '../../platform/errors.js';
import type { ClientAddress } from '../../platform/http/client-address.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { isPrivateAddress } from '../../platform/outbound/private-address.js';
import type { EventLog } from '../../platform/events/event-log.js';
import type { IndexLinks } from './index-links.js';
import { deleteUnusedLinks, findTarget, type IndexVisit } from './queries.js';
import { createVisitJudge, destinationUrl } from './visit-link.js';

export interface IndexLinkDeps {
  db: Db;
  clock: Clock;
  clientAddress: ClientAddress;
  describeAgent: DescribeAgent;
  countryOf: (address: string) => string | null;
  eventLog: Pick<EventLog, 'appendEntry'>;
  links: Pick<IndexLinks, 'targets'>;
}

/**
 * Tracked links of tool and product search: recorded against their search, then on to the
 * destination. Owns index_links, index_clicks.
 */
export function indexLinkRoutes(app: FastifyInstance, deps: IndexLinkDeps): void {
  const judge = createVisitJudge();

  /** A link that was minted here works at once, and while the database is away. */
  async function targetOf(id: string): Promise<string | null> {
    const known = deps.links.targets.get(id);
    if (known !== undefined) return known;
    const found = await findTarget(deps.db, id);
    if (found !== null) deps.links.targets.set(id, found);
    return found;
  }

  app.get<{ Params: { id: string } }>(
    '/go/:id',
    {
      exposeHeadRoute: false,
      config: { quiet: true },
      schema: {
        tags: ['index'],
        summary: 'Follow a tracked link',
        params: Type.Object({ id: Type.String() }),
        response: { 302: Type.Null({ description: 'On to the destination, see Location' }) },
      },
    },
    async (request, reply) => {
      const id = serveIdOf(request.params.id);
      const target = id === null ? null : await targetOf(id);
      if (id === null || target === null) throw new AppError('not_found');
      const at = deps.clock();
      const address = deps.clientAddress(request.raw);
      const known = address !== null && !isPrivateAddress(address) ? address : null;
      const { deviceType, bot } = deps.describeAgent(request.headers['user-agent']);
      const visit: IndexVisit = {
        id,
        at,
        invalid: judge({ at, address: known, bot }),
        device: deviceType,
        country: known === null ? null : deps.countryOf(known),
      };
      await deps.eventLog.appendEntry({ events: [], rows: { index_visits: [visit] } });
      return reply
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .redirect(destinationUrl(target, id), 302);
    },
  );
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
