import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { buildTestApp, type TestApp } from './test-app.js';
import { catalogHeard } from './catalog-heard.js';
import { makeDemoProducts } from '../../src/surfaces/catalog-import/demo/demo-products.js';
import { openMerchant } from '../../src/surfaces/catalog-import/queries.js';
import {
  readDemoShops,
  seedDemoProducts,
} from '../../src/surfaces/catalog-import/demo/seed-demo-products.js';
import { writeBatch } from '../../src/surfaces/catalog-import/write-batch.js';
import type { ShopAnswer } from '../../src/surfaces/shop-search/schema.js';
import type { TestEngine } from './test-database.js';

/** An app with the demo catalog, and a publisher that searches in it. */
export function openShopSearch(engine: TestEngine) {
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

  /** Listings of a shop made for one test. */
  async function stock(
    slug: string,
    listings: readonly {
      title: string;
      currency?: string;
      priceMicros?: number;
      attributes?: Record<string, string>;
      category?: string;
    }[],
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
    const { merchants, shelves } = readDemoShops();
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

  return {
    get app() {
      return app;
    },
    get key() {
      return key;
    },
    post,
    search,
    stock,
  };
}
