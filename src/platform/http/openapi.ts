import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

/** Collects the schemas the server validates with; register before any route. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Sidelight',
        version: '1',
        description:
          'Ads, tracking, conversions, search, reports and management for AI assistants.',
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          queryKey: { type: 'apiKey', in: 'query', name: 'api_key' },
          session: { type: 'apiKey', in: 'cookie', name: 'sidelight_session' },
        },
      },
    },
    hideUntagged: true,
  });
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    void reply.header('cache-control', 'no-cache').header('access-control-allow-origin', '*');
    return app.swagger();
  });
}
