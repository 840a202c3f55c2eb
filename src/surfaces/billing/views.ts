import { toDollars } from '../../domain/money.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { Invoice, InvoiceStatus } from './invoices/invoice-queries.js';
import { type LedgerEntry, loadBalance, loadSummary } from './queries.js';
import type { BillingView, EntryView, InvoiceView, OperatorInvoiceView } from './schema.js';

export async function showBilling(
  db: Db,
  advertiserId: string,
  { sellsCredit }: { sellsCredit: boolean },
): Promise<BillingView> {
  const summary = await loadSummary(db, advertiserId);
  if (summary === null) throw new AppError('not_found');
  return {
    total_spend_dollars: toDollars(summary.spendMicros),
    total_billed_dollars: toDollars(summary.billedMicros),
    unbilled_dollars: toDollars(summary.spendMicros - summary.billedMicros),
    credits_dollars: toDollars((await loadBalance(db, advertiserId)).creditMicros),
    billing_enabled: summary.billingEnabled,
    credit_for_sale: sellsCredit,
    last_spend_sync_at: instant(summary.lastSpendSyncAt),
    last_billed_at: instant(summary.lastBilledAt),
  };
}

export function showEntry(entry: LedgerEntry): EntryView {
  return {
    id: entry.id,
    at: formatTimestamp(entry.at.getTime()),
    kind: entry.kind,
    amount_dollars: toDollars(entry.amountMicros),
    invoice_id: entry.invoiceId,
    reverses: entry.reverses,
    reason: entry.reason,
  };
}

export function showInvoice(invoice: Invoice): InvoiceView {
  return {
    id: invoice.id,
    number: invoice.number,
    status: statusOf(invoice),
    issued_at: formatTimestamp(invoice.issuedAt.getTime()),
    paid_at: invoice.voidedAt === null ? instant(invoice.paidAt) : null,
    voided_at: instant(invoice.voidedAt),
    period_start: invoice.periodStart,
    period_end: invoice.periodEnd,
    currency: 'USD',
    total_dollars: toDollars(invoice.totalMicros),
    credits_dollars: toDollars(invoice.creditsMicros),
    rounding_dollars: toDollars(invoice.roundingMicros),
    due_dollars: toDollars(invoice.dueMicros),
    due_note: dueNote(invoice),
    payment_url: statusOf(invoice) === 'open' ? invoice.paymentUrl : null,
    pdf_url: `/advertiser-dashboard/invoices/${invoice.id}.pdf`,
    lines: invoice.lines.map(({ amount_micros: amount, days: _days, ...line }) => ({
      ...line,
      amount_dollars: toDollars(amount),
    })),
  };
}

/** An invoice whose total and amount due differ says why. */
function dueNote(invoice: { creditsMicros: number; roundingMicros: number }): string | null {
  const parts = [
    ...(invoice.creditsMicros > 0
      ? [`$${toDollars(invoice.creditsMicros)} was paid by credit`]
      : []),
    ...(invoice.roundingMicros > 0
      ? [`$${toDollars(invoice.roundingMicros)} is less than a cent and is not charged`]
      : []),
  ];
  return parts.length === 0 ? null : `${parts.join('; ')}.`;
}

/** Operators read invoices of everybody, so theirs say whose they are. */
export function showInvoiceToOperator(invoice: Invoice): OperatorInvoiceView {
  return {
    ...showInvoice(invoice),
    advertiser_id: invoice.advertiserId,
    advertiser_name: invoice.advertiserName,
  };
}

export function statusOf({
  voidedAt,
  paidAt,
}: Pick<Invoice, 'voidedAt' | 'paidAt'>): InvoiceStatus {
  if (voidedAt !== null) return 'void';
  return paidAt === null ? 'open' : 'paid';
}

/** One row more than the page was asked for says whether there is another. */
export function pageOf<T extends { id: string }>(
  rows: readonly T[],
  limit: number,
): { page: readonly T[]; has_more: boolean; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    page,
    has_more: more,
    next_cursor: more ? Buffer.from(last.id).toString('base64url') : null,
  };
}

export function readCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!isUuid(id)) throw new AppError('invalid_cursor');
  return id;
}

function instant(at: Date | null): string | null {
  return at === null ? null : formatTimestamp(at.getTime());
}
