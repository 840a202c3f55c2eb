import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { gonePage } from '../../platform/http/gone-page.js';
import {
  clickAnswers,
  impressionAnswers,
  TokenQuery,
  viewableAnswers,
  ViewableTime,
} from './schema.js';
import type { Tracking } from './tracking.js';

export const gif = Buffer.from(
  'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'base64',
);

/**
 * Impressions, clicks and viewable time of served ads. The token in `p` is the only credential.
 * Writes only through the event log.
 */
export function trackingRoutes(app: FastifyInstance, tracking: Tracking): void {
  impressionRoutes(app, tracking);
  clickRoutes(app, tracking);
  viewableRoutes(app, tracking);
}

function impressionRoutes(app: FastifyInstance, tracking: Tracking): void {
  for (const path of ['/ack', '/track/imp']) {
    app.head<{ Querystring: TokenQuery }>(
      path,
      { ...beacon, schema: { hide: true, querystring: TokenQuery } },
      async (request, reply) => {
        await tracking.impression(request.query.p, request.raw);
        return reply.type('image/gif').send();
      },
    );
    app.get<{ Querystring: TokenQuery }>(
      path,
      {
        ...beacon,
        schema: {
          tags: ['tracking'],
          summary: 'Record an impression',
          querystring: TokenQuery,
          response: impressionAnswers,
        },
      },
      async (request, reply) => {
        await tracking.impression(request.query.p, request.raw);
        return reply.type('image/gif').send(gif);
      },
    );
  }
}

function clickRoutes(app: FastifyInstance, tracking: Tracking): void {
  app.get<{ Querystring: TokenQuery }>(
    '/track/click',
    {
      ...beacon,
      schema: {
        tags: ['tracking'],
        summary: 'Record a click and go to the landing page',
        querystring: TokenQuery,
        response: clickAnswers,
      },
    },
    async (request, reply) =>
      answerClick(reply, await tracking.click(request.query.p, request.raw)),
  );
  app.head<{ Querystring: TokenQuery }>(
    '/track/click',
    { ...beacon, schema: { hide: true, querystring: TokenQuery } },
    async (request, reply) =>
      answerClick(reply, await tracking.click(request.query.p, request.raw)),
  );
}

function viewableRoutes(app: FastifyInstance, tracking: Tracking): void {
  app.post<{ Body: ViewableTime }>(
    '/track/viewable',
    {
      config: { quiet: true },
      onRequest: beacon.onRequest,
      schema: {
        tags: ['tracking'],
        summary: 'Report how long an ad was visible, and its label',
        body: ViewableTime,
        response: viewableAnswers,
      },
    },
    async (request, reply) => {
      await tracking.viewable(request.body, request.raw);
      return reply.code(204).send();
    },
  );
  app.options('/track/viewable', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('access-control-allow-origin', '*')
      .header('access-control-allow-headers', 'content-type')
      .header('access-control-max-age', '86400')
      .code(204)
      .send(),
  );
}

/**
 * What every beacon has: errors, too, are readable from any page and never cached; anything wrong
 * with the query is a token that cannot be read.
 */
const beacon = {
  exposeHeadRoute: false,
  config: { quiet: true, validationStatus: 400 },
  async onRequest(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
    void reply.header('cache-control', 'no-store').header('access-control-allow-origin', '*');
  },
} as const;

function answerClick(reply: FastifyReply, location: string | null): FastifyReply {
  return location === null
    ? reply.code(410).type('text/html; charset=utf-8').send(gonePage)
    : reply.redirect(location, 302);
}
