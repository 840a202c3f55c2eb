import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { BrokenFeed, type FeedRow } from './feed-row.js';
import { fieldName, readFlatItem } from './flat-item.js';

const needed = ['title', 'price'];
const delimiters = ['\t', ',', ';', '|'];

function namesColumns(header: string, delimiter: string): boolean {
  const names = header
    .split(delimiter)
    .map((name) => fieldName(name.trim().replace(/^\ufeff?"|"$/g, '')));
  return needed.every((name) => names.includes(name) || names.includes(`item_${name}`));
}

/**
 * Rows of a tab- or comma-separated feed. In tab-separated feeds quotation marks are ordinary
 * characters unless they wrap the field.
 */
export async function* readTableFeed(
  chunks: AsyncIterable<Buffer>,
  fallbackCurrency: string | null,
): AsyncGenerator<FeedRow> {
  const { start, all } = await peek(chunks);
  const header = start.toString('utf8').trimStart().split(/\r?\n/, 1)[0] ?? '';
  if (header === '') return;
  const delimiter = delimiters.find((sign) => namesColumns(header, sign));
  if (delimiter === undefined)
    throw new BrokenFeed(
      /\bhandle\b/i.test(header) && /\bvariant price\b/i.test(header)
        ? 'this is an export of a hosted storefront’s admin, which names neither pages nor a currency: import its https://<shop>/products.json instead'
        : `the first line does not name the columns of a product feed (id, title, link, image_link, price, availability): “${header.trim().slice(0, 80)}”`,
    );
  const isTab = delimiter === '\t';
  const parser = parse({
    columns: (line: string[]) => line.map(fieldName),
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: 1_000_000,
    ...(isTab ? { quote: null } : {}),
  });
  const source = Readable.from(all);
  source.on('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let row = 0;
  try {
    // Columns are named, so each record is an object of texts.
    for await (const record of parser as AsyncIterable<Record<string, string>>)
      yield readFlatItem(isTab ? unwrapped(record) : record, ++row, fallbackCurrency);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why =
      code === 'CSV_QUOTE_NOT_CLOSED'
        ? ': it ends inside quotation marks, cut off or not closed'
        : '';
    if (code.startsWith('CSV_'))
      throw new BrokenFeed(`the table cannot be read after row ${row}${why}`, { cause: error });
    throw error;
  } finally {
    source.destroy();
  }
}

function unwrapped(record: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      /^".*"$/s.test(value) ? value.slice(1, -1).replaceAll('""', '"') : value,
    ]),
  );
}

/** The first kilobytes, and everything again from the start. */
export async function peek(
  chunks: AsyncIterable<Buffer>,
  bytes = 8192,
): Promise<{ start: Buffer; all: AsyncIterable<Buffer> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let size = 0;
  let isDone = false;
  while (size < bytes && !isDone) {
    const next = await iterator.next();
    if (next.done === true) isDone = true;
    else {
      first.push(next.value);
      size += next.value.length;
    }
  }
  async function* all(): AsyncGenerator<Buffer> {
    try {
      yield* first;
      while (!isDone) {
        const next = await iterator.next();
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
  return { start: Buffer.concat(first), all: all() };
}
