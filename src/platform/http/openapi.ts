import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { serverVersion } from '../version.js';
import { type ApiHosts, completeApi } from './complete-api.js';
import { asDescribed } from './loose-schema.js';

/** Collects the schemas the server validates with; register before any route. */
export async function describeApi(app: FastifyInstance, hosts: ApiHosts): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Sidelight',
        version: serverVersion,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        contact: { name: 'Whoever runs this server' },
        description:
          'Ads, tracking, conversions, search, reports and management for AI assistants.',
      },
      servers: [{ url: '/', description: 'This server' }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          queryKey: { type: 'apiKey', in: 'query', name: 'api_key' },
          session: { type: 'apiKey', in: 'cookie', name: 'sidelight_session' },
        },
      },
    },
    // A mark for `completeApi`, which sees no routes.
    transform: ({ schema, url, route }) => ({
      schema: Object.assign(
        {},
        schema,
        schema?.body === undefined ? {} : { body: asDescribed(schema.body) },
        route.config?.csv === undefined ? {} : { 'x-csv': true },
      ),
      url,
    }),
    transformObject: (described) =>
      'openapiObject' in described
        ? completeApi(described.openapiObject, hosts)
        : described.swaggerObject,
    hideUntagged: true,
  });
  // Written once: anybody may ask for it as often as they like.
  let text: string | null = null;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    void reply.header('cache-control', 'no-cache').header('access-control-allow-origin', '*');
    void reply.type('application/json; charset=utf-8');
    return (text ??= JSON.stringify(app.swagger()));
  });
}
