import { SaxesParser } from 'saxes';
import { BrokenFeed, type FeedRow } from './feed-row.js';
import { readFlatItem } from './flat-item.js';

const googleNamespace = 'http://base.google.com/ns/1.0';
const longestField = 20_000;
const rootNames = new Set(['rss', 'feed', 'RDF', 'channel', 'products']);

/** RSS items and Atom entries, one at a time. */
export async function* readXmlFeed(chunks: AsyncIterable<Buffer>, fallbackCurrency: string | null): AsyncGenerator<FeedRow> {
  let ready: Record<string, string>[] = [];
  const reader = createItemReader((record) => ready.push(record));
  let row = 0;
  const drain = function* (): Generator<FeedRow> {
    const records = ready;
    ready = [];
    for (const each of records) yield readFlatItem(each, ++row, fallbackCurrency);
  };
  let decoder: TextDecoder | null = null;
  for await (const chunk of chunks) {
    decoder ??= decoderFor(chunk);
    reader.parser.write(decoder.decode(chunk, { stream: true }));
    yield* drain();
  }
  reader.parser.write(decoder?.decode() ?? '');
  reader.parser.close();
  yield* drain();
  if (!reader.isFeed()) throw new BrokenFeed('this XML is no product feed');
}

/** Gathers the direct children of each item; what is nested deeper (shipping, tax) has prices of its own. Names are told apart by namespace address; prefixes mean nothing. */
function createItemReader(onRecord: (record: Record<string, string>) => void): { parser: SaxesParser<{ xmlns: true }>; isFeed: () => boolean } {
  const parser = new SaxesParser({ xmlns: true });
  let record: Record<string, string> | null = null;
  const stated = new Set<string>();
  let depth = 0;
  let itemDepth = 0;
  let field = '';
  let isGoogle = false;
  let text = '';
  let isFeed = false;
  const take = (part: string): void => {
    if (record !== null && depth === itemDepth + 1 && text.length < longestField) text += part;
  };
  parser.on('error', (error) => {
    throw new BrokenFeed(`the XML cannot be read: ${error.message}`);
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth === 1) isFeed = rootNames.has(tag.local);
    if (record === null && (tag.local === 'item' || tag.local === 'entry')) {
      record = {};
      stated.clear();
      itemDepth = depth;
    } else if (record !== null && depth === itemDepth + 1) {
      field = tag.local.toLowerCase();
      isGoogle = tag.uri === googleNamespace;
      const { href, rel } = tag.attributes;
      text = field === 'link' && href !== undefined && (rel?.value ?? 'alternate') === 'alternate' ? href.value : '';
    }
  });
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', () => {
    // What Google's namespace states wins over the plain element, and the first of several over the rest.
    if (record !== null && depth === itemDepth + 1 && text.trim() !== '' && !stated.has(field)) {
      record[field] = text;
      if (isGoogle) stated.add(field);
    } else if (record !== null && depth === itemDepth) {
      onRecord(record);
      record = null;
    }
    depth -= 1;
  });
  return { parser, isFeed: () => isFeed };
}

function decoderFor(start: Buffer): TextDecoder {
  const name = /^\s*<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(start.subarray(0, 200).toString('latin1'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(name);
  } catch (cause) {
    throw new BrokenFeed('the encoding of the feed is unknown', { cause });
  }
}
