import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { catalogHeard } from '../../../test/support/catalog-heard.js';
import { testEngines } from '../../../test/support/test-database.js';
import { readMerchantProfile } from '../../domain/commerce/ucp-profile.js';
import { createHttpApp } from '../../platform/http/create-http-app.js';
import { silentLog } from '../../platform/log.js';
import { seedDemoProducts } from '../catalog-import/demo/seed-demo-products.js';
import type { Product, ShopAnswer } from '../shop-search/schema.js';
import { demoStorefrontRoutes } from './routes.js';
import { makeClick } from '../../../test/support/make-click.js';

interface Answer {
  error?: { code: number; data: { code: string } };
  result?: { isError?: boolean; structuredContent: Checkout };
}
interface Checkout {
  ucp: { status: string };
  id: string;
  status: string;
  currency: string;
  attribution: Record<string, string>;
  totals: { type: string; amount: number }[];
  line_items: { id: string; quantity: number; item: { id: string; price: number } }[];
  order?: { id: string };
  messages: { code: string; path: string }[];
}

interface Catalog {
  products: {
    id: string;
    variants: { id: string; price: { amount: number }; inputs?: { id: string; match: string }[] }[];
  }[];
  product?: { id: string };
  pagination?: { has_next_page: boolean; cursor?: string };
  messages?: { content: string }[];
}

for (const engine of testEngines()) {
  describe(`demo storefront (${engine.name})`, () => {
    let app: TestApp;
    let product: Product;

    before(async () => {
      app = await buildTestApp(await engine.open());
      const { apiKey } = await app.newPublisher();
      await seedDemoProducts(app.services);
      await catalogHeard(app.db);
      const found = await app.http.inject({
        method: 'POST',
        url: '/shop/search',
        headers: { 'x-api-key': apiKey },
        payload: { query: 'rain jacket', merchants: ['harbor & pine'] },
      });
      const first = found.json<ShopAnswer>().products.find((each) => each.checkout !== null);
      assert.ok(first);
      product = first;
    });
    after(() => app.close());

    const pathOf = (url: string): string => url.replace(app.services.urls.index, '');
    const meta = (more = {}) => ({
      'ucp-agent': { profile: product.checkout?.agent_profile },
      ...more,
    });
    const call = async (name: string, args: object): Promise<Answer> => {
      const answer = await app.http.inject({
        method: 'POST',
        url: pathOf(product.checkout?.endpoint ?? ''),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
      });
      assert.equal(answer.statusCode, 200);
      return answer.json<Answer>();
    };
    const opening = () => ({
      currency: product.currency,
      line_items: [{ quantity: 2, item: { id: product.checkout?.item_id } }],
      attribution: product.checkout?.attribution,
    });
    const person = {
      buyer: { email: 'ada@example.com' },
      fulfillment: {
        methods: [
          {
            type: 'shipping',
            destinations: [
              { street_address: '1 Example Street', postal_code: '62701', address_country: 'US' },
            ],
          },
        ],
      },
    };
    const payment = {
      instruments: [
        {
          id: 'card',
          handler_id: 'demo',
          type: 'card',
          selected: true,
          credential: { type: 'token', token: 'demo' },
        },
      ],
    };
    const open = async (): Promise<Checkout> => {
      const { result } = await call('create_checkout', { meta: meta(), checkout: opening() });
      assert.ok(result);
      return result.structuredContent;
    };

    it('an agent buys: create, update, complete', async () => {
      const created = await open();
      assert.equal(created.status, 'requires_escalation');
      assert.deepEqual(created.attribution, product.checkout?.attribution);
      assert.equal(created.line_items[0]?.item.price, Math.round(product.price * 100));
      const updated = (
        await call('update_checkout', {
          meta: meta(),
          id: created.id,
          checkout: { ...opening(), ...person },
        })
      ).result?.structuredContent;
      assert.equal(updated?.status, 'ready_for_complete');
      const total = updated?.totals.find((one) => one.type === 'total')?.amount ?? 0;
      assert.ok(total >= Math.round(product.price * 100) * 2);
      const key = randomUUID();
      const completed = (
        await call('complete_checkout', {
          meta: meta({ 'idempotency-key': key }),
          id: created.id,
          checkout: { payment },
        })
      ).result?.structuredContent;
      assert.equal(completed?.status, 'completed');
      assert.ok(completed?.order?.id);
      const again = (
        await call('complete_checkout', {
          meta: meta({ 'idempotency-key': key }),
          id: created.id,
          checkout: { payment },
        })
      ).result?.structuredContent;
      assert.equal(again?.order?.id, completed?.order?.id);
      const other = await call('complete_checkout', {
        meta: meta({ 'idempotency-key': randomUUID() }),
        id: created.id,
        checkout: { payment },
      });
      assert.equal(other.result?.isError, true);
      const read = (await call('get_checkout', { meta: meta(), id: created.id })).result
        ?.structuredContent;
      assert.deepEqual(read?.attribution, product.checkout?.attribution);
    });

    it('of several destinations the chosen one is delivered to, and all are shown', async () => {
      const { id } = await open();
      const [address] = person.fulfillment.methods[0]?.destinations ?? [];
      const destinations = [{ ...address }, { ...address, id: 'work', street_address: '2 Work' }];
      const { result } = await call('update_checkout', {
        meta: meta(),
        id,
        checkout: {
          ...opening(),
          ...person,
          fulfillment: { methods: [{ destinations, selected_destination_id: 'work' }] },
        },
      });
      const shown = JSON.parse(JSON.stringify(result?.structuredContent)).fulfillment.methods[0];
      assert.deepEqual(
        [shown.selected_destination_id, shown.destinations.map((one: { id: string }) => one.id)],
        ['work', ['destination_1', 'work']],
      );
    });

    it('an order is placed once, for the total the buyer saw and all that was asked for', async () => {
      const { id } = await open();
      const checkout = { ...opening(), ...person };
      await call('update_checkout', { meta: meta(), id, checkout });
      const complete = (more: object) =>
        call('complete_checkout', {
          meta: meta({ 'idempotency-key': randomUUID() }),
          id,
          checkout: { payment, ...more },
        });
      for (const [more, path] of [
        [{ totals: [{ type: 'total', amount: 1 }] }, '$.totals'],
        [{ currency: 'EUR' }, '$.currency'],
      ] as const) {
        const { result } = await complete(more);
        assert.equal(result?.structuredContent.messages[0]?.path, path);
      }
      const all = await Promise.all(Array.from({ length: 5 }, () => complete({})));
      const orders = all.flatMap(({ result }) => result?.structuredContent.order?.id ?? []);
      assert.equal(orders.length, 1);
      const [line] = opening().line_items;
      const many = await call('create_checkout', {
        meta: meta(),
        checkout: { ...opening(), line_items: Array.from({ length: 51 }, () => line) },
      });
      assert.equal(many.result?.isError, true);
    });

    it('an order an agent places is a trusted conversion of the advertiser the shop is linked to', async () => {
      const { id: advertiserId, apiKey } = await app.newAdvertiser();
      const { campaignId } = await makeClick(app, advertiserId);
      // Linked after the search: links made before are covered.
      await app.db.query(
        `update merchants set campaign_id = $1 where is_demo and platform = 'storefront'`,
        [campaignId],
      );
      const created = await open();
      const { attribution: _, ...bare } = opening();
      const updated = (
        await call('update_checkout', {
          meta: meta(),
          id: created.id,
          checkout: { ...bare, ...person },
        })
      ).result?.structuredContent;
      assert.deepEqual(updated?.attribution, product.checkout?.attribution);
      const completed = (
        await call('complete_checkout', {
          meta: meta({ 'idempotency-key': randomUUID() }),
          id: created.id,
          checkout: { payment },
        })
      ).result?.structuredContent;
      const orderId = completed?.order?.id ?? '';
      const reported = await app.http.inject({
        url: '/advertiser-dashboard/conversions',
        headers: { 'x-api-key': apiKey },
      });
      const [conversion] = reported.json().conversions;
      assert.deepEqual(
        [conversion.order_id, conversion.source, conversion.is_attributed, conversion.campaign_id],
        [orderId, 'storefront', true, campaignId],
      );
      const placed = await app.http.inject({ url: `/demo-store/orders/${orderId}` });
      assert.equal(placed.statusCode, 200);
      assert.ok(!placed.body.includes('ada@example.com'));
    });

    it('the profile is at the root of the origin, as agents look for it', async () => {
      const root = await app.http.inject({ url: '/.well-known/ucp' });
      assert.deepEqual(
        root.json(),
        (await app.http.inject({ url: '/demo-store/.well-known/ucp' })).json(),
      );
    });

    it('an order without buyer, address or payment is not placed', async () => {
      const created = await open();
      const early = await call('complete_checkout', {
        meta: meta({ 'idempotency-key': randomUUID() }),
        id: created.id,
        checkout: { payment },
      });
      assert.deepEqual(
        early.result?.structuredContent.messages.map((message) => message.path),
        ['$.buyer.email', '$.fulfillment.methods[0].destinations[0]'],
      );
      await call('update_checkout', {
        meta: meta(),
        id: created.id,
        checkout: { ...opening(), ...person },
      });
      const unpaid = await call('complete_checkout', {
        meta: meta({ 'idempotency-key': randomUUID() }),
        id: created.id,
        checkout: {},
      });
      assert.equal(unpaid.result?.isError, true);
      const declined = await call('complete_checkout', {
        meta: meta({ 'idempotency-key': randomUUID() }),
        id: created.id,
        checkout: { payment: { instruments: [{ credential: { token: 'decline' } }] } },
      });
      assert.equal(declined.result?.structuredContent.messages[0]?.code, 'payment_failed');
    });

    it('refuses callers without a profile, unknown items and closed checkouts', async () => {
      assert.equal(
        (await call('create_checkout', { checkout: opening() })).error?.data.code,
        'invalid_profile_url',
      );
      const unknown = await call('create_checkout', {
        meta: meta(),
        checkout: { line_items: [{ quantity: 1, item: { id: 'no\u0000such' } }] },
      });
      assert.equal(unknown.result?.structuredContent.messages[0]?.code, 'not_found');
      const created = await open();
      assert.equal(
        (await call('cancel_checkout', { meta: meta(), id: created.id })).error?.code,
        -32602,
      );
      assert.equal(
        (
          await call('cancel_checkout', {
            meta: meta({ 'idempotency-key': randomUUID() }),
            id: created.id,
          })
        ).result?.structuredContent.status,
        'canceled',
      );
      assert.equal(
        (await call('update_checkout', { meta: meta(), id: created.id, checkout: opening() }))
          .result?.isError,
        true,
      );
      assert.equal(
        (await call('get_checkout', { meta: meta(), id: 'nothing' })).result?.isError,
        true,
      );
    });

    it('only one shop takes agents to a checkout; that the others do not is known without a line in the log', async () => {
      const lines: string[] = [];
      const log = {
        ...silentLog,
        info: (_fields: Record<string, unknown>, message: string) => lines.push(message),
      };
      const http = createHttpApp({ log, metrics: app.services.metrics });
      demoStorefrontRoutes(http, {
        ...app.services,
        db: app.db,
        origin: () => 'http://x',
        reportOrder: async () => {},
      });
      assert.equal((await http.inject('/demo-store/harbor-lane/.well-known/ucp')).statusCode, 404);
      assert.deepEqual(lines, []);
      assert.equal((await http.inject('/demo-store/nothing/here')).statusCode, 404);
      assert.deepEqual(lines, ['request']);
      await http.close();
    });

    it('its profile leads to the endpoint named in the descriptor', async () => {
      const profile = (await app.http.inject('/demo-store/.well-known/ucp')).json<unknown>();
      assert.deepEqual(readMerchantProfile(profile), {
        endpoint: product.checkout?.endpoint,
        version: '2026-08-25',
      });
    });

    it('an agent of an earlier release finds a profile and an endpoint of that release', async () => {
      interface Profile {
        ucp: {
          version: string;
          supported_versions?: Record<string, string>;
          services: Record<string, { version: string; endpoint: string }[]>;
        };
      }
      const profileAt = async (url: string): Promise<Profile['ucp']> =>
        (await app.http.inject(url)).json<Profile>().ucp;
      const newest = await profileAt('/.well-known/ucp');
      const leaf = newest.supported_versions?.['2026-04-08'] ?? '';
      const earlier = await profileAt(pathOf(leaf));
      const [binding] = earlier.services['dev.ucp.shopping'] ?? [];
      assert.deepEqual([earlier.version, binding?.version], ['2026-04-08', '2026-04-08']);
      for (const [version, endpoint] of [
        [earlier.version, binding?.endpoint],
        [newest.version, product.checkout?.endpoint],
      ] as const) {
        const answer = await app.http.inject({
          method: 'POST',
          url: pathOf(endpoint ?? ''),
          payload: {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: {
              name: 'create_checkout',
              arguments: { meta: meta(), checkout: { ...opening(), ...person } },
            },
          },
        });
        const { ucp, fulfillment } = answer.json<{
          result: {
            structuredContent: {
              ucp: { version: string };
              fulfillment: { methods: { groups: { selected_option_id: string }[] }[] };
            };
          };
        }>().result.structuredContent;
        assert.equal(ucp.version, version);
        assert.equal(fulfillment.methods[0]?.groups[0]?.selected_option_id, 'standard');
      }
    });

    it('the tracked link leads to a page that states the price, and to a raster picture', async () => {
      const hop = await app.http.inject({
        url: pathOf(product.click_url),
        headers: {
          'user-agent':
            'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
        },
      });
      assert.equal(hop.statusCode, 302);
      const landing = new URL(String(hop.headers.location));
      assert.equal(landing.searchParams.get('grclid'), product.grclid);
      const shown = await app.http.inject(landing.pathname + landing.search);
      const facts = JSON.parse(
        /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(shown.body)?.[1] ?? '',
      ) as { name: string; offers: { price: string } };
      assert.equal(facts.name, product.name);
      assert.equal(Number(facts.offers.price), product.price);
      const picture = await app.http.inject(pathOf(product.image_url));
      assert.equal(picture.headers['content-type'], 'image/png');
      assert.deepEqual([...picture.rawPayload.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
      assert.equal(
        (await app.http.inject(pathOf(product.checkout?.continue_url ?? ''))).statusCode,
        200,
      );
    });

    it('its catalog tools leaf, find and look up', async () => {
      // The same door, answering with the shape of the other tools.
      const tool = async (name: string, catalog: unknown) =>
        (await call(name, { meta: meta(), catalog })) as unknown as {
          error?: { code: number };
          result?: { structuredContent: Catalog };
        };
      const page = (
        await tool('search_catalog', { filters: { price: { min: 0 } }, pagination: { limit: 7 } })
      ).result?.structuredContent;
      assert.deepEqual([page?.products.length, page?.pagination?.has_next_page], [7, true]);
      const next = (
        await tool('search_catalog', {
          filters: { price: { min: 0 } },
          pagination: { limit: 7, cursor: page?.pagination?.cursor },
        })
      ).result?.structuredContent;
      assert.ok(
        next?.products.every((each) => !page?.products.some((other) => other.id === each.id)),
      );
      const found = (
        await tool('search_catalog', { query: 'RAIN jacket', filters: { price: { max: 20_000 } } })
      ).result?.structuredContent;
      assert.ok((found?.products.length ?? 0) > 0);
      for (const each of found?.products ?? [])
        assert.ok(
          /rain/i.test(JSON.stringify(each)) && (each.variants[0]?.price.amount ?? 0) <= 20_000,
        );
      const [first] = found?.products ?? [];
      const variant = first?.variants.at(-1)?.id ?? '';
      const looked = (
        await tool('lookup_catalog', { ids: [variant, variant, first?.id, 'nothing'] })
      ).result?.structuredContent;
      assert.deepEqual(
        [
          looked?.products.map((each) => each.id),
          looked?.messages?.map((message) => message.content),
        ],
        [[first?.id], ['nothing']],
      );
      assert.deepEqual(
        looked?.products[0]?.variants.at(-1)?.inputs?.find((input) => input.id === variant),
        { id: variant, match: 'exact' },
      );
      // The protocol asks for the ids that led to it on every variant of a look-up.
      for (const each of looked?.products[0]?.variants ?? []) assert.ok(each.inputs?.[0]);
      const alone = (await tool('lookup_catalog', { ids: [variant] })).result?.structuredContent;
      assert.deepEqual(
        alone?.products[0]?.variants.map((each) => each.id),
        [variant],
      );
      assert.equal(
        (await tool('get_product', { id: first?.id })).result?.structuredContent.product?.id,
        first?.id,
      );
      for (const bad of [
        {},
        { query: '  ' },
        { filters: {} },
        { query: 'x', pagination: { cursor: '!\u0000' } },
        { query: 'x', pagination: { cursor: 5 } },
      ])
        assert.equal((await tool('search_catalog', bad)).error?.code, -32602, JSON.stringify(bad));
      for (const bad of [
        {},
        { ids: [] },
        { ids: Array.from({ length: 51 }, (_, at) => `id${at}`) },
      ])
        assert.equal((await tool('lookup_catalog', bad)).error?.code, -32602);
      for (const odd of [
        { query: '%_\u0000\ud800', pagination: { limit: 1e308 } },
        { filters: { price: { min: -1e300, max: 1e300 } }, pagination: { limit: -3 } },
      ])
        assert.ok((await tool('search_catalog', odd)).result);
      assert.equal(
        (await call('search_catalog', { catalog: { query: 'x' } })).error?.data.code,
        'invalid_profile_url',
      );
    });

    it('lists its products page by page', async () => {
      const first = (await app.http.inject('/demo-store/products.json?limit=250&page=1')).json<{
        products: unknown[];
      }>();
      const last = (await app.http.inject('/demo-store/products.json?limit=250&page=99')).json<{
        products: unknown[];
      }>();
      assert.equal(first.products.length, 250);
      assert.deepEqual(last.products, []);
    });
  });
}
