import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isTooDeep } from '../../../domain/text/json-depth.js';
import type { AccountDirectory, KeyHolder } from '../../../platform/auth/account-directory.js';
import { bearerKey } from '../../../platform/auth/guards.js';
import { allows } from '../../../platform/auth/key-scope.js';
import type { PublisherAccount } from '../../../platform/auth/queries.js';
import { type Front, turnAway } from '../../../platform/http/create-http-app.js';
import { asFailure, logFailure, toldOf } from '../../../platform/http/error-reply.js';
import {
  leftOf,
  policyOf,
  type RequestLimits,
  type Taken,
} from '../../../platform/http/limit-requests.js';
import type { ReadBodies } from '../../../platform/http/read-bodies.js';
import type { Log } from '../../../platform/log.js';
import type { Metrics } from '../../../platform/metrics.js';
import { privacyHeaders } from '../../../platform/privacy/privacy-headers.js';
import { adRoute } from '../routes.js';
import { AdRequest, ServedAds } from '../schema.js';
import { type AnswerDeps, type AnsweredAds, answerRequest } from './answer-request.js';

export interface ServingFrontDeps extends AnswerDeps {
  http: Pick<FastifyInstance, 'routing' | 'inTurn' | 'bodyCheck' | 'answerText'>;
  log: Log;
  metrics: Pick<Metrics, 'httpRequest'>;
  limits: RequestLimits;
  directory: Pick<AccountDirectory, 'vouchedHolderOf' | 'publisher'>;
  lifecycle: { readonly isStopping: boolean };
  readBodies: ReadBodies;
  /** For the list of requests each key has. */
  note: (request: {
    keyId: string;
    method: string;
    route: string;
    status: number;
    reason: string | null;
    latencyMs: number;
  }) => void;
}

/** Longer bodies are the framework's. */
const mostBytes = 64 * 1024;
const plainTypes = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json;charset=UTF-8',
]);

/** A request while it is answered here. */
interface Asking {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly started: number;
  readonly holder: KeyHolder;
  readonly publisher: PublisherAccount;
  readonly taken: Taken | null;
}

/**
 * Ads answered before the framework sees the request: routing, hooks and its objects cost as much
 * as deciding on an ad (`npm run bench -- serving`). This is for the plain request of a publisher
 * that may serve. Whatever is not plain, or wrong in any way, goes to the framework as it came, so
 * that there is one place that says what is wrong; a property test holds the two doors equal.
 */
export function servingFront(deps: ServingFrontDeps): Front {
  const isValid = deps.http.bodyCheck(AdRequest);
  const textOf = deps.http.answerText(ServedAds);

  return (request, response) => {
    if (request.url !== adRoute || request.method !== 'POST') return false;
    if (!isPlain(request) || deps.lifecycle.isStopping) return false;
    const holder = holderOf(deps, request);
    const publisher = holder === null ? undefined : deps.directory.publisher(holder.accountId);
    if (holder === null || publisher?.status !== 'approved') return false;
    const taken = deps.limits.take(request);
    if (taken?.isAllowed === false) return leave(deps, request, taken);
    const started = performance.now();
    const asking = { request, response, id: randomUUID(), started, holder, publisher, taken };
    readBody(request, (chunks, error) => {
      const body = error === null ? parse(request, chunks) : undefined;
      if (body !== undefined && isValid(body))
        // It passed the check of this very shape.
        return answer(deps, asking, body as AdRequest, textOf);
      deps.readBodies.set(request, { chunks, error });
      leave(deps, request, taken);
      deps.http.routing(request, response);
    });
    return true;
  };
}

/** The framework goes on with it; it is not counted again. */
function leave(deps: ServingFrontDeps, request: IncomingMessage, taken: Taken | null): false {
  deps.limits.keep(request, taken);
  return false;
}

function isPlain({ headers }: IncomingMessage): boolean {
  const length = Number(headers['content-length']);
  return (
    length > 0 &&
    length <= mostBytes &&
    plainTypes.has(headers['content-type'] ?? '') &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined &&
    headers.expect === undefined &&
    headers.upgrade === undefined
  );
}

/** Of a publisher's key that is known and may serve; null for every other one. */
function holderOf({ directory }: ServingFrontDeps, request: IncomingMessage): KeyHolder | null {
  const key = bearerKey(request.headers.authorization);
  const holder = key === undefined ? null : directory.vouchedHolderOf(key);
  return holder?.kind === 'publisher' && allows(holder.scopes, 'serve') ? holder : null;
}

function readBody(
  request: IncomingMessage,
  done: (chunks: readonly Buffer[], error: Error | null) => void,
): void {
  const chunks: Buffer[] = [];
  let isDone = false;
  const end = (error: Error | null): void => {
    if (isDone) return;
    isDone = true;
    done(chunks, error);
  };
  request.on('data', (chunk: Buffer) => void chunks.push(chunk));
  request.on('end', () => end(null));
  request.on('error', end);
}

/** Undefined for what is no plain JSON. */
function parse({ headers }: IncomingMessage, chunks: readonly Buffer[]): unknown {
  const [first] = chunks;
  const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
  if (bytes.length !== Number(headers['content-length'])) return undefined;
  const text = bytes.toString('utf8');
  if (text.charCodeAt(0) !== 0x7b || isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answer(
  deps: ServingFrontDeps,
  asking: Asking,
  body: AdRequest,
  textOf: (answer: unknown) => string,
): void {
  const { request, response, publisher, id } = asking;
  const work = (): void =>
    void answerRequest(deps, publisher, body, request)
      .then((answered) => send(deps, asking, answered, textOf))
      .catch((error: unknown) => fail(deps, asking, error));
  deps.http.inTurn(request, response, work, () => {
    turnAway(response, id);
    note(deps, asking, 'temporarily_unavailable');
  });
}

function send(
  deps: ServingFrontDeps,
  asking: Asking,
  { requestId, ads, noAdReason, privacy }: AnsweredAds,
  textOf: (answer: unknown) => string,
): void {
  const { response } = asking;
  const head = headOf(asking);
  const said = privacyHeaders(privacy);
  for (const name in said) head.push(name, said[name] ?? '');
  head.push('x-ad-request-id', requestId, 'cache-control', 'no-store');
  if (noAdReason === null) {
    const text = textOf(ads);
    head.push('content-type', jsonType, 'content-length', String(Buffer.byteLength(text)));
    response.writeHead(200, head).end(text);
  } else {
    head.push('no-ad-reason', noAdReason);
    response.writeHead(204, head).end();
  }
  note(deps, asking, noAdReason);
}

const jsonType = 'application/json; charset=utf-8';

/** A flat list goes out as it is, where an object would be copied into one each time. */
function headOf({ id, taken }: Asking): string[] {
  const head = ['x-request-id', id];
  if (taken !== null) head.push('ratelimit-policy', policyOf(taken), 'ratelimit', leftOf(taken));
  return head;
}

function fail(deps: ServingFrontDeps, asking: Asking, error: unknown): void {
  const { response, id } = asking;
  const known = asFailure(error);
  logFailure(deps.log, error, known, id, adRoute);
  // It failed while it was sent: nobody can be told.
  if (response.headersSent) return void response.destroy();
  const text = JSON.stringify(toldOf(known, id));
  const head = headOf(asking);
  if (known.retryAfterSeconds !== undefined)
    head.push('retry-after', String(known.retryAfterSeconds));
  head.push('content-type', jsonType, 'content-length', String(Buffer.byteLength(text)));
  response.writeHead(known.status, head).end(text);
  note(deps, asking, known.code);
}

/** Tells those who count, trace and list requests, when the framework would. */
function note(deps: ServingFrontDeps, asking: Asking, reason: string | null): void {
  const { request, response, holder, started } = asking;
  const latencyMs = performance.now() - started;
  const status = response.statusCode;
  const { traceparent } = request.headers;
  deps.metrics.httpRequest('POST', adRoute, status, latencyMs, traceparent);
  deps.note({ keyId: holder.keyId, method: 'POST', route: adRoute, status, reason, latencyMs });
}
