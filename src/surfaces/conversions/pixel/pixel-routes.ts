import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../../domain/network.js';
import type { DescribeAgent } from '../../../platform/device/describe-agent.js';
import type { ClientAddress } from '../../../platform/http/client-address.js';
import { signalsOfRequest } from '../../../platform/http/signals-of-request.js';
import { AppError } from '../../../platform/errors.js';
import { isPrivateAddress } from '../../../platform/outbound/private-address.js';
import { type Browser, createPixelRecorder, type PixelDeps } from './record-pixel-events.js';
import { PixelAccepted, PixelBatch, SessionAnswer, SessionRequest } from '../schema.js';
import type { PixelScript } from './pixel-script.js';
import { fileAnswer } from '../../../platform/http/plain-answers.js';

export interface PixelDoor {
  pixelScript: PixelScript;
  clientAddress: ClientAddress;
  describeAgent: DescribeAgent;
  isDataCentre: (address: string) => boolean;
}

type PixelRouteDeps = PixelDeps & PixelDoor;

/**
 * What runs on advertisers' pages: the script, and where it reports to. Any page of any origin may
 * call; the pixel id says whose it is.
 */
export function pixelRoutes(app: FastifyInstance, deps: PixelRouteDeps): void {
  const recorder = createPixelRecorder(deps);

  pixelScriptRoutes(app, deps);

  app.post<{ Body: PixelBatch }>(
    '/track/gr-events',
    {
      onRequest: openToAll,
      config: { quiet: true },
      schema: {
        tags: ['pixel'],
        summary: 'Report events of a page',
        body: PixelBatch,
        response: { 202: PixelAccepted },
      },
    },
    async (request, reply) => {
      await orRetry(recorder.recordEvents(request.body, browserOf(request, deps)));
      return reply
        .code(202)
        .send({ status: 'accepted', events_received: request.body.events.length });
    },
  );

  app.post<{ Body: SessionRequest }>(
    '/track/gr-session',
    {
      onRequest: openToAll,
      config: { quiet: true },
      schema: {
        tags: ['pixel'],
        summary: 'Find or start the session of a visitor',
        body: SessionRequest,
        response: { 200: SessionAnswer },
      },
    },
    async (request) => ({
      session_id: await orRetry(recorder.openSession(request.body, browserOf(request, deps))),
    }),
  );

  pixelPreflightRoutes(app);
}

function pixelScriptRoutes(app: FastifyInstance, deps: PixelRouteDeps): void {
  for (const path of ['/pixel.js', '/gr-pix.js']) {
    app.get(
      path,
      {
        config: { quiet: true },
        schema: {
          tags: ['pixel'],
          summary: 'The pixel script',
          ...fileAnswer('text/javascript', 'The script'),
        },
      },
      async (request, reply) => {
        const accepted = String(request.headers['accept-encoding'] ?? '');
        const file = /\bgzip\b/.test(accepted) ? deps.pixelScript.gzip : deps.pixelScript.plain;
        void reply.headers({
          etag: file.etag,
          'cache-control': 'public, max-age=3600',
          vary: 'Accept-Encoding',
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
          'x-content-type-options': 'nosniff',
        });
        if (isCurrent(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
        if (file.encoding !== null) void reply.header('content-encoding', file.encoding);
        return reply.type('text/javascript; charset=utf-8').send(file.body);
      },
    );
  }
}

function pixelPreflightRoutes(app: FastifyInstance): void {
  for (const path of ['/track/gr-events', '/track/gr-session']) {
    app.options(
      path,
      { onRequest: openToAll, config: { quiet: true }, schema: { hide: true } },
      (_request, reply) =>
        reply
          .headers({
            'access-control-allow-methods': 'POST, OPTIONS',
            'access-control-allow-headers': 'content-type',
            'access-control-max-age': '86400',
          })
          .code(204)
          .send(),
    );
  }
}

async function openToAll(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  void reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
}

function browserOf(
  request: FastifyRequest<{ Body: PixelBatch | SessionRequest }>,
  { clientAddress, describeAgent, isDataCentre }: PixelDoor,
): Browser {
  const { origin, 'user-agent': agent } = request.headers;
  const { regs, consent } = request.body;
  const isTold = regs !== undefined || consent !== undefined;
  const said = signalsOfRequest(request.raw, isTold ? { places: [regs], user: { consent } } : {});
  const address = clientAddress(request.raw);
  return {
    agent,
    refuses: said?.gpc === true,
    said,
    origin,
    network: address === null || isPrivateAddress(address) ? null : networkOf(address),
    isPerson: describeAgent(agent).bot === null && (address === null || !isDataCentre(address)),
  };
}

/** Everything a pixel sends is safe to send again. */
async function orRetry<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof AppError
      ? error
      : new AppError('temporarily_unavailable', { cause: error });
  }
}

function isCurrent(header: string | undefined, etag: string): boolean {
  return (
    header !== undefined &&
    header.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
  );
}
