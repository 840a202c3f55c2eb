import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isRecord } from '../../domain/is-record.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { makeClick } from '../../../test/support/make-click.js';
import { insertRandomTraffic, type Traffic } from '../../../test/support/random-traffic.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { addKey } from '../accounts/open-account.js';
import { reportTools } from './tool-table.js';

for (const engine of testEngines()) {
  describe(`MCP on the ${engine.name} engine`, () => {
    let app: TestApp;
    let traffic: Traffic;
    let address = '';
    const keys = { advertiser: '', publisher: '' };
    before(async () => {
      app = await buildTestApp(await engine.open(), { now: Date.parse('2026-11-02T12:00:00Z') });
      traffic = await insertRandomTraffic(app, { seed: 3, events: 150 });
      const add = (kind: 'advertiser' | 'publisher', id: string) =>
        app.db.transaction((tx) =>
          addKey({ tx, mintId: app.services.mintId, now: app.clock.now }, kind, id, 'test'),
        );
      keys.advertiser = await add('advertiser', traffic.advertiserId);
      keys.publisher = await add('publisher', traffic.publisherIds[0] ?? '');
      await app.services.directory.refresh();
      address = await app.http.listen({ port: 0, host: '127.0.0.1' });
    });
    after(() => app.close());

    async function connect(headers: Record<string, string>): Promise<Client> {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${address}/mcp`), { requestInit: { headers } }),
      );
      return client;
    }
    const post = (message: unknown, headers: Record<string, string> = {}) =>
      app.http.inject({
        method: 'POST',
        url: '/mcp',
        headers: { 'content-type': 'application/json', 'x-api-key': keys.advertiser, ...headers },
        payload: typeof message === 'string' ? message : JSON.stringify(message),
      });
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const rest = async (kind: 'advertiser' | 'publisher', url: string) =>
      (await app.http.inject({ url, headers: { 'x-api-key': keys[kind] } })).json();

    it('an assistant begins an experiment, reads it and ends it', async () => {
      const client = await connect({ 'x-api-key': keys.advertiser });
      const tool = async (name: string, args: Record<string, unknown>) => {
        const result = await client.callTool({ name: `advertiser_${name}`, arguments: args });
        assert.notEqual(result.isError, true, JSON.stringify(result.content));
        // The schema of each answer is the route's.
        return result.structuredContent as Record<string, string> & { results: unknown[] };
      };
      const { experiment_id } = await tool('create_experiment', {
        campaign_id: traffic.campaignIds[0],
        name: 'By an assistant',
        kind: 'holdout',
        holdout_percent: 20,
      });
      const result = await tool('get_experiment', { experiment_id });
      assert.deepEqual(
        [result.results.length, result['stopped_at'], result['name']],
        [2, null, 'By an assistant'],
      );
      const ended = await tool('stop_experiment', { experiment_id });
      assert.notEqual(ended['stopped_at'], null);
      const walked = await client.callTool({
        name: 'advertiser_stop_experiment',
        arguments: { experiment_id: '..' },
      });
      assert.equal(walked.isError, true);
      await client.close();
    });

    it('each kind of key sees its tools, whichever header carries it, described by the REST schemas', async () => {
      for (const [kind, headers] of [
        ['advertiser', { 'x-api-key': keys.advertiser }],
        ['publisher', { authorization: `Bearer ${keys.publisher}` }],
      ] as const) {
        const client = await connect(headers);
        const { tools } = await client.listTools();
        const names = tools.map((tool) => tool.name);
        for (const tool of reportTools) {
          assert.equal(names.includes(tool.name), tool.kind === kind, tool.name);
        }
        assert.ok(
          tools.every(
            (tool) => tool.inputSchema.type === 'object' && tool.outputSchema?.type === 'object',
          ),
        );
        await client.close();
      }
      const { tools } = (await post(list)).json().result;
      const metrics = tools.find(
        (tool: { name: string }) => tool.name === 'advertiser_get_metrics',
      );
      assert.deepEqual(
        [
          metrics.inputSchema.properties.days.maximum,
          metrics.inputSchema.properties.days.default,
          metrics.inputSchema.required,
        ],
        [365, 30, undefined],
      );
    });

    it('every schema of a tool has one type and says something, as all clients understand it', async () => {
      const strange: string[] = [];
      const look = (schema: unknown, path: string): void => {
        if (!isRecord(schema)) return;
        if (Array.isArray(schema['type'])) strange.push(`${path}: several types`);
        const says = Object.keys(schema).filter(
          (key) => !['title', 'description', 'default', 'examples'].includes(key),
        );
        if (says.length === 0) strange.push(`${path}: anything`);
        if (schema['type'] === 'array' && schema['items'] === undefined)
          strange.push(`${path}: a list of anything`);
        for (const key of ['properties', 'patternProperties'])
          for (const [name, each] of Object.entries(schema[key] ?? {}))
            look(each, `${path}.${name}`);
        for (const key of ['anyOf', 'oneOf', 'allOf'])
          for (const [at, each] of Object.entries(schema[key] ?? []))
            look(each, `${path}.${key}.${at}`);
        look(schema['items'], `${path}.items`);
        look(schema['additionalProperties'], `${path}.*`);
      };
      for (const key of Object.values(keys)) {
        const client = await connect({ 'x-api-key': key });
        const { tools } = await client.listTools();
        for (const { name, inputSchema, outputSchema } of tools) {
          look(inputSchema, `${name} in`);
          look(outputSchema, `${name} out`);
        }
        await client.close();
      }
      assert.deepEqual(strange, []);
    });

    it('a tool answers what REST answers, structured and as text, in the shape it promised', async () => {
      const calls = [
        ['advertiser', 'advertiser_get_info', {}, '/advertiser-dashboard/info'],
        [
          'advertiser',
          'advertiser_get_metrics',
          {
            start_date: '2026-10-20',
            end_date: '2026-11-01',
            tz: 'Asia/Kathmandu',
            compare: 'previous',
            campaign_id: null,
          },
          '/advertiser-dashboard/metrics?start_date=2026-10-20&end_date=2026-11-01&tz=Asia/Kathmandu&compare=previous',
        ],
        [
          'advertiser',
          'advertiser_get_ad_group_metrics',
          { days: 30, include_archived: true },
          '/advertiser-dashboard/ad-group-metrics?days=30&include_archived=true',
        ],
        ['advertiser', 'advertiser_list_campaigns', {}, '/advertiser-dashboard/campaigns'],
        [
          'advertiser',
          'advertiser_get_campaign',
          { campaign_id: traffic.campaignIds[0] },
          `/advertiser-dashboard/campaigns/${traffic.campaignIds[0]}`,
        ],
        [
          'advertiser',
          'advertiser_get_conversions',
          { limit: 5 },
          '/advertiser-dashboard/conversions?limit=5',
        ],
        ['advertiser', 'advertiser_get_billing', {}, '/advertiser-dashboard/billing'],
        [
          'advertiser',
          'advertiser_get_events_analytics',
          { days: 7 },
          '/advertiser-dashboard/events/analytics?days=7',
        ],
        [
          'advertiser',
          'advertiser_get_conversion_stats',
          {},
          '/advertiser-dashboard/events/conversion-stats',
        ],
        ['advertiser', 'advertiser_get_integrations', {}, '/advertiser-dashboard/integrations'],
        ['publisher', 'publisher_get_info', {}, '/publisher-dashboard/info'],
        ['publisher', 'svc_index_list_categories', {}, '/categories'],
        ['publisher', 'publisher_get_stats', { days: 20 }, '/publisher-dashboard/stats?days=20'],
        ['publisher', 'publisher_get_activity', {}, '/publisher-dashboard/activity'],
        [
          'publisher',
          'publisher_get_placements',
          { days: 300 },
          '/publisher-dashboard/placements?days=300',
        ],
        ['publisher', 'publisher_get_devices', {}, '/publisher-dashboard/devices'],
        ['publisher', 'publisher_get_geography', {}, '/publisher-dashboard/geography'],
        [
          'publisher',
          'publisher_get_users',
          { per_page: 2, sort: 'clicks', search: 'u' },
          '/publisher-dashboard/users?per_page=2&sort=clicks&search=u',
        ],
        [
          'publisher',
          'publisher_get_countries',
          { limit: 2 },
          '/publisher-dashboard/countries?limit=2',
        ],
      ] as const;
      const clients = {
        advertiser: await connect({ 'x-api-key': keys.advertiser }),
        publisher: await connect({ 'x-api-key': keys.publisher }),
      };
      for (const client of Object.values(clients)) await client.listTools();
      for (const [kind, name, args, url] of calls) {
        const result = await clients[kind].callTool({ name, arguments: args });
        assert.ok(result.isError !== true, JSON.stringify(result.content));
        const expected = await rest(kind, url);
        assert.deepEqual(result.structuredContent, expected, name);
        const [content] = Array.isArray(result.content) ? result.content : [];
        assert.deepEqual(JSON.parse(content.text), expected);
      }
      for (const client of Object.values(clients)) await client.close();
    });

    it('a conversion told twice is told to be attributed twice, and read once, over MCP as over REST', async () => {
      const shop = await app.newAdvertiser();
      const click = await makeClick(app, shop.id);
      const send = async () => {
        const answer = await app.http.inject({
          method: 'POST',
          url: '/gateway/events',
          headers: { authorization: `Bearer ${shop.apiKey}` },
          payload: {
            data: [
              {
                event_name: 'Purchase',
                event_id: 'order-7',
                event_time: Math.floor(app.clock.now / 1000),
                user_data: { click_id: click.grclid },
                custom_data: { value: 12.5, currency: 'USD' },
              },
            ],
          },
        });
        assert.equal(answer.statusCode, 200, answer.body);
        const { status, ...agreed } = answer.json().results[0];
        return { status, agreed };
      };
      const client = await connect({ 'x-api-key': shop.apiKey });
      await client.listTools();
      const seen: unknown[] = [];
      for (const status of ['ok', 'duplicate', 'duplicate']) {
        assert.deepEqual(await send(), {
          status,
          agreed: { event_id: 'order-7', attributed: true },
        });
        const { structuredContent } = await client.callTool({
          name: 'advertiser_get_conversions',
          arguments: {},
        });
        const answer = await app.http.inject({
          url: '/advertiser-dashboard/conversions',
          headers: { 'x-api-key': shop.apiKey },
        });
        assert.deepEqual(structuredContent, answer.json());
        seen.push(structuredContent);
      }
      // The shape is the route's, as compared above.
      const [first] = seen as { conversions: Record<string, unknown>[] }[];
      assert.deepEqual(
        first?.conversions.map((one) => [one['is_attributed'], one['campaign_id']]),
        [[true, click.campaignId]],
      );
      assert.deepEqual(seen, [first, first, first]);
      await client.close();
    });

    it('one search tool reaches both verticals with the caller’s key', async () => {
      const client = await connect({ 'x-api-key': keys.publisher });
      await client.listTools();
      for (const args of [
        { query: 'send transactional email' },
        { query: 'running shoes', vertical: 'consumer', max_results: 2 },
      ]) {
        const result = await client.callTool({ name: 'svc_index_search', arguments: args });
        assert.ok(result.isError !== true, JSON.stringify(result.content));
        assert.ok('search_id' in Object(result.structuredContent));
      }
      assert.equal(
        (
          await client.callTool({
            name: 'svc_index_search',
            arguments: { query: '', vertical: 'consumer' },
          })
        ).isError,
        true,
      );
      await client.close();
    });

    it('REST errors become tool errors, with the same detail', async () => {
      const stranger = await app.newAdvertiser();
      const call = async (name: string, args: Record<string, unknown>, key = keys.advertiser) =>
        (
          await post(
            { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
            { 'x-api-key': key },
          )
        ).json();
      for (const [name, args, status, key] of [
        ['advertiser_get_metrics', { days: 0 }, 422, keys.advertiser],
        ['advertiser_get_metrics', { tz: 'Nowhere' }, 422, keys.advertiser],
        ['advertiser_get_metrics', { days: { a: 1 } }, 422, keys.advertiser],
        ['advertiser_get_metrics', { campaign_id: traffic.campaignIds[0] }, 404, stranger.apiKey],
        ['publisher_get_stats', { days: 4000 }, 400, keys.publisher],
      ] as const) {
        const { result } = await call(name, args, key);
        assert.equal(result.isError, true);
        assert.equal(JSON.parse(result.content[0].text).status, status);
      }
      assert.equal((await call('publisher_get_stats', {})).error.code, -32602);
      assert.equal((await call('no_such_tool', {})).error.code, -32602);
    });

    it('an answer no model could read becomes an error that says so', async () => {
      const account = await app.newAdvertiser();
      const campaign = app.services.mintId(app.clock.now);
      await app.db.query(
        `insert into campaigns (id, advertiser_id, name, landing_page, daily_budget_micros)
         values ($1, $2, 'C', 'https://c.example', 1)`,
        [campaign, account.id],
      );
      await app.db.query(
        `insert into ad_groups (id, campaign_id, advertiser_id, name)
         select gen_random_uuid(), $1, $2, 'G' || n
         from generate_series(1, 300) n`,
        [campaign, account.id],
      );
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'advertiser_get_ad_group_metrics', arguments: { days: 365, fill: 'zero' } },
      };
      const { result } = (await post(message, { 'x-api-key': account.apiKey })).json();
      assert.equal(result.isError, true);
      assert.match(result.content[0].text, /answer_too_large/);
    });

    it('plain JSON-RPC is answered as JSON without a handshake or an Accept header', async () => {
      const answer = await post(list);
      assert.equal(answer.statusCode, 200);
      assert.match(String(answer.headers['content-type']), /^application\/json/);
      assert.equal(answer.json().id, 1);
      assert.equal(
        (await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).statusCode,
        202,
      );
      assert.equal(
        (await post({ jsonrpc: '2.0', id: 'x', method: 'no/such' })).json().error.code,
        -32601,
      );
    });

    it('broken messages get the protocol’s errors', async () => {
      for (const [message, code] of [
        ['{nope', -32700],
        ['', -32700],
        [{ hello: 1 }, -32600],
        [{ jsonrpc: '1.0', id: 1, method: 'ping' }, -32600],
        [[], -32600],
      ] as const) {
        const answer = await post(message);
        assert.equal(answer.statusCode, 400);
        assert.equal(answer.json().error.code, code);
      }
      assert.equal((await post(list, { 'content-type': 'text/html' })).statusCode, 415);
      assert.equal((await post(list, { 'mcp-protocol-version': '1999-01-01' })).statusCode, 400);
    });

    it('parameters of the wrong shape are the caller’s, in one sentence', async () => {
      const wrong = async (params: unknown) =>
        (await post({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })).json();
      assert.deepEqual((await wrong({ name: 'advertiser_get_info', arguments: [] })).error, {
        code: -32602,
        message: 'params.arguments: Invalid input: expected record, received array',
      });
      assert.equal((await wrong({ name: 5 })).error.code, -32602);
      assert.equal((await wrong(undefined)).error.code, -32602);
      assert.deepEqual((await wrong({ name: 'nobody_knows' })).error, {
        code: -32602,
        message: 'Unknown tool: nobody_knows',
      });
      // Null is leaving out.
      const answer = await wrong({ name: 'advertiser_get_info', arguments: null });
      assert.equal(typeof answer.result.structuredContent.advertiser_id, 'string');
    });

    it('what is no message does not spoil the batch around it', async () => {
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
      const answers = (await post([ping, { id: 'a', method: 'ping' }, 5])).json();
      assert.deepEqual(
        answers.map(({ id, error }: { id: unknown; error?: { code: number } }) => [
          id,
          error?.code ?? 0,
        ]),
        [
          [1, 0],
          ['a', -32600],
          [null, -32600],
        ],
      );
      const twice = (await post([ping, ping, { ...ping, id: 2 }])).json();
      assert.deepEqual(
        twice.map(({ id, error }: { id: unknown; error?: { code: number } }) => [
          id,
          error?.code ?? 0,
        ]),
        [
          [1, 0],
          [2, 0],
          [1, -32600],
        ],
        'an id used twice would leave one of the two without an answer',
      );
      const lone = await post([5]);
      assert.deepEqual([lone.statusCode, lone.json().length], [400, 1]);
    });

    it('a value outside a closed list is refused in the same words by a tool and its route', async () => {
      const called = await post({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'advertiser_list_campaigns', arguments: { status: 'nope' } },
      });
      const asked = await app.http.inject({
        url: '/advertiser-dashboard/campaigns?status=nope',
        headers: { 'x-api-key': keys.advertiser },
      });
      const told = JSON.parse(called.json().result.content[0].text).detail[0];
      assert.deepEqual(asked.json().detail[0], { ...told, loc: ['query', 'status'] });
      assert.match(told.msg, /^must be one of draft, active.* or \w+$/);
    });

    it('what a tool refuses is named as its argument, wherever the route takes it', async () => {
      for (const [name, given, missing] of [
        ['advertiser_get_campaign', {}, 'campaign_id'],
        ['advertiser_get_metrics', { days: 0 }, 'days'],
        ['advertiser_answer_privacy_request', {}, 'kind'],
      ] as const) {
        const answer = await post({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name, arguments: given },
        });
        const told = JSON.parse(answer.json().result.content[0].text);
        assert.deepEqual(told.detail[0].loc, ['arguments', missing]);
      }
    });

    it('schemas of tools have no words that some clients do not know', async () => {
      for (const key of [keys.advertiser, keys.publisher]) {
        const { tools } = (await post(list, { 'x-api-key': key })).json().result;
        for (const { name, inputSchema } of tools) {
          assert.match(name, /^[\w-]{1,64}$/);
          assert.doesNotMatch(JSON.stringify(inputSchema), /"(?:const|\$ref|format)":/, name);
          for (const [argument, schema] of Object.entries(inputSchema.properties ?? {}))
            assert.match(JSON.stringify(schema), /"description":"./, `${name} ${argument}`);
        }
      }
    });

    it('an argument outside its own list is refused by name', async () => {
      for (const [key, name, argument, values] of [
        [keys.publisher, 'svc_index_search', { vertical: 'nonsense' }, /software or consumer/],
        [keys.publisher, 'publisher_get_users', { sort: 'nonsense' }, /requests/],
      ] as const) {
        const answer = await post(
          {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name, arguments: { query: 'send email', ...argument } },
          },
          { 'x-api-key': key },
        );
        const { isError, content } = answer.json().result;
        assert.equal(isError, true, answer.body);
        const { status, detail } = JSON.parse(content[0].text);
        assert.equal(status, 422);
        assert.match(detail[0].msg, values);
      }
    });

    it('a batch of one is answered by an array, and the version is the package’s', async () => {
      const [listed, ...more] = (await post([list])).json();
      assert.deepEqual([listed.id, more], [1, []]);
      const client = await connect({ 'x-api-key': keys.advertiser });
      const { version } = (await app.http.inject({ url: '/openapi.json' })).json().info;
      assert.match(version, /^\d+\.\d+\.\d+/);
      assert.equal(client.getServerVersion()?.version, version);
      await client.close();
    });

    it('batches are handled where the protocol has them and refused where it has not', async () => {
      const batch = [
        list,
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { jsonrpc: '2.0', id: 2, method: 'ping' },
      ];
      const answers = (await post(batch)).json();
      assert.deepEqual(answers.map((answer: { id: number }) => answer.id).sort(), [1, 2]);
      assert.equal((await post(batch, { 'mcp-protocol-version': '2025-06-18' })).statusCode, 400);
      assert.equal((await post(Array.from({ length: 21 }, () => list))).statusCode, 400);
    });

    it('needs a key, refuses foreign pages and other methods', async () => {
      assert.equal(
        (
          await app.http.inject({
            method: 'POST',
            url: '/mcp',
            headers: { 'content-type': 'application/json' },
            payload: 'nope',
          })
        ).statusCode,
        401,
      );
      assert.equal((await post(list, { 'x-api-key': 'wrong' })).statusCode, 401);
      assert.equal((await post(list, { origin: 'https://evil.example' })).statusCode, 403);
      assert.equal((await post(list, { origin: 'http://localhost:3000' })).statusCode, 200);
      for (const method of ['GET', 'DELETE'] as const)
        assert.equal(
          (
            await app.http.inject({
              method,
              url: '/mcp',
              headers: { 'x-api-key': keys.advertiser },
            })
          ).statusCode,
          405,
        );
    });

    it('prompts bring the reports they ask about, and resources read like the reports', async () => {
      const client = await connect({ 'x-api-key': keys.advertiser });
      const { prompts } = await client.listPrompts();
      assert.ok(prompts.some((prompt) => prompt.name === 'explain_spend_change'));
      const prompt = await client.getPrompt({
        name: 'explain_spend_change',
        arguments: { days: '7' },
      });
      const attached = prompt.messages.flatMap(({ content }) =>
        content.type === 'resource' && 'text' in content.resource
          ? [JSON.parse(content.resource.text)]
          : [],
      );
      assert.deepEqual(
        attached[0],
        await rest('advertiser', '/advertiser-dashboard/metrics?days=7&compare=previous'),
      );
      await assert.rejects(
        client.getPrompt({ name: 'explain_spend_change', arguments: { days: '7', tz: 'Nowhere' } }),
      );
      await assert.rejects(client.getPrompt({ name: 'explain_revenue_change' }));
      const { resources } = await client.listResources();
      for (const { uri } of resources)
        assert.equal((await client.readResource({ uri })).contents.length, 1);
      await assert.rejects(client.readResource({ uri: 'sidelight://publisher/info' }));
      await assert.rejects(
        client.readResource({
          uri: 'sidelight://advertiser/campaigns/../../publisher-dashboard/info',
        }),
      );
      await client.close();
    });
  });
}
