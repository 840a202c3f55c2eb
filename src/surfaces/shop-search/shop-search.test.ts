import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { seedDemoProducts } from '../catalog-import/seed-demo-products.js';
import type { ShopAnswer } from './schema.js';

for (const engine of testEngines()) {
  describe(`shop search (${engine.name})`, () => {
    let app: TestApp;
    let key: string;

    before(async () => {
      app = await buildTestApp(await engine.open());
      key = (await app.newPublisher()).apiKey;
      await seedDemoProducts(app.services);
    });
    after(() => app.close());

    const post = (payload: object, headers: Record<string, string> = { 'x-api-key': key }) => app.http.inject({ method: 'POST', url: '/shop/search', headers, payload });
    const search = async (payload: object): Promise<ShopAnswer> => {
      const answer = await post(payload);
      assert.equal(answer.statusCode, 200, answer.body);
      return answer.json<ShopAnswer>();
    };

    it('answers with the contract’s envelope', async () => {
      const answer = await search({ query: 'waterproof hiking boots' });
      assert.equal(answer.api_version, '2026-09-09');
      assert.equal(answer.vertical, 'consumer');
      assert.equal(answer.query, 'waterproof hiking boots');
      assert.equal(answer.ranking, 'retrieval');
      assert.equal(answer.products.length, 5);
      assert.equal(answer.count, 5);
      assert.deepEqual(answer.recommendation, answer.products[0]);
      assert.deepEqual(answer.web_results, []);
    });
  });
}
