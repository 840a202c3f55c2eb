import { toDollars } from '../../domain/money.js';

/** A4 pages of headings, lines of text, and rows of a label with an amount. */
export interface PlainDocument {
  heading(text: string): void;
  text(text: string): void;
  gap(): void;
  row(label: string, amountMicros: number, options?: { bold?: boolean }): void;
  done(): Promise<Buffer>;
}

/** The same calls give the same document. Loaded only where one is made: the library is large. */
export async function createPlainDocument(info: {
  title: string;
  madeAt: Date;
}): Promise<PlainDocument> {
  const { default: PdfDocument } = await import('pdfkit');
  const document = new PdfDocument({
    size: 'A4',
    margin: 56,
    info: { Title: info.title, CreationDate: info.madeAt },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
  });
  const { left, right, bottom } = document.page.margins;
  const width = document.page.width - left - right;
  return {
    heading(text) {
      document.font('Helvetica-Bold').fontSize(20).text(printable(text));
      document.moveDown(0.5).font('Helvetica').fontSize(10);
    },
    text: (text) => void document.font('Helvetica').fontSize(10).text(printable(text)),
    gap: () => void document.moveDown(0.8),
    row(label, amountMicros, { bold = false } = {}) {
      document.font(bold ? 'Helvetica-Bold' : 'Helvetica').fontSize(10);
      const words = printable(label);
      const height = document.heightOfString(words, { width: width - 110 });
      if (document.y + height > document.page.height - bottom) document.addPage();
      const top = document.y;
      document.text(words, left, top, { width: width - 110 });
      document.text(dollars(amountMicros), left + width - 100, top, { width: 100, align: 'right' });
      document.x = left;
      document.y = top + height + 4;
    },
    done() {
      document.end();
      return done;
    },
  };
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
