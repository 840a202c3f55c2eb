import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { catalogHeard } from '../../../../test/support/catalog-heard.js';
import { buildTestApp, type TestApp } from '../../../../test/support/test-app.js';
import { testEngines } from '../../../../test/support/test-database.js';
import {
  createOutbound,
  type Outbound,
  type OutboundRequest,
} from '../../../platform/outbound/guarded-fetch.js';
import type { ShopAnswer } from '../../shop-search/schema.js';
import type { FeedRow } from '../feeds/feed-row.js';
import { openFeed } from '../feeds/open-feed.js';
import { saveFeed } from '../feed-queries.js';
import { listRuns, openMerchant } from '../queries.js';
import { seedDemoProducts } from '../demo/seed-demo-products.js';

const noStream = () => Promise.reject(new Error('no'));

async function rowsFrom(
  outbound: Outbound,
  place = 'https://s.example',
  format: 'ucp' | 'shopify' = 'ucp',
): Promise<FeedRow[]> {
  const { rows } = await openFeed(
    { outbound, outboundStream: noStream, indexUrl: () => 'https://index.example' },
    { place, format, currency: null },
  );
  const found: FeedRow[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

const profile = {
  ucp: {
    version: '2026-08-25',
    services: {
      'dev.ucp.shopping': [
        {
          version: '2026-08-25',
          transport: 'mcp',
          endpoint: 'https://s.myshopify.com/api/ucp/mcp',
        },
      ],
    },
    capabilities: { 'dev.ucp.shopping.catalog.search': [{ version: '2026-08-25' }] },
  },
};
const product = (id: number, more: object = {}) => ({
  id: `gid://shopify/Product/${id}`,
  handle: `k${id}`,
  title: `Copper kettle ${id}`,
  description: { html: '<p>Boils &amp; whistles</p>' },
  categories: [
    { value: '187', taxonomy: 'google_product_category' },
    { value: 'Kitchen > Kettles', taxonomy: 'merchant' },
  ],
  price_range: {},
  media: [
    { type: 'video', url: 'https://s.example/v.mp4' },
    { type: 'image', url: 'https://s.example/i.jpg' },
  ],
  variants: [
    {
      id: `gid://shopify/ProductVariant/${id}1`,
      title: 'S / Red',
      price: { amount: 1000, currency: 'JPY' },
      availability: { available: false },
      selected_options: [{ name: 'Size', label: 'S' }],
    },
    {
      id: `gid://shopify/ProductVariant/${id}2`,
      title: 'M / Red',
      price: { amount: 1200, currency: 'JPY' },
      list_price: { amount: 2000, currency: 'JPY' },
      availability: { status: 'in_stock' },
      selected_options: [
        { name: 'Size', label: 'M' },
        { name: 'Colour', label: 'Red' },
      ],
    },
  ],
  ...more,
});

/** A storefront whose tool answers come from `answer`, called with the arguments of each call. */
function storefront(
  answer: (catalog: Record<string, unknown>, calls: number) => unknown,
  options: { status?: (calls: number) => number; stream?: boolean } = {},
) {
  const calls: { catalog: Record<string, unknown>; profile: unknown; request: OutboundRequest }[] =
    [];
  const outbound: Outbound = async (url, request = {}) => {
    const reply = (status: number, body: unknown, headers = {}) => ({
      url,
      status,
      headers,
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    });
    if (url.endsWith('/.well-known/ucp')) return reply(200, profile);
    assert.equal(url, 'https://s.myshopify.com/api/ucp/mcp');
    // Sent by the code under test.
    const sent = JSON.parse(request.body ?? '') as {
      params: {
        arguments: { catalog: Record<string, unknown>; meta: { 'ucp-agent': { profile: string } } };
      };
    };
    calls.push({
      catalog: sent.params.arguments.catalog,
      profile: sent.params.arguments.meta['ucp-agent'].profile,
      request,
    });
    const status = options.status?.(calls.length) ?? 200;
    if (status !== 200) return reply(status, '', { 'retry-after': '0' });
    const message = {
      jsonrpc: '2.0',
      id: 1,
      ...(answer(sent.params.arguments.catalog, calls.length) as object),
    };
    return options.stream === true
      ? reply(
          200,
          `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\nevent: message\ndata: ${JSON.stringify(message)}\n\n`,
          { 'content-type': 'text/event-stream' },
        )
      : reply(200, message);
  };
  return { outbound, calls };
}

const result = (content: object) => ({
  result: { structuredContent: { ucp: { status: 'success' }, ...content }, content: [] },
});

describe('catalog tools of a storefront', () => {
  it('every page is read, with the agent named in every call', async () => {
    for (const stream of [false, true]) {
      const { outbound, calls } = storefront(
        (_, call) =>
          result({
            products: [product(call * 2), product(call * 2 + 1)],
            pagination:
              call < 3
                ? { has_next_page: true, cursor: `c${call}`, total_count: 6 }
                : { has_next_page: false, total_count: 6 },
          }),
        { stream },
      );
      const rows = await rowsFrom(outbound);
      assert.equal(rows.length, 6);
      assert.deepEqual(
        calls.map((call) => call.catalog['pagination']),
        [{ limit: 100 }, { limit: 100, cursor: 'c1' }, { limit: 100, cursor: 'c2' }],
      );
      assert.deepEqual(
        [...new Set(calls.map((call) => call.profile))],
        ['https://index.example/.well-known/ucp-agent/2026-08-25.json'],
      );
      assert.match(calls[0]?.request.headers?.['accept'] ?? '', /text\/event-stream/);
    }
  });

  it('prices are minor units of their currency, the first variant in stock stands for the product', async () => {
    const { outbound } = storefront(() => result({ products: [product(7)] }));
    const [row] = await rowsFrom(outbound);
    assert.ok(row !== undefined && 'item' in row);
    const { item } = row;
    assert.deepEqual(
      [
        item.externalId,
        item.currency,
        item.priceMicros,
        item.salePriceMicros,
        item.sizes,
        item.color,
        item.category,
        item.description,
        item.imageUrl,
        item.pageUrl,
        item.checkoutItemId,
        item.continueUrl,
      ],
      [
        '7',
        'JPY',
        2_000_000_000,
        1_200_000_000,
        ['M'],
        'Red',
        'Kitchen > Kettles',
        'Boils & whistles',
        'https://s.example/i.jpg',
        'https://s.myshopify.com/products/k7',
        'gid://shopify/ProductVariant/72',
        'https://s.myshopify.com/cart/72:1',
      ],
    );
  });

  it('a shop that does not let itself be leafed through is asked in words', async () => {
    const { outbound, calls } = storefront((catalog) =>
      catalog['query'] === '*'
        ? result({ products: [product(1)] })
        : { error: { code: -32602, message: 'query is required' } },
    );
    assert.equal((await rowsFrom(outbound)).length, 1);
    assert.equal(calls.length, 3);
  });

  it('a shop that asks for patience gets it; one that keeps failing breaks the reading off', async () => {
    const patient = storefront(() => result({ products: [product(1)] }), {
      status: (call) => (call < 3 ? 429 : 200),
    });
    assert.equal((await rowsFrom(patient.outbound)).length, 1);
    const busy = storefront(() => result({ products: [] }), { status: () => 503 });
    await assert.rejects(rowsFrom(busy.outbound), /answered 503/);
  });

  it('a reading that is not complete is not taken for the whole shop', async () => {
    const short = storefront(() =>
      result({ products: [product(1)], pagination: { has_next_page: false, total_count: 900 } }),
    );
    await assert.rejects(rowsFrom(short.outbound), /counts 900 products and gave 1/);
    const looping = storefront(() =>
      result({ products: [product(1)], pagination: { has_next_page: true, cursor: 'same' } }),
    );
    await assert.rejects(rowsFrom(looping.outbound), /how to go on/);
    for (const odd of [
      { result: {} },
      { result: { structuredContent: [] } },
      { error: { message: 'no' } },
      { result: { structuredContent: { products: 'many' } } },
      { result: { structuredContent: { products: [] }, isError: true } },
    ]) {
      await assert.rejects(rowsFrom(storefront(() => odd).outbound), /catalog tools|does not list/);
    }
  });

  it('a product that makes no sense is a bad row, not the end', async () => {
    const rows = await rowsFrom(
      storefront(() =>
        result({
          products: [
            null,
            'x',
            product(1, { variants: [] }),
            product(2, { media: 5, categories: 'a', description: null }),
            product(3),
          ],
        }),
      ).outbound,
    );
    assert.deepEqual(
      rows.map((row) => 'item' in row),
      [false, false, false, true, true],
    );
  });

  it('the public list takes its currency from the tools', async () => {
    const shop = storefront(() => result({ products: [product(1)] }));
    const outbound: Outbound = async (url, request) => {
      if (url.endsWith('/meta.json'))
        return { url, status: 404, headers: {}, body: Buffer.from('') };
      if (!url.includes('/products.json')) return shop.outbound(url, request);
      const listed = url.includes('page=1')
        ? [
            {
              id: 1,
              title: 'Copper kettle',
              handle: 'k',
              images: [{ src: 'https://s.example/i.png' }],
              variants: [{ id: 11, price: '10', available: true }],
            },
          ]
        : [];
      return {
        url,
        status: 200,
        headers: {},
        body: Buffer.from(JSON.stringify({ products: listed })),
      };
    };
    const [row] = await rowsFrom(outbound, 'https://s.example/products.json', 'shopify');
    assert.equal(row !== undefined && 'item' in row && row.item.currency, 'JPY');
  });
});

for (const engine of testEngines()) {
  describe(`the demo storefront as a source (${engine.name})`, () => {
    let app: TestApp;
    let origin: string;
    let key: string;

    before(async () => {
      app = await buildTestApp(await engine.open(), {
        outbound: createOutbound({ allow: ['127.0.0.1'] }),
      });
      origin = await app.http.listen({ host: '127.0.0.1', port: 0 });
      app.services.urls.listeningOn(origin);
      await seedDemoProducts(app.services);
      key = (await app.newPublisher()).apiKey;
    });
    after(() => app.close());

    it('is read on a schedule through its own tools, completely, and unchanged the next time', async () => {
      const now = app.clock.now;
      const merchantId = await openMerchant(app.db, {
        id: app.services.mintId(now),
        slug: 'mirror',
        name: 'Mirror',
        storeUrl: '',
        platform: 'storefront',
        commissionBps: 0,
        isDemo: false,
        createdAt: new Date(now),
      });
      await saveFeed(app.db, {
        id: app.services.mintId(now),
        merchantId,
        url: `${origin}/demo-store`,
        format: 'ucp',
        currency: null,
        everyMinutes: 60,
        maxMissingPercent: 50,
        at: new Date(now),
      });
      await app.services.jobs.enqueue(app.db, 'catalog-feeds', 'first', {});
      await app.services.jobs.runDue();
      const [run] = await listRuns(app.db, 1);
      const [own] = await app.db.query<{ count: number }>(
        `select count(*) as count
         from products p
         join merchants m on m.id = p.merchant_id
         where m.is_demo and m.platform = 'storefront'`,
      );
      assert.deepEqual(
        [run?.status, run?.problem, run?.rows_read, run?.rows_failed],
        ['done', null, own?.count, 0],
      );
      const differing = await app.db.query(
        `select 1
         from products a
         join merchants m on m.id = a.merchant_id and m.is_demo and m.platform = 'storefront'
         left join products b on b.external_id = a.external_id and b.merchant_id = $1
         where b.id is null or a.title <> b.title or a.currency <> b.currency
           or least(a.price_micros, a.sale_price_micros) <> least(
             b.price_micros, b.sale_price_micros
           ) or a.in_stock <> b.in_stock or a.sizes <> b.sizes`,
        [merchantId],
      );
      assert.equal(differing.length, 0);
      app.clock.now += 61 * 60_000;
      await app.services.jobs.runDue();
      const [second] = await listRuns(app.db, 1);
      assert.deepEqual(
        [second?.status, second?.rows_written, second?.rows_removed],
        ['done', 0, 0],
      );
    });

    it('what was read can be searched, and its pages and pictures are there', async () => {
      await catalogHeard(app.db);
      const answer = await app.http.inject({
        method: 'POST',
        url: '/shop/search',
        headers: { 'x-api-key': key },
        payload: { query: 'jacket', merchants: ['Mirror'] },
      });
      const [first] = answer.json<ShopAnswer>().products;
      assert.ok(first);
      for (const address of [first.image_url, first.click_url])
        assert.equal((await fetch(address)).status, 200, address);
    });

    it('private addresses stay closed unless the operator opens them', async () => {
      await assert.rejects(
        rowsFrom(createOutbound({ allow: [] }), `${origin}/demo-store`),
        /private/,
      );
    });
  });
}
