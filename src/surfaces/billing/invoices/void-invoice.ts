import type { Db } from '../../../platform/db/db.js';
import { AppError } from '../../../platform/errors.js';
import type { BillingDeps } from './bill-spend.js';
import { findInvoice, type Invoice, unbillInvoice } from './invoice-queries.js';
import { postEntry } from '../ledger/post-entry.js';
import { loadBalance, lockAccount } from '../queries.js';

/**
 * Takes an invoice back that nobody paid. Its charge is cancelled by an entry of its own, credit it
 * used is free again, and
 * what it billed will be on the next one. Told again, nothing changes.
 */
export async function voidInvoice(
  tx: Db,
  { mintId, jobs }: Pick<BillingDeps, 'mintId' | 'jobs'>,
  now: number,
  invoiceId: string,
  reason: string,
): Promise<Invoice> {
  const known = await findInvoice(tx, invoiceId, null);
  if (known === null) throw new AppError('not_found');
  await lockAccount(tx, known.advertiserId);
  const invoice = (await findInvoice(tx, invoiceId, null)) ?? known;
  if (invoice.voidedAt !== null) return invoice;
  // What was paid is given back by a credit or a refund, not by pretending that it was never asked
  // for.
  if (invoice.paidAt !== null && invoice.dueMicros > 0) throw new AppError('conflict');
  if (invoice.lines.some((line) => line.days === undefined)) throw new AppError('conflict');
  const { advertiserId } = invoice;
  const amountMicros = await unbillInvoice(tx, invoice);
  await postEntry(tx, mintId, now, { advertiserId, kind: 'void', amountMicros, invoiceId, reason });
  if (invoice.roundingMicros > 0)
    await postEntry(tx, mintId, now, {
      advertiserId,
      kind: 'adjustment',
      amountMicros: -invoice.roundingMicros,
      invoiceId,
      reason: 'Rounding of a voided invoice',
    });
  // A refund of what it billed paid for something else since: taking the charge back would leave
  // that unpaid.
  if ((await loadBalance(tx, advertiserId)).creditMicros < 0) throw new AppError('conflict');
  await jobs.enqueue(tx, 'void-invoice', invoiceId, { invoice_id: invoiceId });
  return (await findInvoice(tx, invoiceId, null)) ?? invoice;
}
