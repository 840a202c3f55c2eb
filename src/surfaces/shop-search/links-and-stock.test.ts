import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { catalogHeard } from '../../../test/support/catalog-heard.js';
import { signInOperator } from '../../../test/support/sign-in-operator.js';
import { testEngines } from '../../../test/support/test-database.js';
import type { Llm } from '../../platform/llm/llm.js';
import { makeDemoProducts } from '../catalog-import/demo/demo-products.js';
import { openMerchant } from '../catalog-import/queries.js';
import { readDemoShops } from '../catalog-import/demo/seed-demo-products.js';
import { writeBatch } from '../catalog-import/write-batch.js';
import { followCatalog, type LiveCatalog } from './index/follow-catalog.js';
import { startIndexThread } from './index/index-thread.js';
import type { ShopQuery } from './schema.js';
import { searchProducts, type ShopSearchDeps } from './search-products.js';
import { openShopSearch } from '../../../test/support/open-shop-search.js';

const person =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

/** A crowded machine is slow. */
const importWaitMs = 60_000;

for (const engine of testEngines()) {
  describe(`links and stock of shop search on the ${engine.name} engine`, () => {
    const site = openShopSearch(engine);
    const { search, stock } = site;

    it('each result has one tracked link, whose first visit is recorded against the search', async () => {
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
        const hop = await site.app.http.inject({
          url: `/go/${product?.grclid}`,
          headers: { 'user-agent': person },
        });
        assert.equal(hop.statusCode, 302);
        assert.equal(
          new URL(String(hop.headers.location)).searchParams.get('grclid'),
          product?.grclid,
        );
      }
      const clicks = await site.app.db.query<{ ref: string; invalid: string | null }>(
        'select l.ref, c.invalid from index_links l join index_clicks c on c.id = l.id where l.search_id = $1',
        [answer.search_id],
      );
      assert.deepEqual(clicks, [{ ref: product?.product_id, invalid: null }]);
      const [stored] = await site.app.db.query<{
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
        session_id: site.app.services.pseudonyms.session(publisherId, 's1'),
        user_hash: site.app.services.pseudonyms.searcher(
          publisherId,
          createHash('sha256').update('ada@example.com').digest('hex'),
        ),
        metadata: { surface: 'chat' },
        product_ids: answer.products.map((each) => each.product_id),
      });
    });

    it('a link carries the campaign that stands behind the merchant', async () => {
      const advertiser = await site.app.newAdvertiser();
      const campaignId = site.app.services.mintId(site.app.clock.now);
      await site.app.db.query(
        `insert into campaigns (
             id, advertiser_id, name, is_active, landing_page, billing_model, daily_budget_micros,
             max_cpa_micros
           )
         values ($1, $2, 'c', true, 'https://x.example', 'cpa', 1000000, 250000)`,
        [campaignId, advertiser.id],
      );
      await site.app.db.query(`update merchants set campaign_id = $1 where slug = 'pfotenhaus'`, [
        campaignId,
      ]);
      await site.app.db.query(`select pg_notify('catalog', 'merchants')`);
      await catalogHeard(site.app.db);
      const { search_id: searchId } = await search({
        query: 'dog bed',
        merchants: ['Pfotenhaus'],
        max_results: 1,
      });
      assert.deepEqual(
        await site.app.db.query(
          'select campaign_id, price_micros, kind from index_links where search_id = $1',
          [searchId],
        ),
        [{ campaign_id: campaignId, price_micros: 250_000, kind: 'product' }],
      );
    });

    it('a change of the catalog is shown in the next search', async () => {
      const { products } = await search({ query: 'espresso machine', max_results: 1 });
      const id = products[0]?.product_id ?? '';
      await site.app.db.transaction(async (tx) => {
        await tx.query(
          `update products
           set in_stock = false, changed_in = '01900000-0000-7000-8000-000000000001',
             updated_at = now()
           where id = $1`,
          [id],
        );
        await tx.query(`select pg_notify('catalog', 'batch 01900000-0000-7000-8000-000000000001')`);
      });
      await catalogHeard(site.app.db);
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
        merchantId: site.app.services.mintId(site.app.clock.now),
        merchantSlug: 'grouped',
        feedId: null,
      };
      await openMerchant(site.app.db, {
        id: target.merchantId,
        slug: 'grouped',
        name: 'Grouped',
        storeUrl: '',
        platform: 'feed',
        commissionBps: 0,
        isDemo: false,
        createdAt: new Date(site.app.clock.now),
      });
      const { merchants, shelves } = readDemoShops();
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
      await site.app.db.transaction((tx) =>
        writeBatch(
          tx,
          target,
          { id: site.app.services.mintId(site.app.clock.now), at: site.app.clock.now },
          items,
        ),
      );
      await catalogHeard(site.app.db);
      assert.equal((await search({ query: 'quokka parka', max_results: 25 })).count, 2);
      const sized = await search({ query: 'quokka parka', sizes: ['M'], max_results: 25 });
      assert.deepEqual(sized.products.map((product) => product.name).sort(), [
        'Quokka parka a, M',
        'Quokka parka b, M',
      ]);
    });

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
      const call = await signInOperator(site.app);
      await call('PUT', '/operator/currency-rates', { rates: { XOF: 0.0018 } });
      await catalogHeard(site.app.db);
      assert.deepEqual(await found({ price_max: 45 }), ['one', 'two']);
      assert.deepEqual(await found({ price_min: 45 }), ['three']);
      assert.deepEqual(await found({ price_max: 25_000, currency: 'XOF' }), ['one', 'two']);
      assert.deepEqual(await found({ price_max: 45, currency: 'CLP' }), []);
      const [said] = [await search({ query: 'numbat lantern two', price_max: 45 })];
      assert.match(said.reasoning, /for F\sCFA\s20,000, about \$36\.00 at the operator’s rate/);
      // The first is in dollars, another one is not.
      const mixed = await search({ query: 'numbat lantern one', price_max: 45 });
      assert.match(
        mixed.reasoning,
        /price in USD \(listings in XOF compared at the operator’s rates\)/,
      );
      await call('PUT', '/operator/currency-rates', { rates: {} });
      await catalogHeard(site.app.db);
      assert.deepEqual(await found({ price_max: 45 }), ['one']);
    });

    it('a currency no money has is refused', async () => {
      const refused = await site.post({ query: 'lantern', currency: 'XXQ' });
      assert.equal(refused.statusCode, 422);
      assert.deepEqual(refused.json<{ detail: { loc: string[] }[] }>().detail[0]?.loc, [
        'body',
        'currency',
      ]);
      assert.equal((await site.post({ query: 'lantern', currency: 'eur' })).statusCode, 200);
    });

    it('with a language model tiers decide and the answer says so; without an answer retrieval stands', async () => {
      const publisher =
        site.app.services.directory.publisher((await site.app.newPublisher()).id) ?? assert.fail();
      const catalog = await followCatalog({ ...site.app.services, db: site.app.db, importWaitMs });
      await catalog.settled();
      const links = { rows: () => ({}), urlOf: (id: string) => `http://x/go/${id}` };
      const judge = (completeJson: Llm['completeJson']): ShopSearchDeps => ({
        ...site.app.services,
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

    it('a shop of a few thousand products is waited for to its end', async () => {
      const catalog = await followCatalog({
        ...site.app.services,
        db: site.app.db,
        importWaitMs,
        startThread(onLost) {
          const thread = startIndexThread(onLost);
          return {
            ...thread,
            async change(changes) {
              await sleep(5);
              await thread.change(changes);
            },
          };
        },
      });
      const [counted] = await site.app.db.query<{ count: number }>(
        'select count(*)::int as count from products',
      );
      assert.ok((counted?.count ?? 0) > 2100, 'more than is enough to answer a large shop from');
      await catalog.settled();
      assert.equal(catalog.progress().ready, true);
      await catalog.close();
    });

    it('is searched from what the last start kept, and knows what changed since', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sidelight-index-'));
      const kept = { path: join(folder, 'product-index'), from: 0 };
      const [lasting, passing] = ['kept:lasting', 'kept:passing'];
      await site.app.db.query(
        `insert into products (
             id, merchant_id, external_id, title, description, currency, price_micros, in_stock,
             image_url, page_url, content_hash, changed_in, updated_at
           )
         select i, m.id, i, 'Quoll lantern', '', 'USD', 1000000, true,
           'https://shop.example/i.png', 'https://shop.example/p', '', $2, now()
         from unnest($1::text[]) i, lateral (select id from merchants order by id limit 1) m`,
        [[lasting, passing], site.app.services.mintId(site.app.clock.now)],
      );
      const open = () =>
        followCatalog({ ...site.app.services, db: site.app.db, importWaitMs, kept });
      const found = async (catalog: LiveCatalog, query: string): Promise<string[]> =>
        (await catalog.search({ query, limit: 50, fit: true })).hits
          .map(({ id }) => id)
          .filter((id) => id.startsWith('kept:'))
          .sort();
      const first = await open();
      first.start();
      while (!existsSync(kept.path)) await new Promise((resolve) => setTimeout(resolve, 50));
      const indexed = first.progress().indexed;
      assert.deepEqual(await found(first, 'quoll lantern'), [lasting, passing]);
      await first.close();
      await site.app.db.query(`delete from products where id = $1`, [passing]);
      await site.app.db.query(`update products set title = 'Quoll torch' where id = $1`, [lasting]);

      const second = await open();
      await second.settled();
      // Before the rows are read, what was kept answers; the rows decide what is shown.
      const atOnce = second.progress();
      assert.ok(atOnce.ready || atOnce.indexed === indexed, JSON.stringify(atOnce));
      while (!second.progress().ready) await new Promise((resolve) => setTimeout(resolve, 50));
      assert.ok(!(await found(second, 'quoll lantern')).includes(passing));
      assert.deepEqual(await found(second, 'quoll torch'), [lasting]);
      assert.equal(second.progress().indexed, indexed - 1);
      await second.close();
      await site.app.db.query(`delete from products where id = $1`, [lasting]);
      rmSync(folder, { recursive: true });
    });

    it('a lost index is built again from the database', async () => {
      const lose: ((error: Error) => void)[] = [];
      const threads: ReturnType<typeof startIndexThread>[] = [];
      const catalog = await followCatalog({
        ...site.app.services,
        db: site.app.db,
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
  });
}
