import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.js';
import { UnreachableDatabase } from '../db/unreachable-database.js';
import type { Log } from '../log.js';
import { type AjvProblem, validationProblems } from './validation-problems.js';

/**
 * The one place where a failure becomes a response. Never repeats what the client sent: it can hold
 * keys.
 */
export function errorReply(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): FastifyReply {
  const known = recognise(error, request);
  logFailure(log, error, known, request.id, request.routeOptions.url);
  if (known.retryAfterSeconds !== undefined)
    void reply.header('retry-after', String(known.retryAfterSeconds));
  if (known.code === 'payload_too_large') readOn(request, reply);
  const status =
    known.code === 'validation_failed'
      ? (request.routeOptions.config.validationStatus ?? known.status)
      : known.status;
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(toldOf(known, request.id));
}

/** What the caller reads. */
export function toldOf({ code, detail }: AppError, requestId: string): Record<string, unknown> {
  return code === 'internal_error' ? { detail, request_id: requestId } : { detail };
}

/** Refused on purpose: why is in the log once, and not with every request. */
export function logFailure(
  log: Log,
  error: unknown,
  { status, code, cause }: AppError,
  requestId: string,
  route: string | undefined,
): void {
  const isMeant = code === 'temporarily_unavailable' && cause === undefined;
  if (status >= 500 && code !== 'starting' && !isMeant)
    log.error({ request: requestId, route, err: describe(error) }, 'request failed');
}

/** What is read and thrown away of a body that is too long. */
const mostThrownAway = 64 * 1024 * 1024;

/**
 * Fastify would hang up, and a client that is still sending would see a broken connection instead
 * of the answer.
 */
function readOn(request: FastifyRequest, reply: FastifyReply): void {
  if (Number(request.headers['content-length'] ?? 0) <= mostThrownAway)
    void reply.removeHeader('connection');
}

function recognise(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  if (!(error instanceof Error)) return new AppError('internal_error', { cause: error });
  if ('validation' in error && Array.isArray(error.validation)) {
    const part = 'validationContext' in error ? String(error.validationContext) : 'body';
    const place = part === 'querystring' ? 'query' : part === 'params' ? 'path' : part;
    // Fastify attaches Ajv's own error objects.
    return new AppError('validation_failed', {
      detail: validationProblems(place, error.validation as AjvProblem[]),
    });
  }
  // The client went away while it sent the body: nobody reads the answer, and nothing here failed.
  if (error === request.raw.errored) return new AppError('invalid_request', { cause: error });
  const code = 'code' in error ? String(error.code) : '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('payload_too_large');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new AppError('unsupported_media_type');
  if (
    code === 'FST_ERR_BAD_URL' ||
    code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' ||
    code === 'FST_ERR_CTP_EMPTY_JSON_BODY'
  )
    return new AppError('invalid_request');
  // No id is that long.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new AppError('not_found');
  // An id that is not a UUID names nothing.
  if (code === '22P02' && request.routeOptions.url?.includes(':') === true)
    return new AppError('not_found');
  if (code === '22P02' && error.message.includes('type json'))
    return new AppError('invalid_request');
  // Text, number or date the database cannot hold, past every check of ours: the caller's all the
  // same.
  if (/^22(?:021|P05|003|007|008)$/.test(code)) return new AppError('invalid_request');
  return asFailure(error);
}

/** What a failure nobody foresaw is to the caller: one of the database passes, others are ours. */
export function asFailure(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return error instanceof Error && isDatabaseAway(error)
    ? new AppError('temporarily_unavailable', { cause: error, retryAfterSeconds: 5 })
    : new AppError('internal_error', { cause: error });
}

/**
 * Connection lost or refused, server stopping, out of room: nothing was recorded and it may pass.
 */
function isDatabaseAway(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  return (
    error instanceof UnreachableDatabase ||
    /^(08\w{3}|53\w{3}|57P0\d|ECONNREFUSED|ECONNRESET)$/.test(code)
  );
}

function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'not an Error' };
  const cause = error instanceof AppError ? error.cause : error;
  const source = cause instanceof Error ? cause : error;
  // PostgreSQL's `detail` repeats row values; message, code and stack do not.
  return {
    name: source.name,
    message: source.message,
    code: 'code' in source ? source.code : undefined,
    stack: source.stack,
  };
}
