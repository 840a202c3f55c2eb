// How clients of comparable services call this one, tried on every operation the API description
// names.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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
}
interface Operation {
  operationId?: string;
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

describe('what clients of comparable services send', () => {
  let app: TestApp;
  let operations: Listed[];
  let api: { servers?: { url: string }[] };
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

  it('every operation has a name, a server, its security and how it fails', () => {
    assert.ok((api.servers ?? []).length > 0);
    const names = operations.map(({ operation }) => operation.operationId);
    assert.equal(new Set(names).size, operations.length);
    for (const { method, path, operation } of operations) {
      assert.ok(Array.isArray(operation.security), `${method} ${path}`);
      const failures = Object.entries(operation.responses).filter(([status]) =>
        status.startsWith('4'),
      );
      assert.ok(failures.length > 0, `${method} ${path}`);
      for (const [status, { content }] of failures) {
        // A link whose offer is gone opens in front of a person: a page, not JSON.
        const type = status === '410' ? 'text/html' : 'application/json';
        assert.ok(content?.[type] !== undefined, `${method} ${path} ${status}`);
      }
    }
    const link = operations.find(({ path }) => path === '/go/{id}');
    assert.deepEqual(
      Object.keys(link?.operation.responses ?? {}).filter((status) => /^[23]|404/.test(status)),
      ['302', '404'],
    );
  });

  it('null where a field is optional is as good as leaving it out', async () => {
    for (const one of operations)
      for (const name of Object.keys(one.body?.properties ?? {})) {
        if (one.body === undefined || one.body.required?.includes(name) === true) continue;
        const answer = await send(one, { ...bodyOf(one.body), [name]: null });
        if (answer.statusCode !== 422) continue;
        const { detail } = answer.json() as { detail: string | { loc: string[]; type: string }[] };
        if (typeof detail === 'string') continue;
        assert.ok(
          detail.every(({ loc, type }) => loc.at(-1) !== name || type === 'missing'),
          `${one.method} ${one.path} ${name}: ${answer.body}`,
        );
      }
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
    assert.match(answer.body, /"gender".*genders, age_ranges, interests/);
  });

  it('page sizes may be text in MCP arguments as in addresses', async () => {
    const answer = await app.http.inject({
      method: 'POST',
      url: '/mcp',
      headers: { 'x-api-key': keys.advertiser, 'content-type': 'application/json' },
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'advertiser_get_conversions', arguments: { limit: '5' } },
      },
    });
    assert.notEqual(answer.json().result.isError, true, answer.body);
  });
});
