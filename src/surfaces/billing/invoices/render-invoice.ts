import { createPlainDocument } from '../../../platform/pdf/plain-document.js';
import type { Invoice } from './invoice-queries.js';
import { statusOf } from '../views.js';

/** The invoice as one or more A4 pages. The same invoice gives the same words every time. */
export async function renderInvoice(invoice: Invoice): Promise<Buffer> {
  const title = `Invoice ${invoice.number}`;
  const document = await createPlainDocument({ title, madeAt: invoice.issuedAt });
  const since = invoice.voidedAt ?? invoice.paidAt;
  document.heading(title);
  document.text(`To: ${invoice.advertiserName}`);
  document.text(`Issued: ${day(invoice.issuedAt)}`);
  document.text(`Advertising from ${invoice.periodStart} to ${invoice.periodEnd} (UTC)`);
  document.text(since === null ? 'Status: open' : `Status: ${statusOf(invoice)} on ${day(since)}`);
  document.gap();
  for (const line of invoice.lines)
    document.row(`${line.campaign_name}  (${line.from} to ${line.to})`, line.amount_micros);
  document.gap();
  document.row('Total', invoice.totalMicros, { bold: true });
  if (invoice.creditsMicros > 0) document.row('Paid from credit', -invoice.creditsMicros);
  if (invoice.roundingMicros > 0)
    document.row('Rounded down to whole cents', -invoice.roundingMicros);
  document.row(
    statusOf(invoice) === 'open' ? 'Due' : `Due (${statusOf(invoice)})`,
    invoice.dueMicros,
    { bold: true },
  );
  return document.done();
}

function day(at: Date): string {
  return at.toISOString().slice(0, 10);
}
