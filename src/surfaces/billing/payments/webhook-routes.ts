import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../../domain/uuid.js';
import type { Clock } from '../../../platform/clock.js';
import type { Db } from '../../../platform/db/db.js';
import { AppError } from '../../../platform/errors.js';
import { rawBodies } from '../../../platform/http/raw-bodies.js';
import type { MintId } from '../../../platform/ids.js';
import {
  type HoldDeps,
  missPayment,
  releaseHold,
  releaseRefunded,
  takeMoneyBack,
} from '../holds/hold-account.js';
import { findPayment, insertPayment } from '../holds/hold-queries.js';
import { findInvoice } from '../invoices/invoice-queries.js';
import type { PaymentNews, PaymentProvider } from './payment-provider.js';
import { findByCustomer, loadCustomer } from '../queries.js';
import { grantCredit, takePayment } from './take-payment.js';

const limitBytes = 512 * 1024;

/** Where the payment provider says what was paid. Telling twice changes nothing. */
export function paymentWebhooks(
  app: FastifyInstance,
  deps: HoldDeps & { db: Db; clock: Clock; mintId: MintId; payments: PaymentProvider },
): void {
  const { db, clock, payments } = deps;
  rawBodies(
    app,
    (scope) =>
      scope.post(
        '/webhooks/stripe',
        {
          schema: {
            tags: ['billing'],
            summary: 'Payments, told by Stripe',
            response: { 200: Type.Object({ received: Type.Boolean() }) },
          },
        },
        async (request) => {
          const { body } = request;
          const signature = request.headers['stripe-signature'];
          const now = clock();
          const news =
            Buffer.isBuffer(body) && typeof signature === 'string'
              ? payments.readNews(body, signature, now)
              : null;
          if (news === null) throw new AppError('invalid_credentials');
          const told = await withPayer(deps, news);
          await db.transaction((tx) => take(deps, tx, told, now));
          return { received: true };
        },
      ),
    limitBytes,
  );
}

async function take(
  deps: HoldDeps & { db: Db; clock: Clock; mintId: MintId; payments: PaymentProvider },
  tx: Db,
  news: PaymentNews,
  now: number,
): Promise<void> {
  switch (news.kind) {
    case 'invoice_paid': {
      const { invoiceId, amountMicros } = news;
      if (!isUuid(invoiceId)) return;
      await takePayment(tx, deps.mintId, now, { invoiceId, amountMicros, via: 'Stripe' });
      const invoice = await findInvoice(tx, invoiceId, null);
      if (invoice === null) return;
      for (const reference of news.payments)
        await insertPayment(tx, { ...invoice, reference, invoiceId, amountMicros }, new Date(now));
      if (invoice.paidAt !== null) await releaseHold(tx, deps, `invoice:${invoiceId}`);
      return releaseRefunded(tx, deps, invoice.advertiserId);
    }
    case 'invoice_missed':
      if (isUuid(news.invoiceId)) await missPayment(tx, deps, now, news);
      return;
    case 'credit_bought': {
      const { advertiserId, amountMicros, reference } = news;
      if (!isUuid(advertiserId) || amountMicros <= 0) return;
      if ((await loadCustomer(tx, advertiserId)) === null) return;
      const reason = 'Credit bought';
      await grantCredit(tx, deps.mintId, now, { advertiserId, amountMicros, reference, reason });
      for (const payment of news.payments)
        await insertPayment(
          tx,
          { reference: payment, advertiserId, invoiceId: null, amountMicros },
          new Date(now),
        );
      return releaseRefunded(tx, deps, advertiserId);
    }
    case 'other':
      return;
    default: {
      const { advertiserId } = news;
      const named = advertiserId !== null && isUuid(advertiserId) ? advertiserId : null;
      return takeMoneyBack(tx, deps, now, { ...news, advertiserId: named });
    }
  }
}

/**
 * A dispute or refund does not always say whose payment it is about, and may come before the
 * payment itself: then the provider is asked. Should it not answer, it tells us again.
 */
async function withPayer(
  deps: HoldDeps & { db: Db; clock: Clock; mintId: MintId; payments: PaymentProvider },
  news: PaymentNews,
): Promise<PaymentNews> {
  if (!('payments' in news) || news.kind === 'invoice_paid' || news.kind === 'credit_bought')
    return news;
  if (news.advertiserId !== null || (await findPayment(deps.db, news.payments)) !== null)
    return news;
  const { advertiserId, customer } = await deps.payments.payerOf(news.payments).catch(() => {
    throw new AppError('temporarily_unavailable');
  });
  const known = customer === null ? null : await findByCustomer(deps.db, customer);
  return { ...news, advertiserId: known ?? advertiserId };
}
