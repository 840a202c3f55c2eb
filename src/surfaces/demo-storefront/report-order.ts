import { minorDigits } from '../../domain/commerce/price-text.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { errorFields, type Log } from '../../platform/log.js';
import { type CheckoutState, totalsOf } from './checkout.js';
import { findStoreAdvertiser } from './queries.js';

export interface ReportOrderDeps {
  db: Db;
  clock: Clock;
  log: Log;
  /** The shop is verified: it is this server's own. */
  recordConversions: (
    advertiserId: string,
    events: readonly unknown[],
    options: { source: 'storefront'; orderNames: readonly string[] },
  ) => Promise<unknown>;
}

/** Tells the advertiser the shop is linked to of an order, as a connected shop would. */
export function createOrderReport(
  deps: ReportOrderDeps,
): (order: CheckoutState & { orderId: string }) => Promise<void> {
  return async (order) => {
    try {
      const advertiserId = await findStoreAdvertiser(deps.db);
      if (advertiserId === null) return;
      await deps.recordConversions(advertiserId, [purchaseOf(order, deps.clock())], {
        source: 'storefront',
        orderNames: [order.orderId],
      });
    } catch (error) {
      // The order stands whether or not anybody counts it.
      deps.log.warn({ order: order.orderId, ...errorFields(error) }, 'order not reported');
    }
  };
}

function purchaseOf(order: CheckoutState & { orderId: string }, now: number): object {
  const unit = 10 ** minorDigits(order.currency);
  const total = totalsOf(order).find(({ type }) => type === 'total')?.amount ?? 0;
  const { click_id_value: grclid } = order.attribution;
  const email = order.buyer?.['email'];
  return {
    event_name: 'Purchase',
    event_id: order.orderId,
    event_time: Math.floor(now / 1000),
    action_source: 'website',
    user_data: {
      ...(grclid === undefined ? {} : { click_id: grclid }),
      ...(typeof email === 'string' ? { em: [email] } : {}),
    },
    custom_data: {
      value: total / unit,
      currency: order.currency,
      order_id: order.orderId,
      contents: order.lines.map((line) => ({
        id: line.itemId,
        quantity: line.quantity,
        item_price: line.unitMinor / unit,
        title: line.title,
      })),
    },
  };
}
