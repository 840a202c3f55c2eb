import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../platform/errors.js';
import type { Front } from '../../platform/http/create-http-app.js';
import { asFailure } from '../../platform/http/error-reply.js';
import type { RequestLimits } from '../../platform/http/limit-requests.js';
import { gonePage } from '../../platform/http/gone-page.js';
import { errorFields, type Log } from '../../platform/log.js';
import type { Metrics } from '../../platform/metrics.js';
import { gif } from './routes.js';
import type { Tracking } from './tracking.js';

const routes = ['/ack', '/track/imp', '/track/click'].map((route) => ({
  route,
  prefix: `${route}?p=`,
}));
// As text the body leaves in one write with the head; a buffer would be a second one.
const gifText = gif.toString('latin1');

/** A flat list goes out as it is, where an object would be copied into one each time. */
const gifHead = Object.entries({
  'content-type': 'image/gif',
  'content-length': String(gif.length),
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
}).flat();

interface FrontDeps {
  log: Log;
  metrics: Pick<Metrics, 'httpRequest'>;
  limits: RequestLimits;
}

/**
 * Beacons answered before the framework sees them: routing, hooks and serialisation would cost as
 * much as the work itself
 * (`npm run bench -- serving`). Anything unusual falls through to the same functions behind the
 * routes.
 */
export function trackingFront(tracking: Tracking, deps: FrontDeps): Front {
  const { metrics, limits } = deps;

  return (request, response) => {
    const url = request.url ?? '';
    if (request.method !== 'GET') return false;
    const known = routes.find(({ prefix }) => url.startsWith(prefix));
    if (known === undefined) return false;
    const { route, prefix } = known;
    const end = url.indexOf('&', prefix.length);
    const p = url.slice(prefix.length, end === -1 ? undefined : end);
    if (p.includes('%')) return false;
    const started = performance.now();
    const id = randomUUID();
    const taken = limits.take(request);
    const work =
      taken?.isAllowed === false
        ? Promise.reject(new AppError('rate_limited', { retryAfterSeconds: taken.retrySeconds }))
        : route === '/track/click'
          ? click(tracking, p, request, response, id)
          : impression(tracking, p, request, response, id);
    void work
      .catch((error: unknown) => fail(deps, error, response, id))
      .then(() =>
        metrics.httpRequest('GET', route, response.statusCode, performance.now() - started),
      );
    return true;
  };
}

async function click(
  tracking: Tracking,
  p: string,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
): Promise<void> {
  const location = await tracking.click(p, request);
  if (location === null)
    return void response
      .writeHead(410, {
        'content-type': 'text/html; charset=utf-8',
        'content-length': Buffer.byteLength(gonePage),
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'x-request-id': id,
      })
      .end(gonePage);
  response
    .writeHead(302, {
      location,
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'content-length': 0,
      'x-request-id': id,
    })
    .end();
}

async function impression(
  tracking: Tracking,
  p: string,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
): Promise<void> {
  await tracking.impression(p, request);
  response.writeHead(200, [...gifHead, 'x-request-id', id]).end(gifText, 'latin1');
}

function fail(deps: FrontDeps, error: unknown, response: ServerResponse, id: string): void {
  const known = asFailure(error);
  if (known.status >= 500) deps.log.error({ request: id, ...errorFields(error) }, 'beacon failed');
  const body = JSON.stringify(
    known.code === 'internal_error'
      ? { detail: known.detail, request_id: id }
      : { detail: known.detail },
  );
  response
    .writeHead(known.status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'x-request-id': id,
      ...(known.retryAfterSeconds === undefined
        ? {}
        : { 'retry-after': String(known.retryAfterSeconds) }),
    })
    .end(body);
}
