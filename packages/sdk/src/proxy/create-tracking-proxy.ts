import { trimUrl } from '../call-service.js';
import { readNodeBytes, type NodeRequest, type NodeResponse } from '../http/node-http.js';
import { cleanAddress, headerReader, readRequest } from '../http/read-request.js';
import { trackingSuffix } from './tracking-url.js';

export interface TrackingProxyOptions {
  /** The tracking host requests go to. */
  baseUrl: string;
  /**
   * The header your own load balancer puts the user's address in (for example "cf-connecting-ip");
   * believed above all else.
   */
  trustedHeader?: string;
  /** Longest wait for the tracking host; 5,000 ms unless told. */
  timeoutMs?: number;
  fetch?: typeof fetch;
}

export interface TrackingProxy {
  /**
   * For Next route handlers, Hono, Workers, Deno and Bun; pass the peer's address where the
   * platform tells it.
   */
  handle(request: Request, peer?: { address?: string }): Promise<Response>;
  /** For node:http, Express and Fastify; calls `next` for paths that are not tracking. */
  middleware(request: NodeRequest, response: NodeResponse, next?: () => void): Promise<void>;
}

interface Incoming {
  method: string;
  path: string;
  search: string;
  header: (name: string) => string | null;
  address: string | null;
  body?: Uint8Array<ArrayBuffer>;
}

/**
 * Headers that say who asks, for device classes and bot filters. Cookies and credentials of your
 * site never leave it.
 */
const FORWARDED = [
  'user-agent',
  'accept-language',
  'referer',
  'content-type',
  'purpose',
  'sec-purpose',
  'sec-gpc',
  'dnt',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
];
const RETURNED = [
  'content-type',
  'location',
  'access-control-allow-origin',
  'referrer-policy',
  'retry-after',
];
const BODY_LIMIT = 16 * 1024;

/**
 * Tracking under your own domain. Paths and `p` go on unchanged, redirects come back unfollowed,
 * nothing is cached.
 *
 * @example
 * // app/t/[...path]/route.ts, with ads rewritten by rewriteTrackingUrls(ad,
 * 'https://chat.example/t')
 * const proxy = createTrackingProxy({ baseUrl: 'https://ads.example.com' });
 * export const GET = (request: Request) => proxy.handle(request);
 */
export function createTrackingProxy(options: TrackingProxyOptions): TrackingProxy {
  return {
    async handle(request, peer) {
      const { pathname, search } = new URL(request.url);
      const header = headerReader(request);
      const address =
        trustedAddress(header, options) ??
        cleanAddress(peer?.address ?? '') ??
        readRequest(request).ip ??
        null;
      const body = request.method === 'POST' ? await readBytes(request) : undefined;
      if (body === null) return refusal(413, 'body_too_large');
      return forward(
        {
          method: request.method,
          path: pathname,
          search,
          header,
          address,
          ...(body === undefined ? {} : { body }),
        },
        options,
      );
    },
    async middleware(request, response, next) {
      const [path = '/', ...query] = (request.url ?? '/').split('?');
      if (next !== undefined && trackingSuffix(path) === null) return next();
      const header = headerReader(request);
      const address = trustedAddress(header, options) ?? readRequest(request).ip ?? null;
      const method = request.method ?? 'GET';
      const body = method === 'POST' ? await readNodeBytes(request, BODY_LIMIT) : undefined;
      const search = query.length === 0 ? '' : `?${query.join('?')}`;
      const answer =
        body === null
          ? refusal(413, 'body_too_large')
          : await forward(
              {
                method,
                path,
                search,
                header,
                address,
                ...(body === undefined ? {} : { body }),
              },
              options,
            );
      response.statusCode = answer.status;
      answer.headers.forEach((value, name) => response.setHeader(name, value));
      response.end(new Uint8Array(await answer.arrayBuffer().catch(() => new ArrayBuffer(0))));
    },
  };
}

async function forward(incoming: Incoming, options: TrackingProxyOptions): Promise<Response> {
  const suffix = trackingSuffix(incoming.path);
  if (suffix === null) return refusal(404, 'route_not_found');
  if (incoming.method !== (suffix === '/track/viewable' ? 'POST' : 'GET'))
    return refusal(405, 'method_not_allowed');
  const url = `${trimUrl(options.baseUrl)}${suffix}${incoming.search}`;
  const headers = new Headers();
  for (const name of FORWARDED) {
    const value = incoming.header(name);
    if (value !== null) headers.set(name, value);
  }
  if (incoming.address !== null) headers.set('x-forwarded-for', incoming.address);
  try {
    const send = options.fetch ?? fetch;
    const signal = AbortSignal.timeout(options.timeoutMs ?? 5000);
    const answer = await send(url, {
      method: incoming.method,
      headers,
      redirect: 'manual',
      signal,
      ...(incoming.body === undefined ? {} : { body: incoming.body }),
    });
    return passOn(answer);
  } catch {
    // A person who clicked must arrive: let the browser try the tracking host itself.
    return suffix === '/track/click'
      ? new Response(null, {
          status: 302,
          headers: { location: url, 'cache-control': 'no-store' },
        })
      : refusal(502, 'unavailable');
  }
}

/** The address a proxy in front of this one told in the header it alone may set. */
function trustedAddress(
  header: (name: string) => string | null,
  { trustedHeader }: TrackingProxyOptions,
): string | null {
  return trustedHeader === undefined
    ? null
    : cleanAddress((header(trustedHeader.toLowerCase()) ?? '').split(',')[0] ?? '');
}

function passOn(answer: Response): Response {
  const headers = new Headers({ 'cache-control': 'no-store' });
  for (const name of RETURNED) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const bodiless = answer.status === 204 || answer.status === 304;
  return new Response(bodiless ? null : answer.body, { status: answer.status, headers });
}

function refusal(status: number, detail: string): Response {
  return new Response(JSON.stringify({ detail }), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}

async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.length > BODY_LIMIT ? null : bytes;
}
