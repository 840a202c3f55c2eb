import type { Db } from '../../../platform/db/db.js';
import { AppError } from '../../../platform/errors.js';
import type { MintId } from '../../../platform/ids.js';
import { findInvoice, type Invoice } from '../invoices/invoice-queries.js';
import { postEntry } from '../ledger/post-entry.js';
import {
  findEntry,
  findEntryByReference,
  type LedgerEntry,
  loadBalance,
  lockAccount,
} from '../queries.js';

/** An invoice is paid once and in full; told again, nothing changes. */
export async function payInvoice(
  tx: Db,
  mintId: MintId,
  now: number,
  invoiceId: string,
  reason: string,
): Promise<Invoice> {
  const known = await findInvoice(tx, invoiceId, null);
  if (known === null) throw new AppError('not_found');
  await lockAccount(tx, known.advertiserId);
  const invoice = (await findInvoice(tx, invoiceId, null)) ?? known;
  if (invoice.voidedAt !== null) throw new AppError('conflict');
  if (invoice.paidAt !== null) return invoice;
  await postEntry(tx, mintId, now, {
    advertiserId: invoice.advertiserId,
    kind: 'payment',
    amountMicros: invoice.dueMicros,
    invoiceId,
    reason,
  });
  return (await findInvoice(tx, invoiceId, null)) ?? invoice;
}

/**
 * Money for an invoice, told by who brought it in. It came too late when the invoice was taken
 * back: then it is credit.
 */
export async function takePayment(
  tx: Db,
  mintId: MintId,
  now: number,
  payment: { invoiceId: string; amountMicros: number; via: string },
): Promise<void> {
  const { invoiceId, amountMicros, via } = payment;
  const known = await findInvoice(tx, invoiceId, null);
  // Another installation may share the account; a part payment stays open.
  if (known === null || amountMicros < known.dueMicros) return;
  await lockAccount(tx, known.advertiserId);
  const invoice = (await findInvoice(tx, invoiceId, null)) ?? known;
  if (invoice.voidedAt === null)
    await payInvoice(tx, mintId, now, invoiceId, `Paid through ${via}`);
  else
    await grantCredit(tx, mintId, now, {
      advertiserId: invoice.advertiserId,
      amountMicros,
      reference: `invoice:${invoiceId}`,
      reason: `Paid through ${via} after the invoice was voided`,
    });
}

/** Grants credit, or takes unused credit away again. */
export async function grantCredit(
  tx: Db,
  mintId: MintId,
  now: number,
  grant: {
    advertiserId: string;
    amountMicros: number;
    reason: string;
    reference?: string;
    reverses?: string;
  },
): Promise<LedgerEntry> {
  const { advertiserId, amountMicros, reference } = grant;
  if (!(await lockAccount(tx, advertiserId))) throw new AppError('not_found');
  if (amountMicros < 0) await requireUnused(tx, advertiserId, -amountMicros);
  const entry = await postEntry(tx, mintId, now, {
    ...grant,
    kind: amountMicros < 0 || grant.reverses !== undefined ? 'adjustment' : 'credit',
  });
  if (entry !== null) return entry;
  const known = reference === undefined ? null : await findEntryByReference(tx, reference);
  if (known === null || known.advertiserId !== advertiserId || known.amountMicros !== amountMicros)
    throw new AppError('conflict');
  return known;
}

/** Takes a credit back with an entry of its own. */
export async function reverseCredit(
  tx: Db,
  mintId: MintId,
  now: number,
  entryId: string,
  reason: string,
): Promise<LedgerEntry> {
  const entry = await findEntry(tx, entryId);
  if (entry === null || entry.kind !== 'credit') throw new AppError('not_found');
  return grantCredit(tx, mintId, now, {
    advertiserId: entry.advertiserId,
    amountMicros: -entry.amountMicros,
    reason,
    reverses: entry.id,
  });
}

/** Credit that paid for something cannot be taken away. */
async function requireUnused(tx: Db, advertiserId: string, amountMicros: number): Promise<void> {
  const { creditMicros, leftMicros } = await loadBalance(tx, advertiserId);
  if (amountMicros > creditMicros || amountMicros > leftMicros) throw new AppError('conflict');
}
