import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createCaller } from './create-caller.js';

const root = new URL('../../../../', import.meta.url);
const described = new URL('docs/api/openapi.json', root);
const generator = (await import(
  new URL('packages/sdk/scripts/generate-reporting.mjs', root).href
)) as { generate(api: unknown): string }; // plain JavaScript without declarations

const types = (await import(new URL('packages/sdk/scripts/generate-service.mjs', root).href)) as {
  generateService(api: unknown): string;
}; // plain JavaScript without declarations

const api = {
  paths: {
    '/advertiser-dashboard/metrics': {
      get: {
        summary: 'Daily metrics',
        parameters: [{ in: 'query', name: 'days', schema: { type: 'integer' } }],
        responses: {
          200: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Rows' } } },
          },
        },
      },
    },
    '/advertiser-dashboard/campaigns/{campaign_id}': { delete: { responses: { 204: {} } } },
    '/gateway/events': { post: {} },
  },
  components: {
    schemas: {
      Rows: {
        type: 'object',
        required: ['data'],
        properties: {
          data: { type: 'array', items: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
        },
      },
    },
  },
};

test(
  'the committed clients are what the described service gives',
  { skip: existsSync(described) ? false : 'docs/api/openapi.json is not there' },
  () => {
    assert.equal(
      readFileSync(new URL('packages/sdk/src/generated/reporting.ts', root), 'utf8'),
      generator.generate(JSON.parse(readFileSync(described, 'utf8'))),
    );
  },
);

test('the committed types are what the service takes and answers', () => {
  assert.equal(
    readFileSync(new URL('packages/sdk/src/generated/service.ts', root), 'utf8'),
    types.generateService(JSON.parse(readFileSync(described, 'utf8'))),
  );
});

test('each reporting path becomes a typed method, other paths do not', () => {
  const code = generator.generate(api);
  assert.match(
    code,
    /getMetrics\(query\?: AdvertiserGetMetricsQuery, options\?: CallOptions\): Promise<Outcome<AdvertiserGetMetricsResult>>;/,
  );
  assert.match(code, /data: \(number \| null\)\[\];/);
  assert.match(
    code,
    /deleteCampaign\(campaign_id: string, options\?: CallOptions\): Promise<Outcome<null>>;/,
  );
  assert.ok(!code.includes('gateway'));
});

test('two paths that would share a method are refused', () => {
  const get = { responses: {} };
  assert.throws(
    () =>
      generator.generate({
        paths: { '/publisher-dashboard/a-b': { get }, '/publisher-dashboard/a_b': { get } },
      }),
    /getAB/,
  );
});

test('a call fills in the path, leaves out what is not given and repeats reads only', async () => {
  const urls: string[] = [];
  const send: typeof fetch = async (url, init) => {
    urls.push(`${init?.method} ${url as string}`); // the caller passes text
    return new Response('{}', {
      status: urls.length === 1 ? 503 : init?.method === 'GET' ? 200 : 500,
    });
  };
  const call = createCaller({ apiKey: 'k', baseUrl: 'https://p.test/', fetch: send });
  assert.equal(
    (await call('GET', '/x/{id}', { path: { id: 'a/b' }, query: { days: 7, tz: undefined } })).ok,
    true,
  );
  assert.equal((await call('DELETE', '/x/{id}', { path: { id: '1' } })).ok, false);
  assert.deepEqual(urls, [
    'GET https://p.test/x/a%2Fb?days=7',
    'GET https://p.test/x/a%2Fb?days=7',
    'DELETE https://p.test/x/1',
  ]);
});
