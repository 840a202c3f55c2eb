/** The end user's device as far as a request tells. */
export interface Device {
  ip?: string;
  ua?: string;
  country?: string;
  locale?: string;
  [name: string]: unknown;
}

/**
 * Any request object: Fetch API (Next, Workers, Deno, Bun), a Hono context, Express, Fastify or
 * node:http.
 */
export type AnyRequest = object;

const ADDRESS_HEADERS = [
  'cf-connecting-ip',
  'true-client-ip',
  'fly-client-ip',
  'x-vercel-forwarded-for',
  'x-real-ip',
  'x-forwarded-for',
];
const COUNTRY_HEADERS = [
  'cf-ipcountry',
  'x-vercel-ip-country',
  'cloudfront-viewer-country',
  'x-country-code',
];
const PRIVATE_V4 = /^(?:127|10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|0)\./;
/** Addresses providers share among their customers. */
const SHARED_V4 = /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
const PRIVATE_V6 = /^(?:::1$|::$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i;
const isPrivate = (address: string): boolean =>
  PRIVATE_V4.test(address) || SHARED_V4.test(address) || PRIVATE_V6.test(address);

/**
 * Address, agent, country and language of the person behind a request.
 * Forwarding headers are believed only when the direct peer is unknown or on a private network,
 * that is, your own proxy.
 *
 * @example
 * app.post('/chat', (req, res) => { const device = readRequest(req); });
 */
export function readRequest(request: AnyRequest): Device {
  const raw = unwrap(request);
  const header = headerReader(raw);
  const device: Device = {};
  const peer = cleanAddress(
    text(field(raw, 'ip')) ?? text(field(field(raw, 'socket'), 'remoteAddress')) ?? '',
  );
  const ip = peer !== null && !isPrivate(peer) ? peer : (forwardedAddress(header) ?? peer);
  if (ip !== null) device.ip = ip;
  const ua = header('user-agent');
  if (ua !== null) device.ua = ua;
  const country =
    text(field(field(raw, 'cf'), 'country')) ??
    text(field(field(raw, 'geo'), 'country')) ??
    COUNTRY_HEADERS.map(header).find((value) => value !== null);
  if (
    typeof country === 'string' &&
    /^[A-Za-z]{2}$/.test(country) &&
    country.toUpperCase() !== 'XX'
  )
    device.country = country.toUpperCase();
  const locale = header('accept-language')?.split(/[,;]/)[0]?.trim();
  if (locale !== undefined && locale !== '' && locale !== '*') device.locale = locale;
  return device;
}

/** The first address in the forwarding headers that is not inside somebody's network. */
function forwardedAddress(header: (name: string) => string | null): string | null {
  for (const name of ADDRESS_HEADERS) {
    const found = (header(name) ?? '')
      .split(',')
      .map(cleanAddress)
      .find((address) => address !== null && !isPrivate(address));
    if (found !== undefined) return found;
  }
  return null;
}

/** An address without port, brackets or IPv4 mapping; null when it is none. */
export function cleanAddress(given: string): string | null {
  const bare = given
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')
    .replace(/%[^%]{0,99}$/, '');
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(bare) || /^[0-9a-f]*:[0-9a-f:.]*$/i.test(bare)
    ? bare
    : null;
}

/** Hono hands out a context, whose request wraps the one with headers. */
function unwrap(request: unknown): unknown {
  const inner = field(request, 'req');
  const raw = field(inner, 'raw') ?? field(request, 'raw');
  if (field(request, 'headers') === undefined && typeof raw === 'object') return raw;
  return field(request, 'headers') === undefined && typeof inner === 'object' ? inner : request;
}

/** Reads one header, whether the headers are a Headers object or a plain one. */
export function headerReader(request: unknown): (name: string) => string | null {
  const headers = field(request, 'headers');
  const get = field(headers, 'get');
  return (name) => {
    const value: unknown =
      typeof get === 'function' ? get.call(headers, name) : field(headers, name);
    return text(Array.isArray(value) ? value.join(', ') : value) ?? null;
  };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined; // any object can be indexed by name
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
