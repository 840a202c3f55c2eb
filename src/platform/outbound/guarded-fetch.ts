import { lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { isPrivateAddress } from './private-address.js';

export type OutboundFailure =
  | 'bad_url'
  | 'private_address'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects'
  | 'redirect_refused';

export class OutboundError extends Error {
  readonly failure: OutboundFailure;
  constructor(failure: OutboundFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

export interface OutboundRequest {
  method?: 'GET' | 'POST' | 'HEAD';
  headers?: Record<string, string>;
  body?: string;
  /** Whole exchange, redirects included. */
  timeoutMs?: number;
  maxBytes?: number;
  maxRedirects?: number;
  httpsOnly?: boolean;
  signal?: AbortSignal;
}

export interface OutboundResponse {
  url: string;
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/**
 * Fetches an address somebody else named: never a private one, at no redirect, never more bytes or
 * time than allowed.
 */
export type Outbound = (url: string, request?: OutboundRequest) => Promise<OutboundResponse>;

export const agentName = 'Mozilla/5.0 (compatible; Sidelight/1.0)';

export function createOutbound(options: { allow: readonly string[] }): Outbound {
  const allowed = new Set(options.allow);
  const isAllowed = (url: URL): boolean => allowed.has(url.host) || allowed.has(url.hostname);

  return async (address, request = {}) => {
    const timeout = AbortSignal.timeout(request.timeoutMs ?? 8000);
    const signal =
      request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]);
    let url = parseOutboundUrl(address, request.httpsOnly ?? false);
    for (let hop = 0; ; hop += 1) {
      const response = await once(url, request, signal, isAllowed(url));
      const location = response.headers.location;
      if (
        response.status < 300 ||
        response.status > 399 ||
        location === undefined ||
        response.status === 304
      )
        return response;
      if (request.maxRedirects === 0)
        throw new OutboundError('redirect_refused', 'the address redirects');
      if (hop >= (request.maxRedirects ?? 5))
        throw new OutboundError('too_many_redirects', 'too many redirects');
      if (!URL.canParse(location, url))
        throw new OutboundError('bad_url', 'redirected to an invalid address');
      url = parseOutboundUrl(new URL(location, url).href, request.httpsOnly ?? false);
    }
  };
}

export function parseOutboundUrl(address: string, httpsOnly: boolean): URL {
  if (!URL.canParse(address)) throw new OutboundError('bad_url', 'not a valid address');
  const url = new URL(address);
  if (url.protocol !== 'https:' && (httpsOnly || url.protocol !== 'http:'))
    throw new OutboundError('bad_url', 'not an address that may be fetched');
  if (url.username !== '' || url.password !== '')
    throw new OutboundError('bad_url', 'addresses with credentials are refused');
  return url;
}

/** Checked when the connection is made, so a name cannot resolve to something else in between. */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0);
    const safe = addresses.filter((entry) => !isPrivateAddress(entry.address));
    const first = safe[0];
    if (first === undefined)
      return callback(new OutboundError('private_address', 'the address is private'), '', 0);
    if (options.all === true) return callback(null, safe);
    return callback(null, first.address, first.family);
  });
};

function once(
  url: URL,
  request: OutboundRequest,
  signal: AbortSignal,
  mayBePrivate: boolean,
): Promise<OutboundResponse> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!mayBePrivate && isIP(host) !== 0 && isPrivateAddress(host))
    throw new OutboundError('private_address', 'the address is private');
  const maxBytes = request.maxBytes ?? 2 * 1024 * 1024;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(asOutboundError(error, signal));
    const call = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      url,
      {
        method: request.method ?? 'GET',
        headers: {
          'user-agent': agentName,
          'accept-encoding': 'gzip, deflate, br',
          accept: '*/*',
          ...request.headers,
        },
        signal,
        agent: false,
        ...(mayBePrivate ? {} : { lookup: guardedLookup }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > maxBytes) {
            call.destroy();
            return reject(new OutboundError('too_large', 'the answer is too large'));
          }
          chunks.push(chunk);
        });
        response.on('error', fail);
        response.on('end', () => {
          decode(Buffer.concat(chunks), response.headers['content-encoding'], maxBytes).then(
            (body) =>
              resolve({
                url: url.href,
                status: response.statusCode ?? 0,
                headers: response.headers,
                body,
              }),
            fail,
          );
        });
      },
    );
    call.on('error', fail);
    call.end(request.body);
  });
}

/** Elsewhere than on the main thread: megabytes take long enough that others would wait. */
const unpackers = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

async function decode(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const name = encoding?.toLowerCase();
  return name === 'gzip' || name === 'deflate' || name === 'br'
    ? unpackers[name](body, { maxOutputLength: maxBytes })
    : body;
}

function asOutboundError(error: unknown, signal: AbortSignal): OutboundError {
  if (error instanceof OutboundError) return error;
  if (signal.aborted)
    return new OutboundError('timeout', 'the address took too long to answer', { cause: error });
  if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
    return new OutboundError('too_large', 'the answer is too large');
  return new OutboundError('unreachable', 'the address does not answer', { cause: error });
}
