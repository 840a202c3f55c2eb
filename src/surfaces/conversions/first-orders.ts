import type { Db } from '../../platform/db/db.js';
import { claimKeys } from './queries.js';
import type { Conversion } from './read-event.js';
import { orderKey } from './reverse-order.js';

/**
 * A purchase told by the page and by the storefront is one: whichever comes first takes the order.
 * The server-side intake
 * is left out, because its repeats are told by event id alone.
 */
export async function firstOrders(
  tx: Db,
  advertiserId: string,
  fresh: readonly Conversion[],
  { now, source, windowMs }: { now: number; source: string; windowMs: number },
): Promise<Conversion[]> {
  const orderOf = (conversion: Conversion): string | null =>
    source === 'capi' ||
    conversion.orderId === null ||
    conversion.eventName.toLowerCase() !== 'purchase'
      ? null
      : orderKey(conversion.orderId);
  const first = new Map<string, Conversion>();
  for (const conversion of fresh) {
    const order = orderOf(conversion);
    if (order !== null && !first.has(order)) first.set(order, conversion);
  }
  if (first.size === 0) return [...fresh];
  const claimed = await claimKeys(tx, advertiserId, [...first.keys()], now, windowMs);
  return fresh.filter((conversion) => {
    const order = orderOf(conversion);
    return order === null || (claimed.has(order) && first.get(order) === conversion);
  });
}
