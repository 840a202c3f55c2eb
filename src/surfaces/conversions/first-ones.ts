import { sha256 } from '../../domain/pii.js';
import { uuidDay } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';
import { reverseEvents } from '../../platform/events/reverse-events.js';
import { findCountedConversions, markReversed } from './order-queries.js';
import { claimKeys } from './queries.js';
import type { Conversion } from './read-event.js';
import type { ConversionSource } from './record-conversions.js';
import { orderKey } from './reverse-order.js';
import { claimPixelKeys, findKeys, findPixelTwins, releaseCharges } from './trust-queries.js';

export interface FirstOnesInput {
  tx: Db;
  advertiserId: string;
  now: number;
  source: ConversionSource;
  windowMs: number;
  orderNames?: readonly string[];
  idOf: (conversion: Conversion) => string;
}

/**
 * Of equal events the first stays, in this batch as well as over time. Trusted ones are compared
 * among themselves: what a pixel told before, under the same id or order, they take the place of.
 * A pixel's repeats nothing that was told already, by anybody.
 */
export async function firstOnes(
  input: FirstOnesInput,
  wanted: readonly Conversion[],
): Promise<Conversion[]> {
  const first = firstBy(wanted, (conversion) => conversion.key);
  return input.source === 'pixel' ? firstOfPixel(input, first) : firstTrusted(input, first);
}

async function firstTrusted(
  input: FirstOnesInput,
  wanted: readonly Conversion[],
): Promise<Conversion[]> {
  const { tx, advertiserId, now, source, windowMs } = input;
  const claimed = await claimKeys(
    tx,
    advertiserId,
    wanted.map((conversion) => conversion.key),
    now,
    windowMs,
    wanted.map(input.idOf),
  );
  let fresh = wanted.filter((conversion) => claimed.has(conversion.key));
  // Repeats of the server-side intake are told by event id alone.
  if (source === 'storefront') {
    const orders = [...fresh.map(orderOf), ...(input.orderNames ?? []).map(orderKey)].filter(
      (key) => key !== null,
    );
    const taken = await claimKeys(tx, advertiserId, [...new Set(orders)], now, windowMs);
    fresh = firstBy(fresh, orderOf).filter((conversion) => {
      const order = orderOf(conversion);
      return order === null || taken.has(order);
    });
  }
  await replacePixels(input, fresh);
  return fresh;
}

/** Takes back what a pixel told of, at its own time and with what it cost. */
async function replacePixels(
  { tx, advertiserId, now, windowMs, orderNames = [] }: FirstOnesInput,
  fresh: readonly Conversion[],
): Promise<void> {
  if (fresh.length === 0) return;
  const keys = [...fresh.flatMap(keysOf), ...orderNames.map(orderKey)].map(pixelKey);
  const twins = await findPixelTwins(tx, advertiserId, keys, now - windowMs);
  if (twins.length === 0) return;
  const days = [...new Set(twins.map(uuidDay))];
  await reverseEvents(tx, await findCountedConversions(tx, twins, days), 'told_by_server');
  await markReversed(tx, twins, new Date(now));
  await releaseCharges(tx, twins);
}

async function firstOfPixel(
  { tx, advertiserId, now, windowMs, idOf }: FirstOnesInput,
  wanted: readonly Conversion[],
): Promise<Conversion[]> {
  const known = await findKeys(tx, advertiserId, wanted.flatMap(keysOf), now - windowMs);
  const open = firstBy(
    wanted.filter((conversion) => !keysOf(conversion).some((key) => known.has(key))),
    orderOf,
  );
  const claimed = await claimPixelKeys(
    tx,
    advertiserId,
    open.flatMap((conversion) =>
      keysOf(conversion).map((key) => ({ key: pixelKey(key), conversionId: idOf(conversion) })),
    ),
    now,
    windowMs,
  );
  return open.filter((conversion) => keysOf(conversion).every((key) => claimed.has(pixelKey(key))));
}

function keysOf(conversion: Conversion): string[] {
  const order = orderOf(conversion);
  return order === null ? [conversion.key] : [conversion.key, order];
}

function orderOf({ orderId, eventName }: Conversion): string | null {
  return orderId === null || eventName.toLowerCase() !== 'purchase' ? null : orderKey(orderId);
}

/** Anybody can send a pixel's event: its ids must not use up those of the advertiser's server. */
function pixelKey(key: string): string {
  return sha256(`\npixel\n${key}`).slice(0, 32);
}

function firstBy(
  conversions: readonly Conversion[],
  keyOf: (conversion: Conversion) => string | null,
): Conversion[] {
  const seen = new Set<string>();
  return conversions.filter((conversion) => {
    const key = keyOf(conversion);
    if (key === null) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
