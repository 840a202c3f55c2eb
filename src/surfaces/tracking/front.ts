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
    void answer({ route, p, request, response, id, started });
    return true;
  };

  /** One promise for all of it: what a beacon waits for is the disk. */
  async function answer(beacon: BeaconRequest): Promise<void> {
    const { route, response, id } = beacon;
    try {
      const taken = limits.take(beacon.request);
      if (taken?.isAllowed === false)
        throw new AppError('rate_limited', { retryAfterSeconds: taken.retrySeconds });
      if (route === '/track/click') await click(tracking, beacon);
      else {
        await tracking.impression(beacon.p, beacon.request);
        response.writeHead(200, [...gifHead, 'x-request-id', id]).end(gifText, 'latin1');
      }
    } catch (error) {
      fail(deps, error, response, id);
    }
    metrics.httpRequest('GET', route, response.statusCode, performance.now() - beacon.started);
  }
}

interface BeaconRequest {
  readonly route: string;
  readonly p: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly started: number;
}

async function click(
  tracking: Tracking,
  { p, request, response, id }: BeaconRequest,
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
