import { toDollars } from '../../../domain/money.js';
import type { Invoice } from './invoice-queries.js';
import { statusOf } from '../views.js';

/** The invoice as one or more A4 pages. The same invoice gives the same words every time. */
export async function renderInvoice(invoice: Invoice): Promise<Buffer> {
  const { default: PdfDocument } = await import('pdfkit');
  const document = new PdfDocument({
    size: 'A4',
    margin: 56,
    info: { Title: `Invoice ${invoice.number}`, CreationDate: invoice.issuedAt },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  writeHead(document, invoice);
  for (const line of invoice.lines)
    writeRow(
      document,
      `${printable(line.campaign_name)}  (${line.from} to ${line.to})`,
      dollars(line.amount_micros),
    );
  document.moveDown(0.5);
  writeRow(document, 'Total', dollars(invoice.totalMicros), true);
  if (invoice.creditsMicros > 0)
    writeRow(document, 'Paid from credit', dollars(-invoice.creditsMicros));
  if (invoice.roundingMicros > 0)
    writeRow(document, 'Rounded down to whole cents', dollars(-invoice.roundingMicros));
  writeRow(
    document,
    statusOf(invoice) === 'open' ? 'Due' : `Due (${statusOf(invoice)})`,
    dollars(invoice.dueMicros),
    true,
  );
  document.end();
  return done;
}

function writeHead(document: PDFKit.PDFDocument, invoice: Invoice): void {
  document.font('Helvetica-Bold').fontSize(20).text(`Invoice ${invoice.number}`);
  document.moveDown(0.5).font('Helvetica').fontSize(10);
  document.text(`To: ${printable(invoice.advertiserName)}`);
  document.text(`Issued: ${day(invoice.issuedAt)}`);
  document.text(`Advertising from ${invoice.periodStart} to ${invoice.periodEnd} (UTC)`);
  const since = invoice.voidedAt ?? invoice.paidAt;
  document.text(since === null ? 'Status: open' : `Status: ${statusOf(invoice)} on ${day(since)}`);
  document.moveDown(1.5);
}

function writeRow(document: PDFKit.PDFDocument, label: string, amount: string, bold = false): void {
  const { left, right, bottom } = document.page.margins;
  const width = document.page.width - left - right;
  document.font(bold ? 'Helvetica-Bold' : 'Helvetica').fontSize(10);
  const height = document.heightOfString(label, { width: width - 110 });
  if (document.y + height > document.page.height - bottom) document.addPage();
  const top = document.y;
  document.text(label, left, top, { width: width - 110 });
  document.text(amount, left + width - 100, top, { width: 100, align: 'right' });
  document.x = left;
  document.y = top + height + 4;
}

/** The built-in fonts know Latin letters only. */
function printable(text: string): string {
  return text.replace(/[^\u0020-\u007e\u00a0-\u00ff]/g, '?');
}

function dollars(micros: number): string {
  const [whole = '0', fraction = ''] = toDollars(Math.abs(micros))
    .toFixed(6)
    .replace(/0{1,4}$/, '')
    .split('.');
  return `${micros < 0 ? '-' : ''}$${BigInt(whole).toLocaleString('en-US')}.${fraction}`;
}

function day(at: Date): string {
  return at.toISOString().slice(0, 10);
}
