import { sha256 } from '../../../domain/pii.js';
import { uuidDay } from '../../../domain/uuid.js';
import type { Db } from '../../../platform/db/db.js';
import { reverseEvents } from '../../../platform/events/reverse-events.js';
import { findCountedConversions, markReversed } from '../reversals/order-queries.js';
import { claimKeys } from '../queries.js';
import type { Conversion } from '../intake/read-event.js';
import type { ConversionSource } from '../record-conversions.js';
import { orderKey } from '../reversals/reverse-order.js';
import { claimPixelKeys, findKeys, findPixelTwins, releaseCharges } from './trust-queries.js';

/** What tells one conversion from another. */
export type Named = Pick<Conversion, 'key' | 'orderId' | 'eventName'>;

export interface FirstOnesInput {
  tx: Db;
  advertiserId: string;
  now: number;
  source: ConversionSource;
  windowMs: number;
  orderNames?: readonly string[];
}

/**
 * Of equal events the first stays, in this batch as well as over time. Trusted ones are compared
 * among themselves: what a pixel told before, under the same id or order, they take the place of.
 * A pixel's repeats nothing that was told already, by anybody. This only looks; `claimFirstOnes`
 * decides.
 */
export async function findFirstOnes<C extends Named>(
  { tx, advertiserId, now, source, windowMs, orderNames = [] }: FirstOnesInput,
  wanted: readonly C[],
): Promise<C[]> {
  const open = firstBy(wanted, ({ key }) => key);
  const keys = open.flatMap((one) => claimedKeys(source, one));
  const known = await findKeys(
    tx,
    advertiserId,
    source === 'pixel'
      ? [...keys, ...keys.map(pixelKey)]
      : [...keys, ...(source === 'storefront' ? orderNames.map(orderKey) : [])],
    now - windowMs,
  );
  const isKnown = (key: string): boolean =>
    known.has(key) || (source === 'pixel' && known.has(pixelKey(key)));
  return firstOfOrders(
    source,
    open.filter((one) => !claimedKeys(source, one).some(isKnown)),
  );
}

/** The same, and nobody else will be the first: a trusted one takes the place of a pixel's. */
export async function claimFirstOnes<C extends Named & { id: string }>(
  input: FirstOnesInput,
  wanted: readonly C[],
): Promise<C[]> {
  const open = firstBy(wanted, ({ key }) => key);
  return input.source === 'pixel' ? claimForPixel(input, open) : claimTrusted(input, open);
}

/** Every key under which these may have been told of before, for whoever waits for them. */
export function keysToldUnder(
  conversions: readonly Named[],
  orderNames: readonly string[] = [],
): string[] {
  return [...new Set([...conversions.flatMap(keysOf), ...orderNames.map(orderKey)])];
}

async function claimTrusted<C extends Named & { id: string }>(
  input: FirstOnesInput,
  wanted: readonly C[],
): Promise<C[]> {
  const { tx, advertiserId, now, source, windowMs } = input;
  const claimed = await claimKeys(
    tx,
    advertiserId,
    wanted.map((conversion) => conversion.key),
    now,
    windowMs,
    wanted.map(({ id }) => id),
  );
  let fresh = wanted.filter((conversion) => claimed.has(conversion.key));
  if (source === 'storefront') {
    const orders = [...fresh.map(orderOf), ...(input.orderNames ?? []).map(orderKey)].filter(
      (key) => key !== null,
    );
    const taken = await claimKeys(tx, advertiserId, [...new Set(orders)], now, windowMs);
    fresh = firstOfOrders(source, fresh).filter((conversion) => {
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
  fresh: readonly Named[],
): Promise<void> {
  if (fresh.length === 0) return;
  const keys = keysToldUnder(fresh, orderNames).map(pixelKey);
  const twins = await findPixelTwins(tx, advertiserId, keys, now - windowMs);
  if (twins.length === 0) return;
  const days = [...new Set(twins.map(uuidDay))];
  await reverseEvents(tx, await findCountedConversions(tx, twins, days), 'told_by_server');
  await markReversed(tx, twins, new Date(now));
  await releaseCharges(tx, twins);
}

async function claimForPixel<C extends Named & { id: string }>(
  { tx, advertiserId, now, windowMs }: FirstOnesInput,
  wanted: readonly C[],
): Promise<C[]> {
  const known = await findKeys(tx, advertiserId, wanted.flatMap(keysOf), now - windowMs);
  const open = firstOfOrders(
    'pixel',
    wanted.filter((conversion) => !keysOf(conversion).some((key) => known.has(key))),
  );
  const claimed = await claimPixelKeys(
    tx,
    advertiserId,
    open.flatMap((conversion) =>
      keysOf(conversion).map((key) => ({ key: pixelKey(key), conversionId: conversion.id })),
    ),
    now,
    windowMs,
  );
  return open.filter((conversion) => keysOf(conversion).every((key) => claimed.has(pixelKey(key))));
}

/** Repeats of the server-side intake are told by event id alone. */
function firstOfOrders<C extends Named>(source: ConversionSource, wanted: C[]): C[] {
  return source === 'capi' ? wanted : firstBy(wanted, orderOf);
}

/** What must not have been told of before. */
function claimedKeys(source: ConversionSource, conversion: Named): string[] {
  return source === 'capi' ? [conversion.key] : keysOf(conversion);
}

function keysOf(conversion: Named): string[] {
  const order = orderOf(conversion);
  return order === null ? [conversion.key] : [conversion.key, order];
}

function orderOf({ orderId, eventName }: Named): string | null {
  return orderId === null || eventName.toLowerCase() !== 'purchase' ? null : orderKey(orderId);
}

/** Anybody can send a pixel's event: its ids must not use up those of the advertiser's server. */
function pixelKey(key: string): string {
  return sha256(`\npixel\n${key}`).slice(0, 32);
}

function firstBy<C>(conversions: readonly C[], keyOf: (conversion: C) => string | null): C[] {
  const seen = new Set<string>();
  return conversions.filter((conversion) => {
    const key = keyOf(conversion);
    if (key === null) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
