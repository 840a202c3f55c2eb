import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import type { Db } from '../../platform/db/db.js';
import { runImport } from '../catalog-import/run-import.js';
import type { IndexThread } from './index/index-thread.js';
import { followCatalog } from './index/follow-catalog.js';
import { loadPage } from './queries.js';

const many = 6000;

for (const engine of testEngines()) {
  describe(`a shop of ${many} products on the ${engine.name} engine`, () => {
    let app: TestApp;
    let key: string;
    before(async () => {
      app = await buildTestApp(await engine.open());
      key = (await app.newPublisher()).apiKey;
      const [merchant] = await app.db.query<{ id: string }>(
        `insert into merchants (id, slug, name, created_at)
         values ($1, 'large', 'Large shop', now())
         returning id`,
        [app.services.mintId(app.clock.now)],
      );
      // Written around the import, as by another process: no statistics, nothing announced.
      await app.db.query(
        `insert into products (
             id, merchant_id, external_id, title, description, currency, price_micros, in_stock,
             image_url, page_url, content_hash, changed_in, updated_at
           )
         select 'large:' || n, $1, 'x' || n, 'Quokka lamp ' || n, repeat('bright ', 60), 'USD',
           1000000 * (1 + n % 90), true, 'https://shop.example/i.png', 'https://shop.example/p', '',
           $2, now()
         from generate_series(1, $3::int) n`,
        [merchant?.id, app.services.mintId(app.clock.now), many],
      );
    });
    after(() => app.close());

    const search = async (query: string) =>
      (
        await app.http.inject({
          method: 'POST',
          url: '/shop/search',
          headers: { 'x-api-key': key },
          payload: { query, max_results: 3 },
        })
      ).json<{ count: number }>();

    it('is read in the order of its index, though nothing is known about it yet', async () => {
      let plan = '';
      const explained: Db = {
        ...app.db,
        async query<R extends object>(text: string, values?: readonly unknown[]): Promise<R[]> {
          const rows = await app.db.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
          plan = rows.map((row) => row['QUERY PLAN']).join('\n');
          return [];
        },
      };
      await loadPage(explained, 'large:3', 100);
      assert.match(plan, /Index Scan using products_pkey/);
      assert.doesNotMatch(plan, /Sort|Seq Scan/);
    });

    it('answers from what is indexed while the rest is on its way', async () => {
      let letGo = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      let changes = 0;
      const thread: IndexThread = {
        size: 0,
        async change() {
          // Some pages are in; the next one never ends until we say so.
          if ((changes += 1) > 55) await held;
        },
        search: () => Promise.reject(new Error('not asked')),
        practise: () => undefined,
        load: () => Promise.reject(new Error('nothing is kept')),
        retain: () => Promise.reject(new Error('nothing is kept')),
        save: () => Promise.reject(new Error('nothing is kept')),
        close: async () => undefined,
      };
      const catalog = await followCatalog({
        ...app.services,
        db: app.db,
        importWaitMs: 1000,
        startThread: () => thread,
      });
      await catalog.settled();
      assert.equal(catalog.progress().ready, false);
      letGo();
      await catalog.close();
    });

    it('serves searches and ads during an import that changes and removes', async () => {
      const [merchant] = await app.db.query<{ id: string }>(
        `select id from merchants where slug = 'large'`,
      );
      const answers: Promise<{ count: number }>[] = [];
      const outcome = await runImport(
        { ...app.services, db: app.db },
        {
          target: { merchantId: merchant?.id ?? '', merchantSlug: 'large', feedId: null },
          source: 'test',
          format: 'jsonl',
          maxMissingPercent: 100,
          isSnapshot: true,
          onProgress: () => void (answers.length < 5 && answers.push(search('quokka lamp'))),
          rows: (async function* () {
            for (let n = 1; n <= 300; n += 1)
              yield {
                row: n,
                item: {
                  externalId: `y${n}`,
                  groupId: null,
                  title: `Quokka lamp ${n}, new`,
                  brand: null,
                  category: null,
                  description: 'brighter',
                  color: null,
                  sizes: [],
                  gender: null,
                  attributes: {},
                  currency: 'USD',
                  priceMicros: 5_000_000,
                  salePriceMicros: null,
                  saleStartsAt: null,
                  saleEndsAt: null,
                  regularPublished: true,
                  inStock: true,
                  imageUrl: 'https://shop.example/i.png',
                  pageUrl: 'https://shop.example/p',
                  checkoutItemId: null,
                  continueUrl: null,
                  variants: [],
                },
              };
          })(),
        },
      );
      assert.equal(outcome.status, 'done');
      for (const { count } of await Promise.all(answers)) assert.equal(typeof count, 'number');
      const [left] = await app.db.query(
        `select count(*) as count, (select count(*) from import_seen) as marks
         from products
         where removed_at is null`,
      );
      assert.deepEqual(left, { count: 300, marks: 0 });
      assert.equal(outcome.removed, many);
      const [known] = await app.db.query<{ tuples: number }>(
        `select reltuples as tuples from pg_class where oid = 'products'::regclass`,
      );
      assert.ok((known?.tuples ?? -1) > 0, 'statistics are there right after the import');
    });
  });
}
