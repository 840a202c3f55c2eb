import { createHash } from 'node:crypto';
import { serveIdOf } from '../../../domain/grclid.js';
import { withoutPersonalData } from '../../../domain/pii.js';
import { formatUuidV7 } from '../../../domain/uuid.js';
import { currencyCode } from '../../../domain/commerce/currency.js';
import { type Fields, isObject } from '../intake/read-fields.js';
import { storableText } from '../../../domain/text/storable-json.js';

export interface PixelEvent {
  /** The same event sent twice has the same id. */
  id: string;
  eventType: string;
  eventId: string;
  at: number;
  url: string | null;
  domain: string;
  serveId: string | null;
  properties: Fields;
}

const standard = new Map(
  [
    'Purchase',
    'Lead',
    'CompleteRegistration',
    'Subscribe',
    'StartTrial',
    'InitiateCheckout',
    'AddToCart',
    'Contact',
    'Schedule',
  ].map((name) => [name.toLowerCase(), name]),
);
const aheadMs = 10 * 60_000;
const behindMs = 24 * 3_600_000;

/**
 * Reads one event of a pixel's batch; null when it is none. A page's clock is believed within a
 * day.
 */
export function readPixelEvent(
  raw: unknown,
  context: { now: number; advertiserId: string; visitorId: string; domain: string },
): PixelEvent | null {
  if (!isObject(raw)) return null;
  const eventType = withoutPersonalData(text(raw['event_type'], 100) ?? '').trim();
  if (eventType === '') return null;
  const url = text(raw['url'], 4000);
  const at = readTime(raw['timestamp'], context.now);
  const given = text(raw['event_id'], 500);
  const digest = createHash('sha256')
    .update(
      [context.advertiserId, eventType, given ?? `${context.visitorId}\n${url ?? ''}\n${at}`].join(
        '\n',
      ),
    )
    .digest();
  return {
    id: formatUuidV7(at, digest),
    eventType,
    eventId: given ?? digest.toString('hex', 0, 16),
    at,
    url,
    domain: hostOf(url) ?? context.domain,
    serveId: serveIdOf(text(raw['click_id'], 500) ?? text(raw['grclid'], 500)),
    properties: isObject(raw['properties']) ? raw['properties'] : {},
  };
}

/**
 * The event as the server-side intake would get it, when its name is one of the standard
 * conversions.
 */
export function asConversion(
  event: PixelEvent,
  visitor: { visitorId: string | null; sessionId: string | null; agent: string | undefined },
): Record<string, unknown> | null {
  const name = standard.get(event.eventType.toLowerCase());
  if (name === undefined) return null;
  const { properties } = event;
  const person: Record<string, unknown> = {};
  for (const kind of ['em', 'ph', 'external_id'] as const) {
    const value = properties[kind];
    const list = (Array.isArray(value) ? value : [value])
      .filter((item) => typeof item === 'string')
      .slice(0, 20);
    if (list.length > 0) person[kind] = list;
  }
  return {
    event_name: name,
    event_id: event.eventId,
    event_time: Math.floor(event.at / 1000),
    action_source: 'website',
    event_source_url: event.url,
    user_data: {
      ...person,
      click_id: event.serveId,
      visitor_id: visitor.visitorId,
      session_id: visitor.sessionId,
      client_user_agent: visitor.agent ?? null,
    },
    custom_data: customData(properties),
  };
}

/**
 * Pages are written by hand: an amount may come as text, and a wrong one must not lose the
 * conversion.
 */
function customData(properties: Fields): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  const amount = (value: unknown): number | null => {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' &&
      Number.isFinite(number) &&
      number >= 0 &&
      number <= 1_000_000_000
      ? number
      : null;
  };
  kept['value'] = amount(properties['value']);
  kept['predicted_ltv'] = amount(properties['predicted_ltv']);
  const currency = text(properties['currency'], 20);
  kept['currency'] = currency === null ? null : currencyCode(currency);
  if (currency !== null && kept['currency'] === null) kept['value'] = null;
  const order = properties['order_id'];
  kept['order_id'] = typeof order === 'number' ? String(order) : text(order, 200);
  for (const name of ['content_name', 'content_category']) kept[name] = text(properties[name], 500);
  const contents = properties['contents'];
  if (Array.isArray(contents)) {
    kept['contents'] = contents
      .filter(isObject)
      .slice(0, 100)
      .map((item) => ({
        id: typeof item['id'] === 'number' ? item['id'] : text(item['id'], 300),
        title: text(item['title'], 300),
        quantity: amount(item['quantity']),
        item_price: amount(item['item_price']),
      }));
  }
  return kept;
}

function readTime(value: unknown, now: number): number {
  const number =
    typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? value : Number.NaN;
  const at = Math.floor(number < 1e11 ? number * 1000 : number);
  return at >= now - behindMs && at <= now + aheadMs ? at : now;
}

function text(value: unknown, limit: number): string | null {
  if (typeof value !== 'string') return null;
  const trimmed = storableText(value, limit).trim();
  return trimmed === '' ? null : trimmed;
}

export function hostOf(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { hostname } = new URL(url);
  return hostname === '' ? null : hostname.toLowerCase().slice(0, 253);
}
