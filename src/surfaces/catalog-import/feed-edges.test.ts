import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { CatalogItem } from '../../domain/commerce/catalog-item.js';
import { asUtf8 } from './feeds/as-utf8.js';
import { BrokenFeed, type FeedRow } from './feeds/feed-row.js';
import { openFeed } from './feeds/open-feed.js';

const no = () => Promise.reject(new Error('no'));

describe('feeds as they come', () => {
  let place: string;
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sidelight-edges-'));
    place = join(folder, 'feed');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const read = async (content: string | Buffer): Promise<FeedRow[]> => {
    writeFileSync(place, content);
    const { rows } = await openFeed(
      { outbound: no, outboundStream: no, indexUrl: () => 'https://i.example' },
      { place, format: null, currency: null },
    );
    const found: FeedRow[] = [];
    for await (const row of rows) found.push(row);
    return found;
  };
  const items = async (content: string | Buffer): Promise<CatalogItem[]> =>
    (await read(content)).flatMap((row) => ('item' in row ? [row.item] : []));
  const titles = async (content: string | Buffer): Promise<string[]> =>
    (await items(content)).map((item) => item.title);

  const xml = (title: string, head = '<?xml version="1.0"?>') =>
    `${head}<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id><title>${title}</title><link>https://s.example/1</link><g:price>5.00 EUR</g:price><g:image_link>https://s.example/1.jpg</g:image_link></item></channel></rss>`;
  const table = (title: string, mark = ',') =>
    [
      ['id', 'title', 'link', 'price', 'image_link'],
      ['1', title, 'https://s.example/1', '5.00 EUR', 'https://s.example/1.jpg'],
    ]
      .map((row) => row.join(mark))
      .join('\r\n');
  const line = (title: string) =>
    JSON.stringify({
      id: '1',
      title,
      link: 'https://s.example/1',
      price: '5.00 EUR',
      image_link: 'https://s.example/1.jpg',
    });

  it('a list of JSON objects is read like lines of them, wherever its parts come apart', async () => {
    for (const list of [
      `[${line('One')},${line('Two "quoted" \\\\ } ]')}]`,
      `\ufeff[\r\n  ${line('One')} ,\n ${line('Two "quoted" \\\\ } ]')}\n]\n`,
    ])
      assert.deepEqual(await titles(list), ['One', 'Two "quoted" \\\\ } ]']);
    const many = Array.from({ length: 3000 }, (_, at) =>
      line(`Chair ${at} ${'x'.repeat(at % 97)}`),
    );
    assert.equal((await titles(`[${many.join(',\n')}]`)).length, 3000);
    assert.deepEqual(await read('[]'), []);
    await assert.rejects(read(`[${line('One')},{"id":`), BrokenFeed);
  });

  it('a list inside an object is read as the list it is, however it is laid out', async () => {
    const both = `[${line('One')}, ${line('Two')}]`;
    for (const text of [
      `{"products": ${both}}`,
      `{"items":${both},"total":2}`,
      `{"status":"ok","facets":[{"name":"items"}],"data":${both}}`,
      `{"data":{"page":1,"products":${both}}}`,
      JSON.stringify({ meta: { tags: ['a'] }, results: JSON.parse(both) as unknown }, null, 2),
      `\ufeff\n{ "filler": "${'x'.repeat(20_000)}", "items" : [ ${line('One')} ,\n${line('Two')} ] }\n`,
      // Objects one after the other, each over several lines.
      [line('One'), line('Two')].map((one) => JSON.stringify(JSON.parse(one), null, 2)).join('\n'),
    ])
      assert.deepEqual(await titles(text), ['One', 'Two'], text.slice(0, 60));
    assert.deepEqual(await read('{"products":[]}'), []);
    await assert.rejects(read(`{"products":[${line('One')},{"id":"2"`), /has no end/);
    await assert.rejects(read('{"error":{"code":401}}'), /no list of products; it holds error/);
    const own = `{"id":"1","title":"Set","link":"https://s.example/1","price":"5 EUR","items":[{"id":"x"}]}`;
    assert.deepEqual(await titles(`${own}\n${line('Two')}\n`), ['Set', 'Two'], 'a product’s own');
  });

  it('a storefront’s list kept in a file needs the shop’s address and currency', async () => {
    const variants = [{ id: 7, title: 'S', price: '19.90', compare_at_price: '25.00' }];
    const product = { id: 1, title: 'Shirt', handle: 'shirt', vendor: 'A', variants };
    writeFileSync(place, JSON.stringify({ products: [product] }));
    const doors = { outbound: no, outboundStream: no, indexUrl: () => 'https://i.example' };
    const shop = { currency: 'EUR', storeUrl: 'https://s.example/' };
    await assert.rejects(read(JSON.stringify({ products: [product] })), /address and the currency/);
    for (const format of [null, 'shopify'] as const) {
      const { rows } = await openFeed(doors, { place, format, ...shop });
      const found: FeedRow[] = [];
      for await (const row of rows) found.push(row);
      const [first] = found;
      assert.ok(first !== undefined && 'item' in first, JSON.stringify(first));
      assert.deepEqual(
        [first.item.pageUrl, first.item.priceMicros, first.item.salePriceMicros],
        ['https://s.example/products/shirt', 25_000_000, 19_900_000],
      );
    }
  });

  it('what is no feed says what it is', async () => {
    for (const page of [
      '<!DOCTYPE html><html><title>404 Not Found</title></html>',
      '<!-- cache --><html><head><title>404 Not Found</title></head></html>',
    ])
      await assert.rejects(read(page), /a web page without products, not a feed: “404 Not Found”/);
    await assert.rejects(
      read('Service Unavailable\n'),
      /columns of a product feed \(id, title, link, .*“Service Unavailable”/,
    );
    await assert.rejects(
      read(
        'Handle,Title,Body (HTML),Vendor,Variant SKU,Variant Price,Image Src\nmug,Mug,,V,1,5,\n',
      ),
      /export of a hosted storefront.*products\.json/,
    );
    await assert.rejects(read(`${table('One')}\r\n2,"Two`), /inside quotation marks/);
    const zipped = gzipSync(Array.from({ length: 2000 }, (_, at) => line(`T ${at}`)).join('\n'));
    await assert.rejects(read(zipped.subarray(0, -100)), /compressed feed is cut off or damaged/);
  });

  it('columns are told apart by what names them, and a namespace may be forgotten', async () => {
    for (const mark of [',', ';', '|', '\t'])
      assert.deepEqual(await titles(table('One', mark)), ['One'], mark);
    const quoted = table('One', ';').replace('id;', 'id;"size, as cut";').replace('1;', '1;M;');
    assert.deepEqual(await titles(quoted), ['One']);
    assert.deepEqual(await titles(' \r\n \n'), []);
    const bare = xml('One').replace(' xmlns:g="http://base.google.com/ns/1.0"', '');
    assert.deepEqual(await titles(bare), ['One']);
    const plain = bare.replaceAll('g:', '').replace('<rss><channel><item>', '<products><product>');
    assert.deepEqual(
      await titles(plain.replace('</item></channel></rss>', '</product></products>')),
      ['One'],
    );
  });

  it('what stands beside a price and is no money makes no price', async () => {
    const told = (await read(table('One').replace('5.00 EUR', '5.00 PCS'))).map((row) =>
      'problem' in row ? row.problem : 'read',
    );
    assert.deepEqual(told, ['the currency is no ISO 4217 code']);
  });

  it('stock is told by words, yes and numbers', async () => {
    const stocked = async (availability: unknown): Promise<boolean | undefined> =>
      (await items(line('One').replace('}', `,"availability":${JSON.stringify(availability)}}`)))[0]
        ?.inStock;
    for (const there of ['in stock', 'in_stock', 'https://schema.org/InStock', true, 'yes', 12])
      assert.equal(await stocked(there), true, String(there));
    for (const gone of ['out of stock', 'preorder', 'backorder', 'SoldOut', false, 'no', 0])
      assert.equal(await stocked(gone), false, String(gone));
  });

  it('an entity that only HTML has does not spoil the feed', async () => {
    assert.deepEqual(await titles(xml('Caf&eacute; table &amp; chair')), ['Café table & chair']);
  });

  it('a file of nothing is an empty feed, not one without columns', async () => {
    for (const content of ['', gzipSync('')]) assert.deepEqual(await read(content), []);
    await assert.rejects(read('nothing like a feed'), BrokenFeed);
  });

  it('every usual encoding gives the same letters', async () => {
    const name = 'Größe für Café';
    const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const make of [xml, table, (title: string) => table(title, '\t'), line]) {
      const text = make(name);
      for (const bytes of [
        Buffer.from(text),
        Buffer.from(`\ufeff${text}`),
        Buffer.from(text, 'latin1'),
        utf16(text),
        utf16(text).swap16(),
        gzipSync(text),
        gzipSync(Buffer.from(text, 'latin1')),
      ])
        assert.deepEqual(await titles(bytes), [name], make.name);
    }
    assert.deepEqual(
      await titles(Buffer.from(xml(name, '<?xml version="1.0" encoding="ISO-8859-1"?>'), 'latin1')),
      [name],
    );
    assert.deepEqual(await titles(utf16(xml(name, '<?xml version="1.0" encoding="UTF-16"?>'))), [
      name,
    ]);
    await assert.rejects(read(xml(name, '<?xml version="1.0" encoding="klingon"?>')), BrokenFeed);
  });

  it('a character cut in two by chunks is whole again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.integer({ min: 1, max: 5 }),
        async (text, size) => {
          const bytes = Buffer.from(`ab${text}`);
          const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
            bytes.subarray(at * size, (at + 1) * size),
          );
          const out: Buffer[] = [];
          for await (const chunk of asUtf8(
            (async function* () {
              yield* parts;
            })(),
          ))
            out.push(chunk);
          assert.equal(Buffer.concat(out).toString(), `ab${text}`);
        },
      ),
    );
  });

  it('entities and CDATA are text, and entities that grow are refused', async () => {
    assert.deepEqual(
      await titles(xml('Salt &amp; pepper &#8211; <![CDATA[<b>set</b> &lt;2&gt;]]>')),
      ['Salt & pepper – set <2>'],
    );
    const laughs = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]>`;
    await assert.rejects(read(xml('&c;', laughs)), BrokenFeed);
    await assert.rejects(
      read(
        xml('&x;', '<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
      ),
      BrokenFeed,
    );
    await assert.rejects(read(xml('<i>'.repeat(100) + '</i>'.repeat(100))), BrokenFeed);
  });

  it('quotation marks in tab-separated feeds are letters unless they wrap a field', async () => {
    assert.deepEqual(await titles(table('27" monitor', '\t')), ['27" monitor']);
    assert.deepEqual(await titles(table('"Say ""hello"" mug"', '\t')), ['Say "hello" mug']);
    assert.deepEqual(await titles(table('"Mug, large"')), ['Mug, large']);
    assert.deepEqual(await titles(table('Mug', ';')), ['Mug']);
    await assert.rejects(
      read(`${table('x')}\r\n2,"never closed,https://s.example,5.00 EUR,`),
      BrokenFeed,
    );
  });

  it('a sale until the end of time ends on the last day that can be written', async () => {
    const [item] = await items(
      'id,title,link,price,sale_price,sale_price_effective_date,image_link\n' +
        '1,Lamp,https://s.example/1,5.00 EUR,4.00 EUR,-000500-01-01T00:00Z/+020000-01-01T00:00Z,https://s.example/1.jpg',
    );
    const years = [item?.saleStartsAt, item?.saleEndsAt].map((at) =>
      new Date(at ?? Number.NaN).getUTCFullYear(),
    );
    assert.deepEqual(years, [1900, 9999]);
  });

  it('a bad line of JSON costs that line only', async () => {
    const rows = await read(
      `${line('One')}\n{"broken\n\n[1,2]\nnull\n"text"\n${line('Two')}\r\n{"id":"3"}`,
    );
    assert.deepEqual(
      rows.map((row) => ('item' in row ? row.item.title : row.problem)),
      [
        'One',
        'the line is not JSON',
        'the line is not an object',
        'the line is not an object',
        'the line is not an object',
        'Two',
        'no title; no valid link; no currency; no valid price',
      ],
    );
    await assert.rejects(read(Array.from({ length: 40 }, () => '{no').join('\n')), BrokenFeed);
  });

  it('product pages: graphs, lists, several types, ranges of prices, stock as a word or an address', async () => {
    const page = (...facts: unknown[]) =>
      `<!doctype html><html><body>${facts.map((fact) => `<script type='application/ld+json'>${typeof fact === 'string' ? fact : JSON.stringify(fact)}</script>`).join('')}</body></html>`;
    const offer = { '@type': 'Offer', price: 10, priceCurrency: 'USD', url: 'https://s.example/1' };
    const product = (more: object = {}) => ({
      '@type': 'Product',
      sku: 'a',
      name: 'Lamp',
      image: 'https://s.example/1.jpg',
      offers: offer,
      ...more,
    });
    const one = async (fact: unknown): Promise<[number, string, boolean]> => {
      const [item] = await items(page('{oops', fact));
      return [item?.priceMicros ?? 0, item?.currency ?? '', item?.inStock ?? false];
    };
    assert.deepEqual(await one(product()), [10_000_000, 'USD', true]);
    assert.deepEqual(await one({ '@graph': [{ '@type': 'WebPage' }, product()] }), [
      10_000_000,
      'USD',
      true,
    ]);
    assert.deepEqual(await one([[product({ '@type': ['Thing', 'https://schema.org/Product'] })]]), [
      10_000_000,
      'USD',
      true,
    ]);
    assert.deepEqual(
      await one(
        product({
          offers: {
            '@type': 'AggregateOffer',
            lowPrice: '7.50',
            highPrice: '9',
            priceCurrency: 'EUR',
            offerCount: 3,
          },
        }),
      ),
      [7_500_000, 'EUR', true],
    );
    assert.deepEqual(await one(product({ offers: [{ ...offer, availability: 'OutOfStock' }] })), [
      10_000_000,
      'USD',
      false,
    ]);
    assert.deepEqual(
      await one(
        product({
          offers: [{ ...offer, availability: 'http://schema.org/InStock', price: '1,299.00' }],
        }),
      ),
      [1_299_000_000, 'USD', true],
    );
    assert.equal(
      (
        await items(
          page({
            '@type': 'ProductGroup',
            productGroupID: 'g',
            name: 'Lamp',
            image: 'https://s.example/1.jpg',
            hasVariant: [product({ sku: 'x' }), product({ sku: 'y' })],
          }),
        )
      ).length,
      2,
    );
    await assert.rejects(items(page({ '@type': 'Article' }, 5, 'null', [])), /without products/);
  });

  it('no bytes at all break more than the feed they are in', async () => {
    const starts = [
      xml('Lamp'),
      table('Lamp'),
      table('Lamp', '\t'),
      line('Lamp'),
      '<html><script type="application/ld+json">{"@type":"Product"',
      '',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...starts),
        fc.nat(400),
        fc.uint8Array({ maxLength: 60 }),
        async (start, cut, noise) => {
          const whole = Buffer.from(start);
          try {
            await read(Buffer.concat([whole.subarray(0, cut), noise, whole.subarray(cut + 3)]));
          } catch (error) {
            assert.ok(
              error instanceof BrokenFeed ||
                (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')),
              String(error),
            );
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
