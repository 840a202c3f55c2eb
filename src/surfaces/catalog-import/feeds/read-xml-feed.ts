import { SaxesParser } from 'saxes';
import { BrokenFeed, type FeedRow } from './feed-row.js';
import { readFlatItem } from './flat-item.js';
import { listsFacts } from './item-attributes.js';

const googleNamespace = 'http://base.google.com/ns/1.0';
const longestField = 20_000;
const longestSilence = 16_000_000;
const deepest = 60;
/** Inside an element of facts: names around a fact say nothing by themselves. */
const labels = new Set(['attribute_name', 'section_name', 'name', 'label', 'key']);
const rootNames = new Set(['rss', 'feed', 'RDF', 'channel', 'products']);

/** RSS items and Atom entries, one at a time. */
export async function* readXmlFeed(
  chunks: AsyncIterable<Buffer>,
  fallbackCurrency: string | null,
): AsyncGenerator<FeedRow> {
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
    reader.write(decoder.decode(chunk, { stream: true }));
    yield* drain();
  }
  reader.write(decoder?.decode() ?? '');
  reader.close();
  yield* drain();
  if (!reader.isFeed()) throw new BrokenFeed('this XML is no product feed');
}

/**
 * Gathers the direct children of each item; what is nested deeper (shipping, tax) has prices of its
 * own, or is a fact. Names are told apart by namespace address; prefixes mean nothing.
 */
function createItemReader(onRecord: (record: Record<string, string>) => void): {
  write(text: string): void;
  close(): void;
  isFeed(): boolean;
} {
  const parser = new SaxesParser({ xmlns: true });
  let record: Record<string, string> | null = null;
  const stated = new Set<string>();
  let depth = 0;
  let itemDepth = 0;
  let field = '';
  let isGoogle = false;
  /** The element may be there several times and hold others, each with something to say. */
  let isList = false;
  let isLabel = false;
  let text = '';
  let isFeed = false;
  /** Characters since the parser last told of something: it keeps them all. */
  let silent = 0;
  const take = (part: string): void => {
    const isOwn = depth === itemDepth + 1 || (isList && !isLabel);
    if (record !== null && isOwn && text.length < longestField) text += part;
  };
  parser.on('error', (error) => {
    throw new BrokenFeed(`the XML cannot be read: ${error.message}`);
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    silent = 0;
    if (depth > deepest) throw new BrokenFeed('the XML is nested too deeply');
    if (depth === 1) isFeed = rootNames.has(tag.local);
    if (record === null && (tag.local === 'item' || tag.local === 'entry')) {
      record = {};
      stated.clear();
      itemDepth = depth;
    } else if (record !== null && depth === itemDepth + 1) {
      field = tag.local.toLowerCase();
      isList = listsFacts(field);
      isLabel = false;
      isGoogle = tag.uri === googleNamespace;
      const { href, rel } = tag.attributes;
      text =
        field === 'link' && href !== undefined && (rel?.value ?? 'alternate') === 'alternate'
          ? href.value
          : '';
    } else {
      isLabel = labels.has(tag.local);
      take(tag.attributes['value']?.value ?? '');
    }
  });
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', () => {
    silent = 0;
    isLabel = false;
    if (depth > itemDepth + 1) take(' ; ');
    const said = depth === itemDepth + 1 ? text.trim() : '';
    if (record !== null && said !== '' && isList) {
      const before = record[field];
      if (before !== said && (before?.length ?? 0) < longestField)
        record[field] = before === undefined ? said : `${before} ; ${said}`;
    } else if (record !== null && said !== '' && !stated.has(field)) {
      // What Google's namespace states wins over the plain element, and the first of several over
      // the rest.
      record[field] = text;
      if (isGoogle) stated.add(field);
    } else if (record !== null && depth === itemDepth) {
      onRecord(record);
      record = null;
    }
    depth -= 1;
  });
  return {
    write(text) {
      silent += text.length;
      parser.write(text);
      if (silent > longestSilence) throw new BrokenFeed('a text in the XML is too long');
    },
    close: () => void parser.close(),
    isFeed: () => isFeed,
  };
}

function encodingIn(start: Buffer): string {
  const name =
    /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(
      start.subarray(0, 200).toString('latin1'),
    )?.[1] ?? 'utf-8';
  // Text that names UTF-16 and can be read byte by byte is not UTF-16 any more.
  return /^utf-?16/i.test(name) ? 'utf-8' : name;
}

/** Whether the declaration names an encoding other than UTF-8. */
export function isNamedEncoding(start: Buffer): boolean {
  return !/^utf-?8$/i.test(encodingIn(start));
}

function decoderFor(start: Buffer): TextDecoder {
  try {
    return new TextDecoder(encodingIn(start));
  } catch (cause) {
    throw new BrokenFeed('the encoding of the feed is unknown', { cause });
  }
}
