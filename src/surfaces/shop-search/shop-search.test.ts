import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { catalogHeard } from '../../../test/support/catalog-heard.js';
import { signInOperator } from '../../../test/support/sign-in-operator.js';
import { testEngines } from '../../../test/support/test-database.js';
import { passesFilters } from '../../domain/search/product-filters.js';
import { productCategories } from '../../domain/search/product-categories.js';
import type { Llm } from '../../platform/llm/llm.js';
import { makeDemoProducts } from '../catalog-import/demo/demo-products.js';
import { openMerchant } from '../catalog-import/queries.js';
import { readDemoCatalogue, seedDemoProducts } from '../catalog-import/demo/seed-demo-products.js';
import { writeBatch } from '../catalog-import/write-batch.js';
import { followCatalog } from './index/follow-catalog.js';
import { startIndexThread } from './index/index-thread.js';
import { documentOf } from './index/listing-document.js';
import { loadMerchants, loadProducts } from './queries.js';
import { readQuery } from './read-query.js';
import type { ShopAnswer, ShopQuery } from './schema.js';
import { searchProducts, type ShopSearchDeps } from './search-products.js';

const person =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

/** A crowded machine is slow. */
const importWaitMs = 60_000;

for (const engine of testEngines()) {
  describe(`shop search (${engine.name})`, () => {
    let app: TestApp;
    let key: string;

    before(async () => {
      app = await buildTestApp(await engine.open());
      key = (await app.newPublisher()).apiKey;
      await seedDemoProducts(app.services);
      await catalogHeard(app.db);
    });
    after(() => app.close());

    const post = (
      payload: object | undefined,
      headers: Record<string, string> = { 'x-api-key': key },
    ) =>
      app.http.inject({
        method: 'POST',
        url: '/shop/search',
        headers,
        ...(payload === undefined ? {} : { payload }),
      });
    const search = async (payload: object): Promise<ShopAnswer> => {
      const answer = await post(payload);
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json<ShopAnswer>();
    };

    it('answers with the contract’s envelope', async () => {
      const answer = await search({ query: 'waterproof hiking boots' });
      assert.deepEqual(Object.keys(answer), [
        'api_version',
        'vertical',
        'search_id',
        'query',
        'recommendation',
        'reasoning',
        'products',
        'count',
        'web_results',
        'ranking',
        'facets',
      ]);
      assert.equal(answer.api_version, '2026-09-09');
      assert.equal(answer.vertical, 'consumer');
      assert.equal(answer.query, 'waterproof hiking boots');
      assert.equal(answer.ranking, 'retrieval');
      assert.equal(answer.products.length, 5);
      assert.equal(answer.count, 5);
      assert.deepEqual(answer.recommendation, answer.products[0]);
      assert.deepEqual(answer.web_results, []);
      assert.deepEqual(Object.keys(answer.products[0] ?? {}), [
        'product_id',
        'name',
        'brand',
        'merchant',
        'category',
        'description',
        'currency',
        'price',
        'regular_price',
        'on_sale',
        'image_url',
        'click_url',
        'grclid',
        'checkout',
        'disclosure',
      ]);
      assert.match(answer.reasoning, /^“.*”[^.]*(?:\$\d+\.\d\d[^.]*)*(?:\.\d\d[^.]*)?\.$/);
      for (const list of [answer.facets.brands, answer.facets.merchants, answer.facets.categories])
        assert.ok(list.length > 0 && list.length <= 10);
      for (const product of answer.products)
        assert.equal(
          product.on_sale,
          product.regular_price !== null && product.regular_price > product.price,
        );
    });

    it('asks for a key before it looks at the body', async () => {
      const stranger = (await app.newPublisher({ status: 'pending' })).apiKey;
      const cases: [object | undefined, Record<string, string>, number, string][] = [
        [undefined, {}, 401, 'missing_api_key'],
        [{ max_results: 99 }, {}, 401, 'missing_api_key'],
        [{ max_results: 99 }, { 'x-api-key': 'nope' }, 403, 'invalid_api_key'],
        [{ platform_api_key: 'nope' }, {}, 403, 'invalid_api_key'],
        [{ query: 'x', platform_api_key: stranger }, {}, 403, 'publisher_not_approved'],
      ];
      for (const [payload, headers, status, detail] of cases) {
        const answer = await post(payload, headers);
        assert.deepEqual(
          [answer.statusCode, answer.json<{ detail: string }>().detail],
          [status, detail],
        );
      }
      assert.equal((await post({ query: 'kettle', platform_api_key: key }, {})).statusCode, 200);
    });

    it('refuses what the contract refuses, naming the place', async () => {
      const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `x${at}`);
      const cases: [object | undefined, (string | number)[]][] = [
        [{}, ['body', 'query']],
        [{ query: '   ' }, ['body', 'query']],
        [{ query: null }, ['body', 'query']],
        [{ context: { messages: [] } }, ['body', 'query']],
        [{ context: { messages: [{ role: 'user', content: ' ' }] } }, ['body', 'query']],
        [{ query: 7 }, ['body', 'query']],
        [{ query: 'é'.repeat(1001) }, ['body', 'query']],
        [{ query: 'x', max_results: 0 }, ['body', 'max_results']],
        [{ query: 'x', max_results: 26 }, ['body', 'max_results']],
        [{ query: 'x', max_results: 2.5 }, ['body', 'max_results']],
        [{ query: 'x', max_results: '5' }, ['body', 'max_results']],
        [{ query: 'x', brands: many(21) }, ['body', 'brands']],
        [{ query: 'x', merchants: many(21) }, ['body', 'merchants']],
        [{ query: 'x', brands: 'Nike' }, ['body', 'brands']],
        [{ query: 'x', brands: ['a', 1] }, ['body', 'brands', 1]],
        [{ query: 'x', colors: many(11) }, ['body', 'colors']],
        [{ query: 'x', sizes: many(11) }, ['body', 'sizes']],
        [
          { query: 'x', categories: Array.from({ length: 11 }, () => 'pets') },
          ['body', 'categories'],
        ],
        [{ query: 'x', categories: ['pets', 'cars'] }, ['body', 'categories', 1]],
        [{ query: 'x', gender: 'unisex' }, ['body', 'gender']],
        [{ query: 'x', currency: 'dollars' }, ['body', 'currency']],
        [{ query: 'x', price_min: '5' }, ['body', 'price_min']],
        [{ query: 'x', on_sale_only: 'yes' }, ['body', 'on_sale_only']],
        [{ query: 'x', rerank: 1 }, ['body', 'rerank']],
        [{ query: 'x', external_session_id: 's'.repeat(201) }, ['body', 'external_session_id']],
        [{ context: { messages: 'hello' } }, ['body', 'context', 'messages']],
        [
          { context: { messages: [{ role: 'user' }] } },
          ['body', 'context', 'messages', 0, 'content'],
        ],
        [{ query: 'x', metadata: 'free' }, ['body', 'metadata']],
        [undefined, ['body']],
        [[], ['body']],
      ];
      for (const [payload, loc] of cases) {
        const answer = await post(payload);
        assert.equal(answer.statusCode, 422, JSON.stringify(payload));
        const { detail } = answer.json<{
          detail: { type: string; loc: unknown[]; msg: string }[];
        }>();
        assert.deepEqual(detail[0]?.loc, loc, JSON.stringify([payload, detail]));
        assert.ok(
          detail.every((one) => typeof one.type === 'string' && typeof one.msg === 'string'),
        );
      }
      for (const edge of [
        { query: 'x'.repeat(1000) },
        { query: 'x', max_results: 25 },
        {
          query: 'x',
          brands: many(20),
          merchants: many(20),
          colors: many(10),
          sizes: many(10),
          categories: productCategories.slice(0, 10),
        },
        {
          query: 'x',
          external_session_id: 's'.repeat(200),
          unknown_field: 1,
          max_results: null,
          gender: null,
        },
        { query: '\u0000\ud800', metadata: { a: '\u0000' }, external_user_id: '\ud800' },
      ])
        assert.equal((await post(edge)).statusCode, 200, JSON.stringify(edge).slice(0, 80));
    });

    it('no body breaks it: every one is answered or refused', async () => {
      const field = fc.constantFrom(
        'query',
        'context',
        'max_results',
        'rerank',
        'price_min',
        'price_max',
        'currency',
        'brands',
        'merchants',
        'on_sale_only',
        'colors',
        'sizes',
        'gender',
        'categories',
        'external_session_id',
        'external_user_id',
        'hashed_email',
        'metadata',
      );
      const value = fc.oneof(
        fc.jsonValue({ maxDepth: 2 }),
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 22 }),
        fc.string({ unit: 'binary' }),
        fc.double(),
        fc.record({
          messages: fc.array(
            fc.record({
              role: fc.constantFrom('user', 'assistant'),
              content: fc.string({ unit: 'binary' }),
            }),
          ),
          style: fc.string(),
        }),
      );
      await fc.assert(
        fc.asyncProperty(fc.dictionary(field, value), fc.boolean(), async (body, asked) => {
          const answer = await post({ ...(asked ? { query: 'black shoes' } : {}), ...body });
          assert.ok(
            answer.statusCode === 200 || answer.statusCode === 422,
            `${answer.statusCode} ${JSON.stringify(body)}`,
          );
          if (answer.statusCode === 422)
            for (const problem of answer.json<{ detail: { loc: unknown[] }[] }>().detail)
              assert.equal(problem.loc[0], 'body');
        }),
        { numRuns: 150 },
      );
    });

    it('every product passes every filter when it is checked again', async () => {
      const pick = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
      const request = fc.record({
        query: fc.constantFrom(
          'jacket',
          'shoes',
          'running shoes',
          'gift for a cook',
          'black',
          'dog bed',
          'wireless headphones under $120',
          'waterproof',
          'book',
          'sofa without leather',
        ),
        price_min: pick(0, 20, 60),
        price_max: pick(40, 90, 250),
        currency: pick('USD', 'EUR', 'eur'),
        brands: pick(['fernhollow'], ['NORDLYS', 'treadwell'], []),
        merchants: pick(['harbor & pine'], ['Summit Lane Sports', 'ATELIER NORDLYS']),
        on_sale_only: pick(true, false),
        colors: pick(['black'], ['navy', 'green']),
        sizes: pick(['M'], ['9', 'L']),
        gender: pick('men', 'women', 'kids'),
        categories: pick(['footwear'], ['apparel', 'sports_outdoors']),
        max_results: fc.constantFrom(1, 5, 25),
        rerank: pick(true, false),
      });
      const merchants = new Map(
        (await loadMerchants(app.db)).map((merchant) => [merchant.id, merchant.name]),
      );
      await fc.assert(
        fc.asyncProperty(request, async (body) => {
          const answer = await search(body);
          assert.ok(answer.count <= body.max_results);
          const full = {
            rerank: true,
            on_sale_only: false,
            currency: 'USD',
            ...(JSON.parse(JSON.stringify(body)) as object),
            max_results: body.max_results,
          } as ShopQuery;
          const { filters } = readQuery(full);
          for (const row of await loadProducts(
            app.db,
            answer.products.map((product) => product.product_id),
          )) {
            assert.ok(
              passesFilters(
                documentOf(row, merchants.get(row.merchantId) ?? '', app.clock.now),
                filters,
              ),
              JSON.stringify([body, row.title]),
            );
          }
          if (
            body.query.includes('under $120') &&
            body.price_min === undefined &&
            body.price_max === undefined
          )
            for (const product of answer.products)
              assert.ok(product.price <= 120 && product.currency === 'USD');
        }),
        { numRuns: 60 },
      );
    });

    it('infers the need from the conversation', async () => {
      const answer = await search({
        context: {
          messages: [
            { role: 'user', content: 'Hi! I am looking for a sleeping bag' },
            { role: 'assistant', content: 'For which season?' },
            { role: 'user', content: 'In green please' },
          ],
          style: 'ultralight',
          other: { kept: true },
        },
      });
      assert.match(answer.query, /sleeping bag/i);
      assert.match(answer.products[0]?.name ?? '', /Sleeping Bag/);
      const [row] = await app.db.query<{ is_inferred: boolean; context: unknown }>(
        'select is_inferred, context from shop_searches where id = $1',
        [answer.search_id],
      );
      assert.deepEqual(row, {
        is_inferred: true,
        context: { style: 'ultralight', other: { kept: true } },
      });
    });

    it('mints one tracked link for each result and records its first visit against the search', async () => {
      const answer = await search({
        query: 'dog harness',
        max_results: 3,
        external_session_id: 's1',
        external_user_id: 'ada@example.com',
        metadata: { surface: 'chat' },
      });
      assert.equal(new Set(answer.products.map((product) => product.grclid)).size, 3);
      const [product] = answer.products;
      assert.ok(product?.click_url.endsWith(`/go/${product.grclid}`));
      for (let visit = 0; visit < 2; visit += 1) {
        const hop = await app.http.inject({
          url: `/go/${product?.grclid}`,
          headers: { 'user-agent': person },
        });
        assert.equal(hop.statusCode, 302);
        assert.equal(
          new URL(String(hop.headers.location)).searchParams.get('grclid'),
          product?.grclid,
        );
      }
      const clicks = await app.db.query<{ ref: string; invalid: string | null }>(
        'select l.ref, c.invalid from index_links l join index_clicks c on c.id = l.id where l.search_id = $1',
        [answer.search_id],
      );
      assert.deepEqual(clicks, [{ ref: product?.product_id, invalid: null }]);
      const [stored] = await app.db.query<{
        publisher_id: string;
        session_id: string;
        user_hash: string;
        metadata: unknown;
        product_ids: string[];
      }>(
        `select publisher_id, session_id, user_hash, metadata, product_ids
         from shop_searches
         where id = $1`,
        [answer.search_id],
      );
      const publisherId = stored?.publisher_id ?? '';
      assert.deepEqual(stored, {
        publisher_id: publisherId,
        session_id: app.services.pseudonyms.session(publisherId, 's1'),
        user_hash: app.services.pseudonyms.searcher(
          publisherId,
          createHash('sha256').update('ada@example.com').digest('hex'),
        ),
        metadata: { surface: 'chat' },
        product_ids: answer.products.map((each) => each.product_id),
      });
    });

    it('a link carries the campaign that stands behind the merchant', async () => {
      const advertiser = await app.newAdvertiser();
      const campaignId = app.services.mintId(app.clock.now);
      await app.db.query(
        `insert into campaigns (
             id, advertiser_id, name, is_active, landing_page, billing_model, daily_budget_micros,
             max_cpa_micros
           )
         values ($1, $2, 'c', true, 'https://x.example', 'cpa', 1000000, 250000)`,
        [campaignId, advertiser.id],
      );
      await app.db.query(`update merchants set campaign_id = $1 where slug = 'pfotenhaus'`, [
        campaignId,
      ]);
      await app.db.query(`select pg_notify('catalog', 'merchants')`);
      await catalogHeard(app.db);
      const { search_id: searchId } = await search({
        query: 'dog bed',
        merchants: ['Pfotenhaus'],
        max_results: 1,
      });
      assert.deepEqual(
        await app.db.query(
          'select campaign_id, price_micros, kind from index_links where search_id = $1',
          [searchId],
        ),
        [{ campaign_id: campaignId, price_micros: 250_000, kind: 'product' }],
      );
    });

    it('says honestly that nothing fits', async () => {
      const answer = await search({ query: 'hiking boots', price_max: 1, brands: ['Treadwell'] });
      assert.deepEqual(
        [
          answer.products,
          answer.recommendation,
          answer.count,
          answer.web_results,
          answer.facets.price_range,
        ],
        [[], null, 0, [], null],
      );
      assert.equal(
        answer.reasoning,
        'Nothing in stock matches “hiking boots” within the limits on price and brand.',
      );
      assert.equal((await search({ query: 'zeppelin hangar xyzzy' })).count, 0);
    });

    it('shows a change of the catalogue in the next search', async () => {
      const { products } = await search({ query: 'espresso machine', max_results: 1 });
      const id = products[0]?.product_id ?? '';
      await app.db.transaction(async (tx) => {
        await tx.query(
          `update products
           set in_stock = false, changed_in = '01900000-0000-7000-8000-000000000001',
             updated_at = now()
           where id = $1`,
          [id],
        );
        await tx.query(`select pg_notify('catalog', 'batch 01900000-0000-7000-8000-000000000001')`);
      });
      await catalogHeard(app.db);
      const next = await search({ query: 'espresso machine', max_results: 25 });
      assert.ok(next.count > 0 && !next.products.some((product) => product.product_id === id));
    });

    it('the checkout buys the size that was asked for', async () => {
      const { products } = await search({
        query: 'hoodie',
        merchants: ['Harbor & Pine'],
        sizes: ['L'],
        max_results: 25,
      });
      assert.ok(products.length > 0);
      for (const product of products) {
        assert.match(product.checkout?.item_id ?? '', /\/l$/);
        assert.ok(
          product.checkout?.continue_url.includes(encodeURIComponent(product.checkout.item_id)),
        );
      }
    });

    it('sizes of one thing are shown once', async () => {
      const target = {
        merchantId: app.services.mintId(app.clock.now),
        merchantSlug: 'grouped',
        feedId: null,
      };
      await openMerchant(app.db, {
        id: target.merchantId,
        slug: 'grouped',
        name: 'Grouped',
        storeUrl: '',
        platform: 'feed',
        commissionBps: 0,
        isDemo: false,
        createdAt: new Date(app.clock.now),
      });
      const { merchants, shelves } = readDemoCatalogue();
      const [model] = makeDemoProducts(merchants[0] ?? assert.fail(), merchants, shelves);
      assert.ok(model);
      const items = [
        'S',
        'M',
        'L',
        ...Array.from({ length: 60 }, (_, at) => String(30 + at)),
      ].flatMap((size) =>
        ['a', 'b'].map((group) => ({
          ...model,
          externalId: `${group}-${size}`,
          groupId: group,
          title: `Quokka parka ${group}, ${size}`,
          sizes: [size],
          variants: [],
        })),
      );
      await app.db.transaction((tx) =>
        writeBatch(
          tx,
          target,
          { id: app.services.mintId(app.clock.now), at: app.clock.now },
          items,
        ),
      );
      await catalogHeard(app.db);
      assert.equal((await search({ query: 'quokka parka', max_results: 25 })).count, 2);
      const sized = await search({ query: 'quokka parka', sizes: ['M'], max_results: 25 });
      assert.deepEqual(sized.products.map((product) => product.name).sort(), [
        'Quokka parka a, M',
        'Quokka parka b, M',
      ]);
    });

    /** Listings of a shop made for one test. */
    async function stock(
      slug: string,
      listings: readonly { title: string; currency?: string; priceMicros?: number }[],
    ): Promise<void> {
      const target = {
        merchantId: app.services.mintId(app.clock.now),
        merchantSlug: slug,
        feedId: null,
      };
      await openMerchant(app.db, {
        id: target.merchantId,
        slug,
        name: slug,
        storeUrl: '',
        platform: 'feed',
        commissionBps: 0,
        isDemo: false,
        createdAt: new Date(app.clock.now),
      });
      const { merchants, shelves } = readDemoCatalogue();
      const [model] = makeDemoProducts(merchants[0] ?? assert.fail(), merchants, shelves);
      assert.ok(model);
      await app.db.transaction((tx) =>
        writeBatch(
          tx,
          target,
          { id: app.services.mintId(app.clock.now), at: app.clock.now },
          listings.map((listing, at) => ({
            ...model,
            externalId: `${slug}-${at}`,
            groupId: null,
            color: null,
            sizes: [],
            variants: [],
            regularPriceMicros: null,
            ...listing,
          })),
        ),
      );
      await catalogHeard(app.db);
    }

    it('a colour nobody sells is told, and the nearest comes first', async () => {
      await stock('Colours', [
        { title: 'Red wombat armchair' },
        { title: 'Wombat armchair, sky blue' },
        { title: 'Wombat armchair' },
      ]);
      const answer = await search({ query: 'navy wombat armchair' });
      assert.deepEqual(
        answer.products.map(({ name }) => name),
        ['Wombat armchair, sky blue', 'Wombat armchair', 'Red wombat armchair'],
      );
      assert.match(answer.reasoning, /stands in for navy, a colour nothing that fits has/);
      const red = await search({ query: 'red wombat armchair' });
      assert.equal(red.recommendation?.name, 'Red wombat armchair');
      assert.doesNotMatch(red.reasoning, /stands in/);
    });

    it('a price in another currency is compared at the operator’s rate, or left out', async () => {
      await stock('Currencies', [
        { title: 'Numbat lantern one', currency: 'USD', priceMicros: 40_000_000 },
        { title: 'Numbat lantern two', currency: 'XOF', priceMicros: 20_000_000_000 },
        { title: 'Numbat lantern three', currency: 'XOF', priceMicros: 30_000_000_000 },
      ]);
      const found = async (bounds: object): Promise<string[]> =>
        (await search({ query: 'numbat lantern', merchants: ['Currencies'], ...bounds })).products
          .map(({ name }) => name.split(' ').at(-1) ?? '')
          .sort();
      assert.deepEqual(await found({}), ['one', 'three', 'two']);
      assert.deepEqual(await found({ price_max: 45 }), ['one']);
      assert.deepEqual(await found({ price_max: 25_000, currency: 'XOF' }), ['two']);
      const call = await signInOperator(app);
      await call('PUT', '/operator/currency-rates', { rates: { XOF: 0.0018 } });
      await catalogHeard(app.db);
      assert.deepEqual(await found({ price_max: 45 }), ['one', 'two']);
      assert.deepEqual(await found({ price_min: 45 }), ['three']);
      assert.deepEqual(await found({ price_max: 25_000, currency: 'XOF' }), ['one', 'two']);
      assert.deepEqual(await found({ price_max: 45, currency: 'CLP' }), []);
      const [said] = [await search({ query: 'numbat lantern two', price_max: 45 })];
      assert.match(said.reasoning, /about \$36\.00/);
    });

    it('with a language model tiers decide and the answer says so; without an answer retrieval stands', async () => {
      const publisher =
        app.services.directory.publisher((await app.newPublisher()).id) ?? assert.fail();
      const catalog = await followCatalog({ ...app.services, db: app.db, importWaitMs });
      await catalog.settled();
      const links = { rows: () => ({}), urlOf: (id: string) => `http://x/go/${id}` };
      const judge = (completeJson: Llm['completeJson']): ShopSearchDeps => ({
        ...app.services,
        catalog,
        links,
        findWebResults: async () => [],
        llm: { model: 'm', complete: () => Promise.reject(new Error('not used')), completeJson },
      });
      const body: ShopQuery = {
        query: 'dog leash',
        max_results: 3,
        rerank: true,
        currency: 'USD',
        on_sale_only: false,
      };
      const plain = await searchProducts(
        { ...judge(() => Promise.reject(new Error('down'))) },
        publisher,
        body,
      );
      assert.equal(plain.ranking, 'retrieval');
      const only = plain.products[1]?.name ?? '';
      const judged = await searchProducts(
        judge(async ({ prompt }) => ({
          scores: Object.fromEntries(
            prompt
              .split('\n')
              .filter((line) => line.startsWith('{'))
              .map((line) => JSON.parse(line) as { listing: number; title: string })
              .map((each) => [each.listing, each.title === only ? 3 : 0]),
          ),
        })),
        publisher,
        body,
      );
      assert.deepEqual(
        [judged.ranking, judged.products.map((product) => product.name)],
        ['llm', [only]],
      );
      const none = await searchProducts(
        judge(async ({ prompt }) => ({
          scores: Object.fromEntries(
            prompt
              .split('\n')
              .filter((line) => line.startsWith('{'))
              .map((_, at) => [at + 1, 0]),
          ),
        })),
        publisher,
        body,
      );
      assert.deepEqual([none.ranking, none.count, none.recommendation], ['llm', 0, null]);
      assert.equal(
        (
          await searchProducts(
            judge(() => Promise.reject(new Error('must not be asked'))),
            publisher,
            { ...body, rerank: false },
          )
        ).ranking,
        'retrieval',
      );
      await catalog.close();
    });

    it('a lost index is built again from the database', async () => {
      const lose: ((error: Error) => void)[] = [];
      const threads: ReturnType<typeof startIndexThread>[] = [];
      const catalog = await followCatalog({
        ...app.services,
        db: app.db,
        importWaitMs,
        startThread(onLost) {
          lose.push(onLost);
          const thread = startIndexThread(onLost);
          threads.push(thread);
          return thread;
        },
      });
      await catalog.settled();
      const request = { query: 'dog leash', limit: 3, fit: true };
      const before = await catalog.search(request);
      assert.ok(before.total > 0);
      await threads[0]?.close();
      await assert.rejects(catalog.search(request), { code: 'temporarily_unavailable' });
      lose[0]?.(new Error('out of memory'));
      await catalog.settled();
      assert.deepEqual((await catalog.search(request)).total, before.total);
      await catalog.close();
    });

    it('hosts a profile for each release of the checkout protocol', async () => {
      const usual = await app.http.inject('/.well-known/ucp-agent.json');
      assert.match(String(usual.headers['cache-control']), /public, max-age=\d{2,}/);
      assert.equal(usual.json<{ ucp: { version: string } }>().ucp.version, '2026-04-08');
      assert.equal(
        (
          await app.http.inject({
            url: '/.well-known/ucp-agent.json',
            headers: { 'if-none-match': String(usual.headers.etag) },
          })
        ).statusCode,
        304,
      );
      assert.equal(
        (await app.http.inject('/.well-known/ucp-agent/2026-08-25.json')).json<{
          ucp: { version: string };
        }>().ucp.version,
        '2026-08-25',
      );
      assert.equal(
        (await app.http.inject('/.well-known/ucp-agent/1999-01-01.json')).statusCode,
        404,
      );
    });
  });
}
