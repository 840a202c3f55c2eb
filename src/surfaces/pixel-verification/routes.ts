import type { FastifyInstance } from 'fastify';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { Type } from '@sinclair/typebox';
import { advertiserOf, type Guards } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError, fieldError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { readPixelUrl } from './pixel-url.js';
import { insertPixel, listPixels, type PixelRow } from './queries.js';
import { NewPixel, PixelRecord } from './schema.js';

/**
 * The pixels of an account: made here, checked in the background on the page they are meant for.
 * Owns pixels.
 */
export function pixelManagementRoutes(
  app: FastifyInstance,
  deps: { db: Db; clock: Clock; mintId: MintId; guards: Guards; jobs: Pick<JobQueue, 'enqueue'> },
): void {
  const shared = { tags: ['advertiser'], security: [{ apiKey: [] }] };

  app.post<{ Body: NewPixel }>(
    '/advertiser-dashboard/pixels',
    {
      onRequest: deps.guards.advertiserDashboard,
      schema: {
        ...shared,
        summary: 'Create a pixel',
        body: NewPixel,
        response: { 201: PixelRecord },
      },
    },
    async (request, reply) => {
      const place = readPixelUrl(request.body.url);
      if (place === null)
        throw fieldError(['body', 'url'], 'Must be the address of a web page', 'url');
      const at = deps.clock();
      const name = request.body.name?.replaceAll('\u0000', '').toWellFormed().trim() ?? '';
      const pixel = await deps.db.transaction(async (tx) => {
        const row = await insertPixel(tx, {
          id: deps.mintId(at),
          advertiserId: advertiserOf(request).id,
          name: name === '' ? 'Untitled Pixel' : name,
          url: place.url,
          urlKey: place.key,
          at: new Date(at),
        });
        if (row === null) throw new AppError('already_exists');
        await deps.jobs.enqueue(tx, 'verify-pixel', row.id, {});
        return row;
      });
      return reply.code(201).send(present(pixel));
    },
  );

  app.get(
    '/advertiser-dashboard/pixels',
    {
      onRequest: deps.guards.advertiserDashboard,
      schema: {
        ...shared,
        summary: 'Pixels of the account, newest first',
        response: { 200: Type.Array(PixelRecord) },
      },
    },
    async (request) => (await listPixels(deps.db, advertiserOf(request).id)).map(present),
  );
}

function present(row: PixelRow): PixelRecord {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    is_functional: row.isFunctional,
    verified_at: row.verifiedAt === null ? null : formatTimestamp(row.verifiedAt.getTime()),
    created_at: formatTimestamp(row.createdAt.getTime()),
    updated_at: formatTimestamp(row.updatedAt.getTime()),
  };
}
