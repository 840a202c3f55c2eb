import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../platform/metrics.js';

/** Availability and measurements of this node. Owns no table. */
export function healthRoutes(
  app: FastifyInstance,
  deps: {
    status: () => { ready: boolean; details: Record<string, unknown> };
    metrics: Metrics;
    metricsHere: boolean;
  },
): void {
  app.get(
    '/health',
    {
      config: { quiet: true },
      schema: { tags: ['service'], summary: 'Whether this node is ready' },
    },
    async (_request, reply) => {
      const { ready, details } = deps.status();
      void reply.header('cache-control', 'no-store').code(ready ? 200 : 503);
      return ready ? { status: 'ok', ready, ...details } : { status: 'starting', ready };
    },
  );
  if (!deps.metricsHere) return;
  app.get(
    '/metrics',
    { config: { quiet: true }, schema: { hide: true } },
    async (_request, reply) => {
      void reply.type('text/plain; version=0.0.4; charset=utf-8');
      return deps.metrics.text();
    },
  );
}
