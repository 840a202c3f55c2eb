import type { FastifyInstance } from 'fastify';
import { isUuid } from '../../domain/uuid.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import { rawBodies } from '../../platform/http/raw-bodies.js';
import type { MintId } from '../../platform/ids.js';
import type { PaymentProvider } from './payment-provider.js';
import { loadCustomer } from './queries.js';
import { grantCredit, takePayment } from './take-payment.js';

const limitBytes = 512 * 1024;

/** Where the payment provider says what was paid. Telling twice changes nothing. */
export function paymentWebhooks(
  app: FastifyInstance,
  deps: { db: Db; clock: Clock; mintId: MintId; payments: PaymentProvider },
): void {
  const { db, clock, mintId, payments } = deps;
  rawBodies(
    app,
    (scope) =>
      scope.post(
        '/webhooks/stripe',
        { schema: { tags: ['billing'], summary: 'Payments, told by Stripe' } },
        async (request) => {
          const { body } = request;
          const signature = request.headers['stripe-signature'];
          const now = clock();
          const news =
            Buffer.isBuffer(body) && typeof signature === 'string'
              ? payments.readNews(body, signature, now)
              : null;
          if (news === null) throw new AppError('invalid_credentials');
          if (news.kind === 'invoice_paid' && isUuid(news.invoiceId)) {
            const { invoiceId, amountMicros } = news;
            await db.transaction((tx) =>
              takePayment(tx, mintId, now, { invoiceId, amountMicros, via: 'Stripe' }),
            );
          }
          if (news.kind === 'credit_bought' && isUuid(news.advertiserId) && news.amountMicros > 0) {
            const { advertiserId, amountMicros, reference } = news;
            await db.transaction(
              async (tx) =>
                (await loadCustomer(tx, advertiserId)) !== null &&
                grantCredit(tx, mintId, now, {
                  advertiserId,
                  amountMicros,
                  reference,
                  reason: 'Credit bought',
                }),
            );
          }
          return { received: true };
        },
      ),
    limitBytes,
  );
}
