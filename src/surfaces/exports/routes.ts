import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { advertiserOf, type Guards, publisherOf } from '../../platform/auth/guards.js';
import type { Db } from '../../platform/db/db.js';
import { csvReply } from '../../platform/http/csv-answers.js';
import type { RateLimit } from '../../platform/rate-limit.js';
import type { Pseudonyms } from '../../platform/secrets/pseudonyms.js';
import { ExportQuery } from './schema.js';
import { readExport, streamEvents } from './stream-events.js';
import { fileAnswer } from '../../platform/http/plain-answers.js';

/**
 * The raw events behind an account's reports, as a CSV stream of any length. Owns no table: reads
 * the event log.
 */
export function exportRoutes(
  app: FastifyInstance,
  deps: { db: Db; guards: Guards; rateLimit: RateLimit; pseudonyms: Pick<Pseudonyms, 'open'> },
): void {
  const { guards } = deps;
  const schema = (tags: string[]) => ({
    tags,
    summary: 'Every raw event of a range, as CSV',
    security: [{ apiKey: [] }],
    querystring: ExportQuery,
    ...fileAnswer('text/csv', 'One line an event, as a stream'),
  });

  app.get<{ Querystring: ExportQuery }>(
    '/advertiser-dashboard/exports/events',
    { onRequest: guards.advertiserDashboard, schema: schema(['advertiser reports']) },
    async (request, reply) => {
      const { id } = advertiserOf(request);
      return send(reply, readExport(request.query, 'advertiser', id));
    },
  );

  app.get<{ Querystring: ExportQuery }>(
    '/publisher-dashboard/exports/events',
    {
      onRequest: guards.publisherDashboard,
      config: { validationStatus: 400 },
      schema: schema(['publisher reports']),
    },
    async (request, reply) => {
      const { id } = publisherOf(request);
      return send(reply, readExport(request.query, 'publisher', id));
    },
  );

  /**
   * An export reads the log of the last two days whole, others' events included, so an account may
   * not start them without end.
   */
  async function send(
    reply: FastifyReply,
    filter: ReturnType<typeof readExport>,
  ): Promise<FastifyReply> {
    await deps.rateLimit.take(`export:${filter.accountId}`, 60, 3_600_000);
    return csvReply(reply, `/${filter.account}/events`).send(
      Readable.from(streamEvents(deps, filter), { objectMode: false }),
    );
  }
}
