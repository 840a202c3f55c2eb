import type { IncomingMessage } from 'node:http';

/** No key is longer; what is longer is not hashed or looked up. */
const longestKey = 200;

/**
 * The API key a request names in its headers or its address, wherever its route would look for it.
 * For counting calls, not for letting anyone in.
 */
export function keyIn({
  headers,
  url = '',
}: Pick<IncomingMessage, 'headers' | 'url'>): string | null {
  const own = headers['x-api-key'];
  const key =
    (typeof own === 'string' && own !== '' ? own : undefined) ??
    bearerOf(headers.authorization) ??
    queryKeyOf(url);
  return key === undefined || key === '' || key.length > longestKey ? null : key;
}

function bearerOf(header: string | undefined): string | undefined {
  return header !== undefined && header.slice(0, 7).toLowerCase() === 'bearer '
    ? header.slice(7).trim()
    : undefined;
}

function queryKeyOf(url: string): string | undefined {
  const at = url.indexOf('api_key=');
  if (at === -1 || (url[at - 1] !== '?' && url[at - 1] !== '&')) return undefined;
  const end = url.indexOf('&', at);
  return url.slice(at + 'api_key='.length, end === -1 ? undefined : end);
}
