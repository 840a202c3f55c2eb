import { errorFields, type Log } from '../../platform/log.js';
import { type BillingDeps, billSpend } from './invoices/bill-spend.js';
import { findCollection, findInvoice, saveCollection } from './invoices/invoice-queries.js';
import { type HoldDeps, missPayment } from './holds/hold-account.js';
import { listOverdue } from './holds/hold-queries.js';
import type { PaymentProvider } from './payments/payment-provider.js';
import { listSpenders, loadCustomer, saveCustomer } from './queries.js';
import { syncSpend } from './invoices/sync-spend.js';
import { statusOf } from './views.js';

const syncEveryMs = 10 * 60_000;
/** Invoices are due after two weeks; a third passes before anything stops. */
const overdueMs = 21 * 24 * 3_600_000;
const billEveryMs = 24 * 3_600_000;

export function billingJobs(
  deps: BillingDeps & HoldDeps & { payments: PaymentProvider; log: Log },
): void {
  const { db, clock, jobs, payments, log } = deps;
  jobs.every('sync-spend', syncEveryMs, async () => void (await syncSpend(deps)));

  jobs.every('bill-spend', billEveryMs, async () => {
    for (const advertiserId of await listSpenders(db)) {
      // One account that cannot be billed must not keep the others from it; the next run tries
      // again.
      await billSpend(deps, advertiserId, true).catch((error: unknown) =>
        log.error({ ...errorFields(error), advertiser: advertiserId }, 'not billed'),
      );
    }
  });

  jobs.every('overdue-invoices', syncEveryMs, async () => {
    for (const { id } of await listOverdue(db, new Date(clock() - overdueMs)))
      await db.transaction((tx) =>
        missPayment(tx, deps, clock(), { invoiceId: id, reason: 'overdue' }),
      );
  });

  jobs.handle(
    'collect-invoice',
    async (_payload, { key }) => {
      const invoice = await findInvoice(db, key, null);
      const payer = invoice === null ? null : await loadCustomer(db, invoice.advertiserId);
      if (invoice === null || payer === null || statusOf(invoice) !== 'open') return;
      const asked = await payments.collect(invoice, {
        advertiserId: invoice.advertiserId,
        ...payer,
      });
      if (asked === null) return;
      if (asked.customer !== null) await saveCustomer(db, invoice.advertiserId, asked.customer);
      await saveCollection(db, {
        invoiceId: invoice.id,
        provider: payments.name,
        reference: asked.reference,
        paymentUrl: asked.paymentUrl,
        at: new Date(clock()),
      });
      // Taken back meanwhile: what was asked for a moment ago is taken back too.
      if ((await findInvoice(db, key, null))?.voidedAt != null)
        await jobs.enqueue(db, 'void-invoice', key, { invoice_id: key });
    },
    { maxAttempts: 30, slow: true },
  );

  jobs.handle(
    'void-invoice',
    async (_payload, { key }) => {
      const collection = await findCollection(db, key);
      if (collection !== null && collection.provider === payments.name)
        await payments.cancel(key, collection.reference);
    },
    { maxAttempts: 30, slow: true },
  );
}
