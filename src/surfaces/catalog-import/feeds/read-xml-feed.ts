import { parse } from 'node-html-parser';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { BrokenFeed, type FeedRow } from './feed-row.js';
import { readFlatItem } from './flat-item.js';
import { listsFacts } from './item-attributes.js';

const googleNamespace = 'http://base.google.com/ns/1.0';
const longestField = 20_000;
const longestSilence = 16_000_000;
const deepest = 60;
/** Inside an element of facts: names around a fact say nothing by themselves. */
const labels = new Set(['attribute_name', 'section_name', 'name', 'label', 'key']);
const itemNames = new Set(['item', 'entry', 'product']);
const rootNames = new Set(['rss', 'feed', 'RDF', 'channel', 'products']);

/** RSS items and Atom entries, one at a time. */
export async function* readXmlFeed(
  chunks: AsyncIterable<Buffer>,
  fallbackCurrency: string | null,
): AsyncGenerator<FeedRow> {
  let ready: Record<string, string>[] = [];
  const reader = new ItemReader((record) => ready.push(record));
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
  if (!reader.isFeed) throw new BrokenFeed('this XML is no product feed');
}

/**
 * Gathers the direct children of each item; what is nested deeper (shipping, tax) has prices of its
 * own, or is a fact. Names are told apart by namespace address; prefixes mean nothing.
 */
class ItemReader {
  // Feeds forget to say what "g:" stands for.
  readonly #parser = new SaxesParser({ xmlns: true, additionalNamespaces: { g: googleNamespace } });
  readonly #onRecord: (record: Record<string, string>) => void;
  readonly #stated = new Set<string>();
  #record: Record<string, string> | null = null;
  #depth = 0;
  #itemDepth = 0;
  #field = '';
  #isGoogle = false;
  /** The element may be there several times and hold others, each with something to say. */
  #isList = false;
  #isLabel = false;
  #text = '';
  #isFeed = false;
  /** Characters since the parser last told of something: it keeps them all. */
  #silent = 0;

  constructor(onRecord: (record: Record<string, string>) => void) {
    this.#onRecord = onRecord;
    // Feeds use entities that only HTML has.
    this.#parser.ENTITIES = new Proxy(this.#parser.ENTITIES, {
      get: (known, name) =>
        typeof name === 'string' ? (known[name] ?? htmlEntity(name)) : undefined,
    });
    this.#parser.on('error', (error) => {
      throw new BrokenFeed(`the XML cannot be read: ${error.message}`);
    });
    this.#parser.on('opentag', (tag) => this.#open(tag));
    this.#parser.on('text', (part) => this.#take(part));
    this.#parser.on('cdata', (part) => this.#take(part));
    this.#parser.on('closetag', () => this.#close());
  }

  get isFeed(): boolean {
    return this.#isFeed;
  }

  write(text: string): void {
    this.#silent += text.length;
    this.#parser.write(text);
    if (this.#silent > longestSilence) throw new BrokenFeed('a text in the XML is too long');
  }

  close(): void {
    this.#parser.close();
  }

  #take(part: string): void {
    const isOwn = this.#depth === this.#itemDepth + 1 || (this.#isList && !this.#isLabel);
    if (this.#record !== null && isOwn && this.#text.length < longestField) this.#text += part;
  }

  #open(tag: SaxesTagNS): void {
    this.#depth += 1;
    this.#silent = 0;
    if (this.#depth > deepest) throw new BrokenFeed('the XML is nested too deeply');
    if (this.#depth === 1) this.#isFeed = rootNames.has(tag.local);
    if (this.#record === null && itemNames.has(tag.local)) {
      this.#record = {};
      this.#stated.clear();
      this.#itemDepth = this.#depth;
    } else if (this.#record !== null && this.#depth === this.#itemDepth + 1) {
      this.#openField(tag);
    } else {
      this.#isLabel = labels.has(tag.local);
      this.#take(tag.attributes['value']?.value ?? '');
    }
  }

  #openField(tag: SaxesTagNS): void {
    this.#field = tag.local.toLowerCase();
    this.#isList = listsFacts(this.#field);
    this.#isLabel = false;
    this.#isGoogle = tag.uri === googleNamespace;
    const { href, rel } = tag.attributes;
    const isPage =
      this.#field === 'link' && href !== undefined && (rel?.value ?? 'alternate') === 'alternate';
    this.#text = isPage ? href.value : '';
  }

  #close(): void {
    this.#silent = 0;
    this.#isLabel = false;
    if (this.#depth > this.#itemDepth + 1) this.#take(' ; ');
    const said = this.#depth === this.#itemDepth + 1 ? this.#text.trim() : '';
    if (this.#record !== null && said !== '' && this.#isList) {
      const before = this.#record[this.#field];
      if (before !== said && (before?.length ?? 0) < longestField)
        this.#record[this.#field] = before === undefined ? said : `${before} ; ${said}`;
    } else if (this.#record !== null && said !== '' && !this.#stated.has(this.#field)) {
      // What Google's namespace states wins over the plain element, and the first of several over
      // the rest.
      this.#record[this.#field] = this.#text;
      if (this.#isGoogle) this.#stated.add(this.#field);
    } else if (this.#record !== null && this.#depth === this.#itemDepth) {
      this.#onRecord(this.#record);
      this.#record = null;
    }
    this.#depth -= 1;
  }
}

/** Undefined for a name that HTML does not know either. */
function htmlEntity(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9]{1,30}$/.test(name)) return undefined;
  const { text } = parse(`&${name};`);
  return text === `&${name};` ? undefined : text;
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
