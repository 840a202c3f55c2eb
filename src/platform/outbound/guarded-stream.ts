import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { agentName, guardedLookup, OutboundError, parseOutboundUrl } from './guarded-fetch.js';
import { isPrivateAddress } from './private-address.js';

export interface StreamedAnswer {
  status: number;
  headers: IncomingMessage['headers'];
  body: AsyncIterable<Buffer>;
}

/** Like `Outbound` for answers too large to hold: the same guards, the body a piece at a time. */
export type OutboundStream = (url: string) => Promise<StreamedAnswer>;

const silenceMs = 60_000;
const mostRedirects = 5;

export function createOutboundStream(options: { allow: readonly string[] }): OutboundStream {
  const allowed = new Set(options.allow);
  return async (address) => {
    let url = parseOutboundUrl(address, false);
    for (let hop = 0; ; hop += 1) {
      const response = await open(url, allowed.has(url.host) || allowed.has(url.hostname));
      const { location } = response.headers;
      const status = response.statusCode ?? 0;
      if (status < 300 || status > 399 || location === undefined)
        return { status, headers: response.headers, body: response };
      response.destroy();
      if (hop >= mostRedirects) throw new OutboundError('too_many_redirects', 'too many redirects');
      if (!URL.canParse(location, url))
        throw new OutboundError('bad_url', 'redirected to an invalid address');
      url = parseOutboundUrl(new URL(location, url).href, false);
    }
  };
}

function open(url: URL, mayBePrivate: boolean): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!mayBePrivate && isIP(host) !== 0 && isPrivateAddress(host))
    return Promise.reject(new OutboundError('private_address', 'the address is private'));
  return new Promise((resolve, reject) => {
    const call = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      url,
      {
        headers: { 'user-agent': agentName, accept: '*/*' },
        agent: false,
        timeout: silenceMs,
        ...(mayBePrivate ? {} : { lookup: guardedLookup }),
      },
      resolve,
    );
    // Silence, before the answer or in the middle of it, ends the exchange.
    call.on('timeout', () =>
      call.destroy(new OutboundError('timeout', 'the address took too long to answer')),
    );
    call.on('error', (error) =>
      reject(
        error instanceof OutboundError
          ? error
          : new OutboundError('unreachable', 'the address does not answer', { cause: error }),
      ),
    );
    call.end();
  });
}
