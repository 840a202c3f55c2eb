import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { testEngines } from '../../../test/support/test-database.js';
import { passesFilters } from '../../domain/search/product-filters.js';
import { productCategories } from '../../domain/search/product-categories.js';
import { documentOf } from './index/listing-document.js';
import { loadMerchants, loadProducts } from './queries.js';
import { readQuery } from './read-query.js';
import type { ShopQuery } from './schema.js';
import { openShopSearch } from '../../../test/support/open-shop-search.js';

for (const engine of testEngines()) {
  describe(`the contract of shop search on the ${engine.name} engine`, () => {
    const site = openShopSearch(engine);
    const { post, search } = site;

    it('an answer has the contract’s envelope', async () => {
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

    it('a key is asked for before the body is looked at', async () => {
      const stranger = (await site.app.newPublisher({ status: 'pending' })).apiKey;
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
      assert.equal(
        (await post({ query: 'kettle', platform_api_key: site.key }, {})).statusCode,
        200,
      );
    });

    it('what the contract refuses is refused, naming the place', async () => {
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
        (await loadMerchants(site.app.db)).map((merchant) => [merchant.id, merchant.name]),
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
            site.app.db,
            answer.products.map((product) => product.product_id),
          )) {
            assert.ok(
              passesFilters(
                documentOf(row, merchants.get(row.merchantId) ?? '', site.app.clock.now),
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

    it('the need is inferred from the conversation', async () => {
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
      const [row] = await site.app.db.query<{ is_inferred: boolean; context: unknown }>(
        'select is_inferred, context from shop_searches where id = $1',
        [answer.search_id],
      );
      assert.deepEqual(row, {
        is_inferred: true,
        context: { style: 'ultralight', other: { kept: true } },
      });
    });

    it('a search that nothing fits says so', async () => {
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

    it('there is a profile for each release of the checkout protocol', async () => {
      const usual = await site.app.http.inject('/.well-known/ucp-agent.json');
      assert.match(String(usual.headers['cache-control']), /public, max-age=\d{2,}/);
      assert.equal(usual.json<{ ucp: { version: string } }>().ucp.version, '2026-04-08');
      assert.equal(
        (
          await site.app.http.inject({
            url: '/.well-known/ucp-agent.json',
            headers: { 'if-none-match': String(usual.headers.etag) },
          })
        ).statusCode,
        304,
      );
      assert.equal(
        (await site.app.http.inject('/.well-known/ucp-agent/2026-08-25.json')).json<{
          ucp: { version: string };
        }>().ucp.version,
        '2026-08-25',
      );
      assert.equal(
        (await site.app.http.inject('/.well-known/ucp-agent/1999-01-01.json')).statusCode,
        404,
      );
    });
  });
}
