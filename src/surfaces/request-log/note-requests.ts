import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import { errorFields, type Log } from '../../platform/log.js';
import { addRequests, type KeyRequest, trimRequests } from './queries.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    isRequestLog?: boolean;
  }
}

/** Of a busy key these many a round are kept: enough to look at, and no burden. */
const perRound = 20;
export const keptPerKey = 200;
const roundMs = 2000;

/**
 * Notes what was asked with each key and what came of it. Kept in memory and written down every
 * other second, so that no request waits for it; what a crash takes away was only a look back.
 */
export function noteRequests(
  app: FastifyInstance,
  { db, clock, mintId, log }: { db: Db; clock: Clock; mintId: MintId; log: Log },
): void {
  let noted = new Map<string, KeyRequest[]>();
  /** By key, how many were written since the old ones were looked for. */
  const added = new Map<string, number>();
  const failures = new WeakMap<FastifyRequest, string>();

  app.addHook('onError', async (request, _reply, error) => {
    failures.set(request, failureOf(error));
  });
  app.addHook('onResponse', (request, reply, done) => {
    note(request, reply);
    done();
  });

  function note(request: FastifyRequest, reply: FastifyReply): void {
    const actor = request.caller?.actor;
    // Looking at the list must not push out what is looked for.
    if (actor?.kind !== 'key' || request.routeOptions.config.isRequestLog === true) return;
    const own = noted.get(actor.id) ?? [];
    const none = reply.getHeader('no-ad-reason');
    own.push({
      keyId: actor.id,
      id: mintId(clock()),
      at: new Date(clock()),
      method: request.method,
      route: request.routeOptions.url ?? '',
      status: reply.statusCode,
      reason: failures.get(request) ?? (typeof none === 'string' ? none : null),
      latencyMs: Math.round(reply.elapsedTime * 10) / 10,
    });
    if (own.length > perRound) own.shift();
    noted.set(actor.id, own);
  }

  async function save(): Promise<void> {
    const round = noted;
    noted = new Map();
    await addRequests(db, [...round.values()].flat());
    for (const [keyId, own] of round) {
      const count = (added.get(keyId) ?? 0) + own.length;
      added.set(keyId, count < perRound ? count : 0);
      if (count >= perRound)
        await trimRequests(db, keyId, { keep: keptPerKey, most: 2 * perRound });
    }
  }
  const timer = setInterval(() => {
    save().catch((error: unknown) => log.warn(errorFields(error), 'requests were not noted'));
  }, roundMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/** Our own word for it; what the framework refuses has none. */
function failureOf(error: FastifyError): string {
  if (error instanceof AppError) return error.code;
  if (error.validation !== undefined) return 'validation_failed';
  return (error.statusCode ?? 500) < 500 ? 'invalid_request' : 'internal_error';
}
