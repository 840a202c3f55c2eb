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

type Noted = Omit<KeyRequest, 'id' | 'at'>;
/** Of a request that was answered before the framework. */
export type NoteRequest = (request: Noted) => void;

/**
 * Notes what was asked with each key and what came of it. Kept in memory and written down every
 * other second, so that no request waits for it; what a crash takes away was only a look back.
 */
export function noteRequests(
  app: FastifyInstance,
  { db, clock, mintId, log }: { db: Db; clock: Clock; mintId: MintId; log: Log },
): NoteRequest {
  let noted = new Map<string, (Noted & { at: number })[]>();
  /** By key, how many were written since the old ones were looked for. */
  const added = new Map<string, number>();
  const failures = new WeakMap<FastifyRequest, string>();

  app.addHook('onError', async (request, _reply, error) => {
    failures.set(request, failureOf(error));
  });
  app.addHook('onResponse', (request, reply, done) => {
    noteReply(request, reply);
    done();
  });

  function noteReply(request: FastifyRequest, reply: FastifyReply): void {
    const actor = request.caller?.actor;
    // Looking at the list must not push out what is looked for.
    if (actor?.kind !== 'key' || request.routeOptions.config.isRequestLog === true) return;
    const none = reply.getHeader('no-ad-reason');
    note({
      keyId: actor.id,
      method: request.method,
      route: request.routeOptions.url ?? '',
      status: reply.statusCode,
      reason: failures.get(request) ?? (typeof none === 'string' ? none : null),
      latencyMs: reply.elapsedTime,
    });
  }

  function note(request: Noted): void {
    const own = noted.get(request.keyId);
    const { keyId, method, route, status, reason, latencyMs } = request;
    const one = { keyId, method, route, status, reason, latencyMs, at: clock() };
    if (own === undefined) noted.set(request.keyId, [one]);
    else if (own.push(one) > perRound) own.shift();
  }

  async function save(): Promise<void> {
    const round = noted;
    noted = new Map();
    const rows = [...round.values()].flat().map((one) => ({
      ...one,
      id: mintId(one.at),
      at: new Date(one.at),
      latencyMs: Math.round(one.latencyMs * 10) / 10,
    }));
    await addRequests(db, rows);
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
  return note;
}

/** Our own word for it; what the framework refuses has none. */
function failureOf(error: FastifyError): string {
  if (error instanceof AppError) return error.code;
  if (error.validation !== undefined) return 'validation_failed';
  return (error.statusCode ?? 500) < 500 ? 'invalid_request' : 'internal_error';
}
