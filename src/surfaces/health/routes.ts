import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Guards } from '../../platform/auth/guards.js';
import { isSameSecret } from '../../platform/auth/same-secret.js';
import { type Readiness, whyUnready } from './readiness.js';

const Health = Type.Object(
  {
    status: Type.Union([Type.Literal('ok'), Type.Literal('starting')]),
    ready: Type.Boolean({ description: 'As `/ready` says' }),
    reason: Type.Optional(
      Type.String({ description: 'Where it is not ready: what it waits for, or why' }),
    ),
    node: Type.Optional(
      Type.Integer({ description: 'Number of this node among those that share a database' }),
    ),
    pid: Type.Optional(Type.Integer()),
    matching: Type.Optional(
      Type.Union([Type.Literal('semantic'), Type.Literal('lexical')], {
        description: 'How conversations are read: by the model, or by words where there is none',
      }),
    ),
    products: Type.Optional(
      Type.Object(
        { indexed: Type.Integer(), of: Type.Integer(), ready: Type.Boolean() },
        { description: 'The product index of this node' },
      ),
    ),
    database: Type.Optional(
      Type.Union([Type.Literal('ok'), Type.Literal('away')], {
        description: 'away: the journal carries on until the database is back',
      }),
    ),
    journal: Type.Optional(
      Type.Object(
        { lag_ms: Type.Integer(), damaged: Type.Integer() },
        { description: 'How far the database is behind, and frames set aside as unreadable' },
      ),
    ),
  },
  { additionalProperties: true },
);

const Check = Type.Object({ ok: Type.Boolean() }, { additionalProperties: true });
const ReadyAnswer = Type.Object({
  status: Type.Union([Type.Literal('ok'), Type.Literal('degraded'), Type.Literal('unready')]),
  ready: Type.Boolean(),
  checks: Type.Record(Type.String(), Check),
});

interface HealthDeps {
  /** At once: who asks whether a node lives is answered whatever its disk does. */
  status: () => { readiness: Readiness; details: Record<string, unknown> };
  readiness: () => Promise<Readiness>;
  /** Of every process behind this port. */
  measure: () => Promise<string>;
  guards: Pick<Guards, 'operator'>;
  /** Null: measurements have a port of their own. */
  metricsKey: string | null;
}

/** Availability and measurements of this node. Owns no table. */
export function healthRoutes(app: FastifyInstance, deps: HealthDeps): void {
  nodeStateRoutes(app, deps);
  const { metricsKey } = deps;
  if (metricsKey === null) return;
  // Routes, rates and queue lengths tell a stranger how much it takes to stop the service.
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    const given = request.headers.authorization ?? '';
    if (metricsKey !== '' && isSameSecret(given, `Bearer ${metricsKey}`)) return;
    await deps.guards.operator(request);
  };
  app.get(
    '/metrics',
    { onRequest, config: { quiet: true }, schema: { hide: true } },
    async (_request, reply) => {
      void reply.type('text/plain; version=0.0.4; charset=utf-8');
      return deps.measure();
    },
  );
}

function nodeStateRoutes(app: FastifyInstance, deps: HealthDeps): void {
  app.get(
    '/health',
    {
      config: { quiet: true },
      schema: {
        tags: ['service'],
        summary: 'Whether this node lives',
        security: [],
        response: { 200: Health, 503: Health },
      },
    },
    async (_request, reply) => {
      const { readiness, details } = deps.status();
      void reply.header('cache-control', 'no-store');
      // It lives, and a new process would be no readier: 503 would have it started anew for nothing.
      return {
        status: 'ok',
        ready: readiness.ready,
        reason: whyUnready(readiness),
        ...details,
      };
    },
  );
  app.get(
    '/ready',
    {
      config: { quiet: true },
      schema: {
        tags: ['service'],
        summary: 'Whether this node can serve and take events, and what is wrong with it',
        security: [],
        response: { 200: ReadyAnswer, 503: ReadyAnswer },
      },
    },
    async (_request, reply) => {
      const readiness = await deps.readiness();
      void reply.header('cache-control', 'no-store').code(readiness.ready ? 200 : 503);
      if (!readiness.ready) void reply.header('retry-after', '5');
      return readiness;
    },
  );
}
