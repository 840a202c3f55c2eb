import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { insertLiveCampaign } from '../support/live-campaign.js';
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

    it('an id given to an MCP tool is an id, and another account’s names nothing', async () => {
      const other = await app.newAdvertiser();
      const { campaignId, adGroupId } = await insertLiveCampaign(app, other.id, {
        context: 'buying a zither',
      });
      type Listed = { tools: { name: string; inputSchema: { required?: string[] } }[] };
      const rpc = async (method: string, params: object) =>
        (await post('/mcp', { jsonrpc: '2.0', id: 1, method, params })).json();
      const { tools } = (await rpc('tools/list', {})).result as Listed;
      const named = tools.filter(({ inputSchema: { required = [] } }) =>
        required.some((name) => name.endsWith('_id')),
      );
      assert.ok(named.length > 0);
      for (const { name, inputSchema } of named)
        for (const id of ['..', '.', '../info', '%2e%2e', '\ud800', '\0', campaignId, adGroupId]) {
          const given = Object.fromEntries(
            (inputSchema.required ?? []).map((field) => [field, id]),
          );
          const { result, error } = await rpc('tools/call', { name, arguments: given });
          assert.equal(error, undefined, `${name} ${JSON.stringify(id)}`);
          assert.equal(result.isError, true, `${name} ${JSON.stringify(id)}`);
          assert.match(result.content[0].text, /not_found|detail/);
          assert.doesNotMatch(result.content[0].text, /internal_error|zither/);
        }
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
