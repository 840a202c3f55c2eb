import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { domainOf } from '../../domain/supply-chain.js';
import { isUuid } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import { listSellers } from './queries.js';

const Sellers = Type.Object({
  version: Type.String(),
  sellers: Type.Array(
    Type.Object({
      seller_id: Type.String(),
      seller_type: Type.String(),
      name: Type.Optional(Type.String()),
      domain: Type.Optional(Type.String()),
      is_confidential: Type.Optional(Type.Integer()),
    }),
  ),
});
const AdsTxtQuery = Type.Object({
  seller_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'The line this publisher puts on its own site' }),
  ),
});

/**
 * Who sells through this network, in the two files buyers look for: they hold an ad's `schain`
 * against them. Owns no table.
 */
export function supplyPathRoutes(
  app: FastifyInstance,
  deps: { db: Db; systemDomain: () => string },
): void {
  const cached = 'public, max-age=3600';
  app.get(
    '/sellers.json',
    {
      schema: {
        tags: ['supply path'],
        summary: 'Publishers whose places can be bought here',
        response: { 200: Sellers },
      },
    },
    async (_request, reply) => {
      const sellers = (await listSellers(deps.db, null)).map(({ id, name, url }) => {
        const domain = domainOf(url);
        const seller = { seller_id: id, seller_type: 'PUBLISHER' };
        // Without a site there is nothing to hold the name against.
        return domain === null ? { ...seller, is_confidential: 1 } : { ...seller, name, domain };
      });
      void reply.header('cache-control', cached).header('access-control-allow-origin', '*');
      return { version: '1.0', sellers };
    },
  );

  app.get<{ Querystring: { seller_id?: string } }>(
    '/ads.txt',
    {
      schema: {
        tags: ['supply path'],
        summary: 'Who may sell these places, as lines of an ads.txt file',
        querystring: AdsTxtQuery,
        response: {
          200: { description: 'Lines', content: { 'text/plain': { schema: Type.String() } } },
        },
      },
    },
    async (request, reply) => {
      const asked = request.query.seller_id;
      if (asked !== undefined && !isUuid(asked)) throw new AppError('not_found');
      const sellers = await listSellers(deps.db, asked ?? null);
      if (asked !== undefined && sellers.length === 0) throw new AppError('not_found');
      const domain = deps.systemDomain();
      const lines = [
        `# Places sold by ${domain} itself. A publisher puts its own line on its own site.`,
        ...sellers.map(({ id }) => `${domain}, ${id}, DIRECT`),
      ];
      return reply
        .header('cache-control', cached)
        .type('text/plain; charset=utf-8')
        .send(`${lines.join('\n')}\n`);
    },
  );
}
