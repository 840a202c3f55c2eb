import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openShopSearch } from '../../../../test/support/open-shop-search.js';
import { testEngines } from '../../../../test/support/test-database.js';
import { channels, hear } from '../../../platform/channels.js';
import type { Database } from '../../../platform/db/db.js';
import type { ProductRow } from '../queries.js';
import { loadProducts } from '../queries.js';
import { CurrentRows } from './current-rows.js';

const megabyte = 1 << 20;

for (const engine of testEngines()) {
  describe(`rows that are kept to be shown, on the ${engine.name} engine`, () => {
    const site = openShopSearch(engine);
    const keeps = engine.name === 'embedded';

    /** The database, and how often rows of products were read from it. */
    function counted(): { db: Database; reads: () => number } {
      let reads = 0;
      const { db } = site.app;
      return {
        reads: () => reads,
        db: {
          ...db,
          engine: db.engine,
          query: (text, values) => {
            if (/from products/.test(text)) reads += 1;
            return db.query(text, values);
          },
        },
      };
    }

    async function opened() {
      const { db, reads } = counted();
      const rows = new CurrentRows(db, 8 * megabyte);
      const stop = await hear(db, channels.catalog, (news) => rows.onNews(news));
      return { rows, reads, stop };
    }

    async function someIds(): Promise<string[]> {
      const found = await site.app.db.query<{ id: string }>(
        `select id from products where in_stock and image_url <> '' order by id limit 8`,
      );
      return found.map(({ id }) => id);
    }

    it('they are the rows of the database, read once where nobody else can write', async () => {
      const { rows, reads, stop } = await opened();
      const ids = await someIds();
      const wanted = new Map<string, ProductRow>();
      for (const row of await loadProducts(site.app.db, ids)) wanted.set(row.id, row);
      assert.equal(wanted.size, 8);
      for (let round = 0; round < 3; round++) {
        const found = await rows.find([...ids, 'prd_nowhere']);
        for (const id of ids) assert.deepEqual(found.get(id), wanted.get(id));
        assert.equal(found.size, 8);
      }
      await rows.find(ids);
      // Each round but the last asked for one that is not there.
      assert.equal(reads(), keeps ? 3 : 4);
      await stop();
    });

    it('a change is seen by whoever asks after it was made', async () => {
      const { rows, stop } = await opened();
      const [id = ''] = await someIds();
      for (let price = 1; price <= 20; price++) {
        await site.app.db.transaction(async (tx) => {
          await tx.query(`update products set price_micros = $2 where id = $1`, [id, price]);
          const news = channels.catalog.write({ batchId: 'b', goesOn: false, productIds: [id] });
          await tx.query(`select pg_notify('catalog', $1)`, [price % 2 === 0 ? news : 'batch b']);
        });
        assert.equal((await rows.find([id])).get(id)?.priceMicros, price);
      }
      await stop();
    });

    it('what changes while it is read is not kept', async () => {
      const { rows, stop } = await opened();
      const [id = '', other = ''] = await someIds();
      const productIds = [id];
      await rows.read(async () => {
        const read = await loadProducts(site.app.db, [id, other]);
        rows.onNews({ batchId: 'b', goesOn: false, productIds });
        return read.map((row) => ({ ...row, title: 'old' }));
      });
      const found = await rows.find([id, other]);
      assert.notEqual(found.get(id)?.title, 'old');
      if (keeps) assert.equal(found.get(other)?.title, 'old');
      await rows.read(async () => {
        const read = await loadProducts(site.app.db, [other]);
        rows.onNews(null);
        return read.map((row) => ({ ...row, title: 'old' }));
      });
      assert.notEqual((await rows.find([other])).get(other)?.title, 'old');
      await stop();
    });

    it('an import is answered after its listings are shown as they are now', async () => {
      await site.stock('fresh', [{ title: 'Numbat kettle', priceMicros: 7_000_000 }]);
      const first = await site.search({ query: 'numbat kettle', max_results: 1 });
      assert.equal(first.products[0]?.price, 7);
      for (const price of [8, 9, 10]) {
        await site.stock('fresh', [{ title: 'Numbat kettle', priceMicros: price * 1_000_000 }]);
        const { products } = await site.search({ query: 'numbat kettle', max_results: 1 });
        assert.equal(products[0]?.price, price);
      }
    });
  });
}
