import { createReadStream } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { readPageProducts } from '../../../domain/commerce/json-ld-products.js';
import type { OutboundStream } from '../../../platform/outbound/guarded-stream.js';
import { trimEndSigns } from '../../../domain/text/trim-signs.js';
import { asUtf8 } from './as-utf8.js';
import { BrokenFeed, type FeedFormat, type FeedRow } from './feed-row.js';
import { type JsonDefaults, readJsonlFeed } from './read-jsonl-feed.js';
import { type CatalogAsker, readCatalogTools } from '../storefronts/read-catalog-tools.js';
import { readProductPages, rowOf } from '../storefronts/read-product-pages.js';
import { readStorefront } from '../storefronts/read-storefront.js';
import { peek, readTableFeed } from './read-table-feed.js';
import { isNamedEncoding, readXmlFeed } from './read-xml-feed.js';

export interface FeedSource {
  /** A path on this machine, or an address. */
  place: string;
  /** Null: found out from the first bytes. */
  format: FeedFormat | null;
  /** For sources that name none. */
  currency: string | null;
  /** The shop’s address, for lists that only name their products in it. */
  storeUrl?: string | null;
}

export interface FeedDoors extends CatalogAsker {
  outboundStream: OutboundStream;
}

/** The rows of a feed, in order, a few at a time whatever its size. */
export async function openFeed(
  doors: FeedDoors,
  source: FeedSource,
): Promise<{ format: FeedFormat; rows: AsyncIterable<FeedRow> }> {
  const isRemote = /^https?:\/\//i.test(source.place);
  if (
    isRemote &&
    (source.format === 'shopify' ||
      (source.format === null && /\/products\.json(\?|$)/.test(source.place)))
  )
    return { format: 'shopify', rows: readStorefront(doors, source.place, source.currency) };
  if (
    isRemote &&
    (source.format === 'ucp' ||
      (source.format === null && source.place.endsWith('/.well-known/ucp')))
  )
    return { format: 'ucp', rows: readCatalogTools(doors, source.place) };
  if (isRemote && source.format === 'schema-org')
    return {
      format: 'schema-org',
      rows: readProductPages(doors.outbound, source.place, source.currency),
    };
  const raw = await peek(await bytesOf(doors, source.place, isRemote));
  // An encoding the XML itself names is read there.
  const { start, all } = isNamedEncoding(raw.start) ? raw : await peek(asUtf8(raw.all));
  // The list of a storefront that was kept in a file, or lies elsewhere.
  const format = source.format === 'shopify' ? 'jsonl' : (source.format ?? guessFormat(start));
  switch (format) {
    case 'google-xml':
      return { format, rows: readXmlFeed(all, source.currency) };
    case 'jsonl':
      return { format, rows: readJsonlFeed(all, defaultsOf(source)) };
    case 'schema-org':
      return { format, rows: pageRows(all, source.place, source.currency) };
    case 'table':
      return { format, rows: readTableFeed(all, source.currency) };
    case 'ucp':
      throw new BrokenFeed('a storefront is read from its address, not from a file');
  }
}

function defaultsOf({ currency, storeUrl }: FeedSource): JsonDefaults {
  const origin = URL.canParse(storeUrl ?? '') ? (storeUrl ?? '') : null;
  return { currency, storeUrl: origin === null ? null : trimEndSigns(origin, /\//) };
}

function guessFormat(start: Buffer): Exclude<FeedFormat, 'shopify'> {
  const text = start
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (/^<!doctype html|<html[\s>]/i.test(text.slice(0, 1000))) return 'schema-org';
  if (text.startsWith('<')) return 'google-xml';
  return /^[{[]/.test(text) ? 'jsonl' : 'table';
}

async function bytesOf(
  doors: FeedDoors,
  place: string,
  isRemote: boolean,
): Promise<AsyncIterable<Buffer>> {
  const raw = isRemote ? await remoteBytes(doors.outboundStream, place) : createReadStream(place);
  const { start, all } = await peek(raw, 2);
  if (start[0] !== 0x1f || start[1] !== 0x8b) return bounded(all);
  const unzipped = createGunzip();
  pipeline(Readable.from(all), unzipped, () => undefined);
  return bounded(whole(unzipped));
}

/** A file that ends too early, or whose compression is damaged, is no fault of ours. */
async function* whole(unzipped: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* unzipped;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    if (!code.startsWith('Z_')) throw cause;
    throw new BrokenFeed('the compressed feed is cut off or damaged', { cause });
  }
}

async function remoteBytes(
  outboundStream: OutboundStream,
  url: string,
): Promise<AsyncIterable<Buffer>> {
  const { status, body } = await outboundStream(url);
  if (status !== 200) throw new BrokenFeed(`the address answered ${status}`);
  return body;
}

/**
 * Far more than any catalog of ours needs; a feed without end must end, and one that trickles
 * must not keep the others waiting.
 */
export const feedLimits = {
  bytes: 4 * 1024 ** 3,
  /** Waiting for the source, not for what is done with its rows. */
  waitedMs: 20 * 60_000,
  slowMs: 60_000,
  leastBytesPerSecond: 4096,
} as const;

/** The same bytes, ending in a failure once they are too many, too few a second or too late. */
export async function* bounded(
  chunks: AsyncIterable<Buffer>,
  limits: Readonly<Record<keyof typeof feedLimits, number>> = feedLimits,
  now: () => number = () => performance.now(),
): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  let size = 0;
  let waited = 0;
  try {
    for (;;) {
      const asked = now();
      const next = await iterator.next();
      if (next.done === true) return;
      waited += now() - asked;
      size += next.value.length;
      if (size > limits.bytes) throw new BrokenFeed('the feed is too large');
      const isSlow = waited > limits.slowMs && size < (waited / 1000) * limits.leastBytesPerSecond;
      if (waited > limits.waitedMs || isSlow) throw new BrokenFeed('the feed takes too long');
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function* pageRows(
  chunks: AsyncIterable<Buffer>,
  place: string,
  currency: string | null,
): AsyncGenerator<FeedRow> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > 16 * 1024 * 1024) throw new BrokenFeed('the page is too large');
    parts.push(chunk);
  }
  const pageUrl = /^https?:/.test(place) ? place : 'https://unknown.invalid/';
  const page = Buffer.concat(parts).toString('utf8');
  let row = 0;
  for (const product of readPageProducts(page, pageUrl)) yield rowOf(product, ++row, currency);
  if (row > 0) return;
  const title = /<title[^<>]{0,200}>([^<]{1,80})/i.exec(page.slice(0, 100_000))?.[1]?.trim() ?? '';
  throw new BrokenFeed(
    `this is a web page without products, not a feed${title === '' ? '' : `: “${title}”`}`,
  );
}
