// How clients of comparable services call this one, tried on every operation the API description
// names.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type ApiDocument, problemsOf } from '../support/api-rules.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';

interface Schema {
  type?: string | string[];
  default?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  minimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}
interface Operation {
  operationId?: string;
  parameters?: { name: string; in: string; schema?: Schema }[];
  security?: Record<string, unknown>[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
}
interface Listed {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  operation: Operation;
  body: Schema | undefined;
}

/** Something of the right kind for each required field. */
function sampleOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf?.[0] !== undefined) return sampleOf(schema.anyOf[0]);
  const [type] = [schema.type].flat();
  if (type === 'object') return bodyOf(schema);
  if (type === 'array') return [];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return type === 'boolean' ? true : 'https://example.test/x';
}

function bodyOf({ required = [], properties = {} }: Schema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
}

const isOf = (schema: Schema | undefined, type: string): boolean =>
  [schema?.type].flat().includes(type) || (schema?.anyOf ?? []).some((one) => isOf(one, type));

/** The body with one optional field set to null, for every such field however deep it lies. */
function* bodiesWithNull(
  schema: Schema,
  around: (inner: unknown) => Record<string, unknown>,
): Generator<{ name: string; body: Record<string, unknown> }> {
  const own = bodyOf(schema);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(name) !== true)
      yield { name, body: around({ ...own, [name]: null }) };
    const [object] = [property, ...(property.anyOf ?? [])].filter((one) => one.properties);
    if (object !== undefined)
      yield* bodiesWithNull(object, (inner) => around({ ...own, [name]: inner }));
    const [list] = [property, ...(property.anyOf ?? [])].filter((one) => one.items?.properties);
    if (list?.items !== undefined)
      yield* bodiesWithNull(list.items, (inner) => around({ ...own, [name]: [inner] }));
  }
}

/** What somebody writes against the client they generated. */
const JOURNEY = `
import { createClient } from './client.js';
export async function journey(send: typeof fetch, keys: { advertiser: string; publisher: string }): Promise<string[]> {
  const seen: string[] = [];
  const anyone = createClient({ baseUrl: 'http://service.test', fetch: send });
  const advertiser = createClient({ baseUrl: 'http://service.test', fetch: send, headers: { 'x-api-key': keys.advertiser } });
  const publisher = createClient({ baseUrl: 'http://service.test', fetch: send, headers: { 'x-api-key': keys.publisher, authorization: 'Bearer ' + keys.publisher } });
  const made = await advertiser('postAdvertiserDashboardCampaigns', { body: { name: 'Shoes', landing_page: 'https://shoes.example/new', daily_budget: 5, ad_groups: [{ name: 'All', context: 'running shoes' }] } });
  if (made.status !== 200) throw new Error(JSON.stringify(made));
  const read = await advertiser('getAdvertiserDashboardCampaignsByCampaignId', { path: { campaign_id: made.body.campaign_id } });
  if (read.status === 200) seen.push(read.body.name + ' ' + read.body.daily_budget.toFixed(2));
  const lost = await advertiser('getAdvertiserDashboardCampaignsByCampaignId', { path: { campaign_id: 'none' } });
  if (lost.status === 404) seen.push(String(lost.body.detail));
  const refused = await anyone('getPublisherDashboardInfo', {});
  if (refused.status === 401) seen.push(String(refused.body.detail));
  const ads = await publisher('postApiV1Ad', { body: { messages: [{ role: 'user', content: 'running shoes' }], sessionId: 's', placements: [{ placement: 'below_response', placement_id: 'one' }], testAd: true } });
  if (ads.status !== 200) throw new Error(JSON.stringify(ads));
  const [ad] = ads.body;
  if (ad === undefined) throw new Error('no ad');
  seen.push(ad.placement_id);
  const p = new URL(ad.clickUrl).searchParams.get('p') ?? '';
  const shown = await anyone('getAck', { query: { p } });
  const click = await anyone('getTrackClick', { query: { p } });
  if (click.status === 302) seen.push(shown.status + ' ' + (click.headers.get('location') !== null));
  const stats = await publisher('getPublisherDashboardStats', { query: { days: 7 } });
  if (stats.status === 200) seen.push(String(stats.body.timeSeries.length));
  const gone = await anyone('getGoById', { path: { id: 'none' } });
  seen.push(String(gone.status));
  // @ts-expect-error a field nobody named is told by the compiler
  void (ad.nobody_knows);
  return seen;
}
`;

describe('what clients of comparable services send', () => {
  let app: TestApp;
  let operations: Listed[];
  let api: ApiDocument;
  const keys = { advertiser: '', publisher: '' };
  before(async () => {
    const [engine] = testEngines();
    assert.ok(engine !== undefined);
    app = await buildTestApp(await engine.open());
    keys.advertiser = (await app.newAdvertiser()).apiKey;
    keys.publisher = (await app.newPublisher()).apiKey;
    const described = (await app.http.inject({ url: '/openapi.json' })).json();
    api = described;
    operations = Object.entries(described.paths as Record<string, Record<string, Operation>>)
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({
          method: method.toUpperCase() as Listed['method'], // the methods our routes have
          path,
          operation,
          body: operation.requestBody?.content['application/json']?.schema,
        })),
      )
      .filter(({ path }) => !/^\/(?:session|operator)\b/.test(path));
    assert.ok(operations.length > 60);
  });
  after(() => app.close());

  const send = ({ method, path }: Listed, payload: object | undefined, ending = '') => {
    const isPublishers = /^\/(?:publisher|search|shop|api|ad-feedback)/.test(path);
    const key = isPublishers ? keys.publisher : keys.advertiser;
    return app.http.inject({
      method,
      url: path.replace(/\{\w+\}/g, '00000000-0000-7000-8000-000000000000') + ending,
      headers: { 'x-api-key': key, authorization: `Bearer ${key}` },
      ...(payload === undefined || method === 'GET' ? {} : { payload }),
    });
  };

  /** Fetch for a generated client: the same door, without a network. */
  const throughTheDoor: typeof fetch = async (input, init = {}) => {
    const { pathname, search } = new URL(String(input));
    const answer = await app.http.inject({
      method: (init.method ?? 'GET') as Listed['method'], // the generated client sends no other
      url: pathname + search,
      headers: {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0.0.0 Safari/537.36',
        ...(init.headers as Record<string, string>), // as above
      },
      ...(init.body == null ? {} : { payload: String(init.body) }),
    });
    const isEmpty = [204, 304].includes(answer.statusCode);
    return new Response(isEmpty ? null : answer.body, {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>, // the tracking doors send one of each
    });
  };

  it('the description breaks none of the recommended rules', () => {
    assert.deepEqual(problemsOf(api), []);
  });

  it('every failure is described by its body', () => {
    for (const { method, path, operation } of operations)
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (!status.startsWith('4')) continue;
        // A link whose offer is gone opens in front of a person: a page, not JSON.
        const type = status === '410' ? 'text/html' : 'application/json';
        assert.ok(content?.[type] !== undefined, `${method} ${path} ${status}`);
      }
    const link = operations.find(({ path }) => path === '/go/{id}');
    assert.deepEqual(
      Object.keys(link?.operation.responses ?? {}).filter((status) => /^[23]|404|410/.test(status)),
      ['302', '404', '410'],
    );
  });

  it('a client generated from the description compiles strictly and makes a journey', async () => {
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const folder = mkdtempSync(join(tmpdir(), 'sidelight-client-'));
    try {
      const { generateClient } = (await import(
        pathToFileURL(join(root, 'scripts/generate-client.mjs')).href
      )) as { generateClient(api: unknown): string }; // plain JavaScript without declarations
      mkdirSync(join(folder, 'src'));
      writeFileSync(join(folder, 'src/client.ts'), generateClient(api));
      writeFileSync(join(folder, 'src/journey.ts'), JOURNEY);
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      const compilerOptions = {
        strict: true,
        skipLibCheck: false,
        module: 'nodenext',
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: [],
        outDir: 'out',
        rootDir: 'src',
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]);
      const { journey } = (await import(pathToFileURL(join(folder, 'out/journey.js')).href)) as {
        journey(send: typeof fetch, given: typeof keys): Promise<string[]>; // JOURNEY above
      };
      assert.deepEqual(await journey(throughTheDoor, keys), [
        'Shoes 5.00',
        'not_found',
        'missing_api_key',
        'one',
        '200 true',
        '0',
        '404',
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('null where a field is optional is as good as leaving it out, at any depth', async () => {
    for (const one of operations) {
      if (one.body === undefined) continue;
      // The outermost body of the generator is the whole one.
      const bodies = bodiesWithNull(one.body, (inner) => inner as Record<string, unknown>);
      for (const { name, body } of bodies) {
        const answer = await send(one, body);
        if (answer.statusCode !== 422) continue;
        const { detail } = answer.json() as { detail: string | { loc: string[]; type: string }[] };
        if (typeof detail === 'string') continue;
        assert.ok(
          detail.every(({ loc, type }) => loc.at(-1) !== name || type === 'missing'),
          `${one.method} ${one.path} ${name}: ${answer.body}`,
        );
      }
    }
  });

  it('numbers in an address are text and are read as numbers', async () => {
    let tried = 0;
    for (const one of operations.filter(({ method }) => method === 'GET'))
      for (const { name, in: place, schema } of one.operation.parameters ?? []) {
        if (place !== 'query' || !isOf(schema, 'integer')) continue;
        tried += 1;
        const answer = await send(one, undefined, `?${name}=${schema?.minimum ?? 1}`);
        assert.ok(![400, 422].includes(answer.statusCode), `${one.path} ${name}: ${answer.body}`);
      }
    assert.ok(tried > 20);
  });

  it('a slash at the end changes nothing', async () => {
    for (const one of operations) {
      const [plain, slashed] = [await send(one, {}), await send(one, {}, '/')];
      assert.equal(slashed.statusCode, plain.statusCode, `${one.method} ${one.path}`);
    }
  });

  it('a change with fields nobody knows changes what is known', async () => {
    for (const one of operations.filter(({ method }) => method === 'PATCH'))
      assert.ok(
        !(await send(one, { ...bodyOf(one.body ?? {}), nobody_knows: 1 })).body.includes(
          'nobody_knows',
        ),
        one.path,
      );
  });

  const create = (more: object) =>
    app.http.inject({
      method: 'POST',
      url: '/advertiser-dashboard/campaigns',
      headers: { 'x-api-key': keys.advertiser },
      payload: {
        name: 'Shoes',
        landing_page: 'https://example.com',
        daily_budget: 5,
        ad_groups: [{ name: 'All', context: 'running shoes' }],
        ...more,
      },
    });

  it('utm_params may be pairs in each common form', async () => {
    for (const pairs of [
      [['utm_source', 'x']],
      [{ key: 'utm_source', value: 'x' }],
      [{ utm_source: 'x' }],
    ]) {
      const answer = await create({ utm_params: pairs });
      assert.equal(answer.statusCode, 200, answer.body);
      assert.deepEqual(answer.json().utm_params, [{ key: 'utm_source', value: 'x' }]);
    }
    for (const pairs of [[['utm_source']], [['a', 'b', 'c']], [{ a: 1, b: 2 }], ['utm_source=x']])
      assert.equal((await create({ utm_params: pairs })).statusCode, 422);
  });

  it('demographics that nothing matches are refused by name', async () => {
    const answer = await create({ demographics: { gender: ['female'] } });
    assert.equal(answer.statusCode, 422);
    assert.match(answer.body, /"gender".*did you mean genders/);
    // Like none of them: all are named.
    const unlike = await create({ demographics: { income: ['high'] } });
    assert.match(unlike.body, /"income".*genders, age_ranges, interests/);
    for (const [name, values] of Object.entries({
      genders: ['nonsense'],
      age_ranges: ['200-300'],
      interests: [' '],
    })) {
      const refused = await create({ demographics: { [name]: values } });
      assert.equal(refused.statusCode, 422, name);
      assert.match(refused.body, new RegExp(`"${name}"`));
    }
    assert.equal((await create({ demographics: { age_ranges: ['65+', '120'] } })).statusCode, 200);
  });

  it('numbers may be text in MCP arguments as in addresses', async () => {
    const call = async (key: string, method: string, params: object) => {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/mcp',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        payload: { jsonrpc: '2.0', id: 1, method, params },
      });
      return answer.json() as {
        result: {
          isError?: boolean;
          tools: {
            name: string;
            inputSchema: Schema;
            annotations?: { readOnlyHint?: boolean };
          }[];
        };
      };
    };
    let tried = 0;
    for (const key of Object.values(keys)) {
      const { tools } = (await call(key, 'tools/list', {})).result;
      for (const { name, inputSchema, annotations } of tools) {
        const counts = Object.entries(inputSchema.properties ?? {}).filter(([, schema]) =>
          isOf(schema, 'integer'),
        );
        if (counts.length === 0) continue;
        tried += 1;
        const given = Object.fromEntries(
          counts.map(([field, { minimum }]) => [field, String(minimum ?? 1)]),
        );
        const { result } = await call(key, 'tools/call', {
          name,
          arguments: { query: 'lamp', ...bodyOf(inputSchema), ...given },
        });
        const said = JSON.stringify(result);
        if (annotations?.readOnlyHint === true) assert.notEqual(result.isError, true, said);
        // What acts needs more than samples; its numbers must not be what is wrong.
        else
          for (const [field] of counts)
            assert.ok(!said.includes(field), `${name} ${field}: ${said}`);
      }
    }
    assert.ok(tried > 10);
  });
});
