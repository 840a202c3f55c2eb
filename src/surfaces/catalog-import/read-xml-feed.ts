import { SaxesParser } from 'saxes';
import { BrokenFeed, type FeedRow } from './feed-row.js';
import { readFlatItem } from './flat-item.js';

const googleNamespace = 'http://base.google.com/ns/1.0';
const longestField = 20_000;

/** RSS items and Atom entries, one at a time. Names are told apart by namespace address; prefixes mean nothing. */
export async function* readXmlFeed(chunks: AsyncIterable<Buffer>, fallbackCurrency: string | null): AsyncGenerator<FeedRow> {
  const parser = new SaxesParser({ xmlns: true });
  let ready: Record<string, string>[] = [];
  let record: Record<string, string> | null = null;
  const stated = new Set<string>();
  let depth = 0;
  let itemDepth = 0;
  let field = '';
  let isGoogle = false;
  let text = '';
  let isFeed = false;
  parser.on('error', (error) => {
    throw new BrokenFeed(`the XML cannot be read: ${error.message}`);
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth === 1) isFeed = ['rss', 'feed', 'RDF', 'channel', 'products'].includes(tag.local);
    if (record === null && (tag.local === 'item' || tag.local === 'entry')) {
      record = {};
      stated.clear();
      itemDepth = depth;
    } else if (record !== null && depth === itemDepth + 1) {
      field = tag.local.toLowerCase();
      isGoogle = tag.uri === googleNamespace;
      text = '';
      const href = tag.attributes['href'];
      if (field === 'link' && href !== undefined && (tag.attributes['rel']?.value ?? 'alternate') === 'alternate') text = href.value;
    }
  });
  const take = (part: string): void => {
    if (record !== null && depth === itemDepth + 1 && text.length < longestField) text += part;
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', () => {
    if (record !== null && depth === itemDepth + 1 && text.trim() !== '' && (isGoogle || !stated.has(field)) && !(isGoogle && stated.has(field))) {
      record[field] = text;
      if (isGoogle) stated.add(field);
    } else if (record !== null && depth === itemDepth) {
      ready.push(record);
      record = null;
    }
    depth -= 1;
  });
  let row = 0;
  const drain = function* (): Generator<FeedRow> {
    const records = ready;
    ready = [];
    for (const each of records) yield readFlatItem(each, ++row, fallbackCurrency);
  };
  let decoder: TextDecoder | null = null;
  for await (const chunk of chunks) {
    decoder ??= decoderFor(chunk);
    parser.write(decoder.decode(chunk, { stream: true }));
    yield* drain();
  }
  parser.write(decoder?.decode() ?? '');
  parser.close();
  yield* drain();
  if (!isFeed) throw new BrokenFeed('this XML is no product feed');
}

function decoderFor(start: Buffer): TextDecoder {
  const name = /^\s*<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(start.subarray(0, 200).toString('latin1'))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(name);
  } catch (cause) {
    throw new BrokenFeed('the encoding of the feed is unknown', { cause });
  }
}
