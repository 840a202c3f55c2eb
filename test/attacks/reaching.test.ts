import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';

for (const engine of testEngines()) {
  describe(`leading us where the caller may not go (${engine.name})`, () => {
    let app: TestApp;
    let key: string;
    before(async () => {
      app = await buildTestApp(await engine.open());
      key = (await app.newAdvertiser()).apiKey;
    });
    after(() => app.close());

    const post = (url: string, payload: object) =>
      app.http.inject({ method: 'POST', url, headers: { 'x-api-key': key }, payload });

    it('the name of an MCP resource cannot walk to another path', async () => {
      const read = async (uri: string): Promise<{ error?: unknown; result?: unknown }> =>
        (
          await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } })
        ).json();
      assert.notEqual((await read('sidelight://advertiser/info')).result, undefined);
      for (const name of ['..', '%2e%2e', '..%2Finfo', '..\\info', '.', '%2e%2e%2finfo%3fx='])
        assert.notEqual(
          (await read(`sidelight://advertiser/campaigns/${name}`)).error,
          undefined,
          name,
        );
    });

    it('webhook tests are not for calling somebody all day', async () => {
      const made = await post('/advertiser-dashboard/webhooks', {
        url: 'https://hooks.shop.example/sidelight',
        types: ['campaign.budget_spent'],
      });
      const { id } = made.json<{ id: string }>();
      const test = () => post(`/advertiser-dashboard/webhooks/${id}/test`, {});
      for (let at = 0; at < 20; at += 1) assert.equal((await test()).statusCode, 202);
      const refused = await test();
      assert.equal(refused.statusCode, 429);
      assert.ok(Number(refused.headers['retry-after']) > 0);
    });
  });
}
