import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { catalogHeard } from '../../../test/support/catalog-heard.js';
import { testEngines } from '../../../test/support/test-database.js';
import { type Outbound, OutboundError } from '../../platform/outbound/guarded-fetch.js';
import type { ShopAnswer } from '../shop-search/schema.js';
import { discoverCheckout } from './storefronts/discover-checkout.js';
import { openFeed } from './feeds/open-feed.js';
import { saveFeed, stopFeed } from './feed-queries.js';
import { listErrors, listRuns, openMerchant } from './queries.js';
import { describeShown, type ImportOutcome, runImport } from './run-import.js';

const refuse: Outbound = () => Promise.reject(new OutboundError('unreachable', 'no'));

interface Row {
  id: string;
  title?: string;
  price?: string;
  sale?: string;
  dates?: string;
  stock?: string;
  link?: string;
}

function rss(rows: readonly Row[], prefix = 'g'): string {
  const items = rows.map(
    (
      row,
    ) => `<item><title>${row.title ?? `Copper kettle ${row.id}`}</title><link>${row.link ?? `https://shop.example/p/${row.id}`}</link><description><![CDATA[Boils <b>water</b> &amp; whistles]]></description>
    <${prefix}:id>${row.id}</${prefix}:id><${prefix}:price>${row.price ?? '15.00 USD'}</${prefix}:price>${row.sale === undefined ? '' : `<${prefix}:sale_price>${row.sale}</${prefix}:sale_price>`}
    ${row.dates === undefined ? '' : `<${prefix}:sale_price_effective_date>${row.dates}</${prefix}:sale_price_effective_date>`}
    <${prefix}:shipping><${prefix}:price>99.00 USD</${prefix}:price></${prefix}:shipping><${prefix}:availability>${row.stock ?? 'in_stock'}</${prefix}:availability>
    <${prefix}:image_link>https://shop.example/i/${row.id}.jpg</${prefix}:image_link><${prefix}:product_type>Home &gt; Kitchen &gt; Kettles</${prefix}:product_type><${prefix}:brand>Kettlewick</${prefix}:brand></item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0" xmlns:${prefix}="http://base.google.com/ns/1.0"><channel><title>Shop</title>${items.join('')}</channel></rss>`;
}

for (const engine of testEngines()) {
  describe(`catalog import (${engine.name})`, () => {
    let app: TestApp;
    let folder: string;
    let key: string;
    let shops = 0;

    let feed = '';
    const server = createServer((request, response) => {
      if (feed === '') response.writeHead(503).end();
      else response.end(request.url === '/feed.xml' ? feed : 'no');
    });

    before(async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      // A TCP server that listens has an address object.
      app = await buildTestApp(await engine.open(), {
        environment: { OUTBOUND_ALLOW: `127.0.0.1:${(server.address() as AddressInfo).port}` },
      });
      folder = mkdtempSync(join(tmpdir(), 'sidelight-feeds-'));
      key = (await app.newPublisher()).apiKey;
    });
    after(async () => {
      server.closeAllConnections();
      server.close();
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const newShop = async () => {
      shops += 1;
      const slug = `shop-${shops}`;
      const now = app.clock.now;
      const merchantId = await openMerchant(app.db, {
        id: app.services.mintId(now),
        slug,
        name: `Shop ${shops}`,
        storeUrl: '',
        platform: 'feed',
        commissionBps: 0,
        isDemo: false,
        createdAt: new Date(now),
      });
      return { merchantId, merchantSlug: slug, feedId: null };
    };
    const bring = async (
      target: Awaited<ReturnType<typeof newShop>>,
      content: string | Buffer,
      options: { outbound?: Outbound; currency?: string; maxMissing?: number } = {},
    ): Promise<ImportOutcome> => {
      const place = join(folder, 'feed');
      writeFileSync(place, content);
      const { format, rows } = await openFeed(
        {
          outbound: options.outbound ?? refuse,
          outboundStream: () => Promise.reject(new Error('no')),
          indexUrl: () => 'https://index.example',
        },
        { place, format: null, currency: options.currency ?? null },
      );
      return runImport(app.services, {
        target,
        source: place,
        format,
        rows,
        maxMissingPercent: options.maxMissing ?? 50,
        isSnapshot: true,
      });
    };
    const search = async (payload: object): Promise<ShopAnswer> => {
      await catalogHeard(app.db);
      const answer = await app.http.inject({
        method: 'POST',
        url: '/shop/search',
        headers: { 'x-api-key': key },
        payload,
      });
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json<ShopAnswer>();
    };
    const names = async (target: { merchantSlug: string }): Promise<string[]> => {
      const { products } = await search({
        query: 'copper kettle',
        merchants: [target.merchantSlug.replace('shop-', 'Shop ')],
        max_results: 25,
      });
      return products.map((product) => product.name).sort();
    };

    it('a merchant feed becomes searchable, whatever its prefix', async () => {
      const shop = await newShop();
      const outcome = await bring(
        shop,
        gzipSync(rss([{ id: '001' }, { id: '002', sale: '12.50 USD' }], 'm')),
      );
      assert.deepEqual(
        [outcome.status, outcome.read, outcome.written, outcome.failed],
        ['done', 2, 2, 0],
      );
      const { products } = await search({ query: 'copper kettle', merchants: [`Shop ${shops}`] });
      const sale = products.find((product) => product.on_sale);
      assert.deepEqual(
        [sale?.price, sale?.regular_price, sale?.currency, sale?.description],
        [12.5, 15, 'USD', 'Boils water & whistles'],
      );
      assert.equal(products.find((product) => !product.on_sale)?.regular_price, 15);
    });

    it('unchanged rows are not rewritten; changed, sold-out and vanished ones are', async () => {
      const shop = await newShop();
      await bring(shop, rss(['1', '2', '3', '4'].map((id) => ({ id }))));
      const again = await bring(shop, rss(['1', '2', '3', '4'].map((id) => ({ id }))));
      assert.deepEqual([again.written, again.unchanged, again.removed], [0, 4, 0]);
      const next = await bring(
        shop,
        rss([{ id: '1' }, { id: '2', stock: 'out of stock' }, { id: '3', price: '9.00 USD' }]),
      );
      assert.deepEqual([next.written, next.unchanged, next.removed], [2, 1, 1]);
      assert.deepEqual(await names(shop), ['Copper kettle 1', 'Copper kettle 3']);
      const back = await bring(shop, rss(['1', '2', '3', '4'].map((id) => ({ id }))));
      assert.equal(back.written, 3);
      assert.equal((await names(shop)).length, 4);
    });

    it('a feed that breaks off, is empty or lost most products removes nothing', async () => {
      const shop = await newShop();
      const whole = rss(['1', '2', '3', '4'].map((id) => ({ id })));
      await bring(shop, whole);
      for (const bad of [
        whole.slice(0, whole.length / 2),
        rss([]),
        '<html><body>Service unavailable</body></html>',
        'not a feed',
        gzipSync(whole).subarray(0, 200),
        rss([{ id: '1' }]),
      ]) {
        const outcome = await bring(shop, bad).catch((error: unknown) => ({
          status: 'failed',
          problem: String(error),
        }));
        assert.equal(outcome.status, 'failed', String(bad).slice(0, 40));
        assert.equal((await names(shop)).length, 4);
      }
      const meant = await bring(shop, rss([{ id: '1' }]), { maxMissing: 100 });
      assert.deepEqual([meant.status, meant.removed], ['done', 3]);
    });

    it('a bad row is named and keeps no good row out; its product stays as it was', async () => {
      const shop = await newShop();
      await bring(shop, rss([{ id: '1' }, { id: '2' }, { id: '3' }]));
      const outcome = await bring(
        shop,
        rss([
          { id: '1' },
          { id: '2', price: 'ask us' },
          { id: '3' },
          { id: '', title: 'Nameless' },
          { id: '5', link: 'javascript:alert(1)' },
          { id: '6' },
        ]),
      );
      assert.deepEqual([outcome.status, outcome.failed, outcome.removed], ['done', 3, 0]);
      const errors = await listErrors(app.db, outcome.runId, 10);
      assert.deepEqual(
        errors.map((error) => [error.row_number, error.message]),
        [
          [2, 'no currency; no valid price'],
          [4, 'no id'],
          [5, 'no valid link'],
        ],
      );
      assert.equal((await names(shop)).length, 4);
    });

    it('tables, JSON lines, storefront lists and product pages are read alike', async () => {
      const tsv =
        'ID\tTitle\tDescription\tLink\tImage Link\tAvailability\tPrice\tSale Price\n007\tCopper kettle "small"\tx\thttps://s.example/1\thttps://s.example/1.jpg\tin stock\t1,299.00 USD\t\n';
      const csv =
        '\ufeffitem_id,title,description,url,brand,seller_name,image_url,availability,price,is_eligible_search\n1,"Copper kettle, large",x,https://s.example/1,B,S,https://s.example/1.jpg,in_stock,19.99 EUR,true\n2,Copper kettle hidden,x,https://s.example/2,B,S,https://s.example/2.jpg,in_stock,19.99 EUR,false\n';
      const jsonl = `${JSON.stringify({ id: 'p', title: 'Copper kettle', url: 'https://s.example/p', media: [{ type: 'image', url: 'https://s.example/p.png' }], variants: [{ id: 'v1', title: 'Copper kettle, 2 l', price: { amount: 4500, currency: 'USD' }, list_price: { amount: 6000, currency: 'USD' }, availability: { available: true, status: 'in_stock' } }] })}\n`;
      const html = `<html><script type="application/ld+json">{broken</script><script type="application/ld+json">{"@graph":[{"@type":"ProductGroup","name":"Copper kettle","url":"/k","image":["/k.jpg"],"hasVariant":[{"@type":"Product","sku":"k1","name":"Copper kettle page","offers":[{"@type":"Offer","price":"33.10","priceCurrency":"USD","availability":"InStock"}]}]}]}</script></html>`;
      for (const [content, title, price] of [
        [tsv, 'Copper kettle "small"', 1299],
        [csv, 'Copper kettle, large', 19.99],
        [jsonl, 'Copper kettle, 2 l', 45],
        [html, 'Copper kettle page', 33.1],
      ] as const) {
        const shop = await newShop();
        const outcome = await bring(shop, content);
        assert.equal(outcome.status, 'done', outcome.problem ?? '');
        const { products } = await search({ query: 'copper kettle', merchants: [`Shop ${shops}`] });
        assert.deepEqual(
          products.map((product) => [product.name, product.price]),
          [[title, price]],
        );
      }
    });

    it('part numbers and stated details are found wherever a feed puts them', async () => {
      const listing = { id: '1', title: 'Drum unit', link: 'https://s.example/1' };
      const more = { image_link: 'https://s.example/1.jpg', price: '20 USD' };
      const shopPage = { '@type': 'Product', name: 'Drum unit', image: '/1.jpg', sku: 's1' };
      const offer = { price: '20', priceCurrency: 'USD' };
      for (const [content, query] of [
        [
          `id\ttitle\tlink\timage_link\tprice\tmpn\tyield\n1\tDrum unit\thttps://s.example/1\thttps://s.example/1.jpg\t20 USD\tDR-2400\t12000 pages\n`,
          'DR-2400',
        ],
        [
          rss([{ id: '1', title: 'Drum unit' }]).replace(
            '</item>',
            '<g:product_detail><g:attribute_name>Fits</g:attribute_name><g:attribute_value>Laserwriter Q77</g:attribute_value></g:product_detail><g:product_detail><g:attribute_value>Zirconia roller</g:attribute_value></g:product_detail></item>',
          ),
          'zirconia drum unit',
        ],
        [
          JSON.stringify({ ...listing, ...more, attributes: { Coating: 'Fluoropolymer' } }),
          'fluoropolymer drum',
        ],
        [JSON.stringify({ ...listing, ...more, gtin: '04056203542006' }), '04056203542006'],
        // Where no importer looks for facts: any list, however deep, in any column or element.
        [
          JSON.stringify({
            ...listing,
            ...more,
            technik: { 'Im Gerät': [{ name: 'Walze', value: 'Ruthenium' }], duplexing: true },
          }),
          'ruthenium duplexing drum',
        ],
        [
          `id\ttitle\tlink\timage_link\tprice\textra\n1\tDrum unit\thttps://s.example/1\thttps://s.example/1.jpg\t20 USD\t{"Coating":{"outer":"Palladium"}}\n`,
          'palladium drum',
        ],
        [
          rss([{ id: '1', title: 'Drum unit' }]).replace(
            '</item>',
            '<technical><spec><name>Roller</name><content>Osmium</content></spec><spec name="Axle" value="Rhodium"/></technical><g:shipping><g:service>Hydrofoil</g:service></g:shipping></item>',
          ),
          'osmium rhodium drum',
        ],
        [
          `<html><script type="application/ld+json">${JSON.stringify({ ...shopPage, mpn: 'ZX81K', offers: offer })}</script></html>`,
          'ZX81K',
        ],
      ] as const) {
        const outcome = await bring(await newShop(), content);
        assert.equal(outcome.status, 'done', outcome.problem ?? '');
        const { products } = await search({ query, merchants: [`Shop ${shops}`] });
        assert.deepEqual(
          products.map((product) => product.name),
          ['Drum unit'],
          query,
        );
      }
    });

    it('an import says what is kept and not shown, and why', async () => {
      const bare = rss([{ id: '1' }, { id: '2', stock: 'out_of_stock' }, { id: '3' }]).replace(
        '<g:image_link>https://shop.example/i/1.jpg</g:image_link>',
        '',
      );
      const outcome = await bring(await newShop(), bare);
      assert.equal(describeShown(outcome), '3 read, 1 shown: 1 without a picture, 1 not in stock');
      const saidOf = async (runId: string) =>
        (await listRuns(app.db, 100)).find(({ id }) => id === runId)?.shown;
      assert.equal(await saidOf(outcome.runId), describeShown(outcome), 'the list says it too');
      assert.deepEqual(await listErrors(app.db, outcome.runId, 10), [], 'no row is wrong');
      const withheld = await bring(
        await newShop(),
        'item_id,title,url,image_url,availability,price,is_eligible_search\n' +
          '1,Kettle,https://s.example/1,https://s.example/1.jpg,in_stock,19 EUR,true\n' +
          '2,Kettle,https://s.example/2,https://s.example/2.jpg,in_stock,19 EUR,false\n',
      );
      assert.equal(describeShown(withheld), '2 read, 1 shown: 1 not eligible for search');

      const whole = await bring(await newShop(), rss([{ id: '1' }, { id: '2' }]));
      assert.equal(await saidOf(whole.runId), '2 read, 2 shown');
      const again = await bring(await newShop(), rss([{ id: '1' }, { id: '2' }, { id: '1' }]));
      assert.equal(describeShown(again), '3 read, 2 shown: 1 with an id that comes again');
      const noCurrency = { price: '12.50' };
      const unread = await bring(
        await newShop(),
        rss([
          { id: '1', ...noCurrency },
          { id: '2', ...noCurrency },
        ]),
      );
      assert.equal(await saidOf(unread.runId), '2 read, 0 shown: 2 not readable (no currency)');
    });

    it('a storefront is read page by page until it repeats itself', async () => {
      const pages: string[] = [];
      const product = (id: number) => ({
        id,
        title: `Copper kettle ${id}`,
        handle: `k${id}`,
        body_html: '<p>x</p>',
        vendor: 'V',
        product_type: 'Kettles',
        options: [{ name: 'Size' }],
        images: [{ src: 'https://s.example/i.png' }],
        variants: [
          {
            id: id * 10,
            title: 'S',
            option1: 'S',
            price: '10.00',
            compare_at_price: '0.00',
            available: false,
          },
          {
            id: id * 10 + 1,
            title: 'M',
            option1: 'M',
            price: '12.00',
            compare_at_price: '20.00',
            available: true,
          },
        ],
      });
      const outbound: Outbound = async (url) => {
        pages.push(url);
        const body = url.endsWith('/meta.json')
          ? { currency: 'CAD', myshopify_domain: 's.myshopify.com' }
          : {
              products: url.includes('page=1')
                ? [product(1), product(2)]
                : [product(1), product(2)],
            };
        return { url, status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) };
      };
      const { rows } = await openFeed(
        {
          outbound,
          outboundStream: () => Promise.reject(new Error('no')),
          indexUrl: () => 'https://index.example',
        },
        { place: 'https://s.example/products.json', format: null, currency: null },
      );
      const items = [];
      for await (const row of rows) items.push('item' in row ? row.item : row.problem);
      assert.deepEqual(
        pages.map((url) => new URL(url).pathname),
        ['/meta.json', '/.well-known/ucp', '/products.json', '/products.json'],
      );
      assert.equal(items.length, 2);
      const first = items[0];
      assert.ok(typeof first === 'object');
      assert.deepEqual(
        [
          first.currency,
          first.priceMicros,
          first.salePriceMicros,
          first.sizes,
          first.checkoutItemId,
          first.continueUrl,
        ],
        [
          'CAD',
          20_000_000,
          12_000_000,
          ['M'],
          'gid://shopify/ProductVariant/11',
          'https://s.myshopify.com/cart/11:1',
        ],
      );
    });

    it('a feed is read on its schedule, and its failures are on record', async () => {
      // Runs are listed newest first, and those of other tests stand at the same instant.
      app.clock.now += 60_000;
      const shop = await newShop();
      // Timed work is queued once by hand, as starting the app does.
      await app.services.jobs.enqueue(app.db, 'catalog-feeds', 'first', {});
      const feedId = await saveFeed(app.db, {
        id: app.services.mintId(app.clock.now),
        merchantId: shop.merchantId,
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.xml`,
        format: 'auto',
        currency: null,
        everyMinutes: 60,
        maxMissingPercent: 50,
        at: new Date(app.clock.now),
      });
      const round = async (
        content: string,
      ): Promise<[string | undefined, string | null | undefined, number]> => {
        feed = content;
        await app.services.jobs.runDue();
        app.clock.now += 61 * 60_000;
        const [run] = await listRuns(app.db, 1);
        return [run?.status, run?.problem, (await names(shop)).length];
      };
      assert.deepEqual(await round(rss(['1', '2', '3'].map((id) => ({ id })))), ['done', null, 3]);
      assert.deepEqual(await round(''), ['failed', 'the address answered 503', 3]);
      assert.deepEqual(await round(rss(['2', '3'].map((id) => ({ id })))), ['done', null, 2]);
      await stopFeed(app.db, feedId);
      assert.deepEqual(await round(rss(['7', '2', '3'].map((id) => ({ id })))), ['done', null, 2]);
    });

    it('a sale begins and ends by itself', async () => {
      const shop = await newShop();
      const day = 86_400_000;
      const iso = (at: number): string => new Date(at).toISOString();
      const start = app.clock.now;
      await app.services.jobs.enqueue(app.db, 'catalog-sales', 'first', {});
      await bring(
        shop,
        rss([{ id: '1', sale: '10.00 USD', dates: `${iso(start + day)}/${iso(start + 2 * day)}` }]),
      );
      const prices: (number | undefined)[] = [];
      for (const days of [0, 1.5, 2.5]) {
        app.clock.now = start + days * day;
        await app.services.jobs.runDue();
        const { products } = await search({
          query: 'copper kettle',
          merchants: [`Shop ${shops}`],
          price_max: 100,
        });
        prices.push(products[0]?.price);
      }
      assert.deepEqual(prices, [15, 10, 15]);
    });

    it('agent checkout is discovered by the rules and forgotten when withdrawn', async () => {
      const shop = await newShop();
      const profile = (endpoint: string, version = '2026-04-08') =>
        JSON.stringify({
          ucp: {
            version,
            services: {
              'dev.ucp.shopping': [
                { version, transport: 'rest', endpoint: 'https://no' },
                { version, transport: 'mcp', endpoint },
              ],
            },
          },
        });
      const asked: {
        url: string;
        httpsOnly: boolean | undefined;
        maxRedirects: number | undefined;
      }[] = [];
      let answer: { status: number; body: string } | OutboundError = {
        status: 200,
        body: profile('https://s.myshopify.com/api/ucp/mcp'),
      };
      const deps = {
        ...app.services,
        fetchOwn: () => Promise.reject(new Error('no')),
        ownOrigin: () => 'http://own',
        outbound: (async (url, request) => {
          asked.push({ url, httpsOnly: request?.httpsOnly, maxRedirects: request?.maxRedirects });
          if (answer instanceof OutboundError) throw answer;
          return { url, status: answer.status, headers: {}, body: Buffer.from(answer.body) };
        }) satisfies Outbound,
      };
      const endpointAfter = async (next: typeof answer): Promise<string | null> => {
        answer = next;
        await discoverCheckout(deps, { id: shop.merchantId, storeUrl: 'https://s.example/shop' });
        const [row] = await app.db.query<{ ucp_endpoint: string | null }>(
          'select ucp_endpoint from merchants where id = $1',
          [shop.merchantId],
        );
        return row?.ucp_endpoint ?? null;
      };
      assert.equal(await endpointAfter(answer), 'https://s.myshopify.com/api/ucp/mcp');
      assert.deepEqual(asked[0], {
        url: 'https://s.example/.well-known/ucp',
        httpsOnly: true,
        maxRedirects: 0,
      });
      assert.equal(
        await endpointAfter(new OutboundError('timeout', 'slow')),
        'https://s.myshopify.com/api/ucp/mcp',
      );
      for (const bad of [
        { status: 404, body: '' },
        { status: 200, body: '{' },
        { status: 200, body: '[]' },
        { status: 200, body: profile('http://plain.example/mcp') },
        { status: 200, body: profile('https://x.example/mcp', '1999-01-01') },
      ]) {
        await endpointAfter({ status: 200, body: profile('https://s.myshopify.com/api/ucp/mcp') });
        assert.equal(await endpointAfter(bad), null, bad.body);
      }
    });
  });
}
