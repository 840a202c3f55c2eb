// What strangers send, tried on every field of every operation the API description names, and the
// answers held against that description.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { signInOperator } from '../support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';

interface Schema {
  type?: string | string[];
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  minimum?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}
interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}
interface Listed {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  operation: Operation;
}
interface Answer {
  statusCode: number;
  body: string;
  headers: Record<string, unknown>;
}

/** Put where a value belongs; replaced in the text, so that it may be no value at all. */
const mark = '@here@';
const oddValues = {
  unstorable: '"a\\u0000\\ud800b"',
  'no number': '1e400',
} as const;

function sampleOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf?.[0] !== undefined) return sampleOf(schema.anyOf[0]);
  const [type] = [schema.type].flat();
  if (type === 'object') return bodyOf(schema);
  if (type === 'array') return schema.items === undefined ? [] : [sampleOf(schema.items)];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return type === 'boolean' ? true : 'https://example.com/x';
}

function bodyOf({ required = [], properties = {} }: Schema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]));
}

/** Every field however deep, with a body that holds something else there. */
function* fieldsOf(
  schema: Schema,
  around: (inner: unknown) => unknown,
): Generator<{ name: string; withValue: (value: unknown) => unknown }> {
  const own = bodyOf(schema);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const withValue = (value: unknown): unknown => around({ ...own, [name]: value });
    yield { name, withValue };
    const choices = [property, ...(property.anyOf ?? [])];
    const object = choices.find((one) => one.properties);
    if (object !== undefined) yield* fieldsOf(object, withValue);
    const list = choices.find((one) => one.items);
    if (list?.items?.properties !== undefined)
      yield* fieldsOf(list.items, (inner) => withValue([inner]));
    else if (list !== undefined) yield { name, withValue: (value) => withValue([value]) };
  }
}

describe('odd input of strangers', () => {
  let app: TestApp;
  let operations: Listed[];
  let ajv: Ajv2020;
  const compiled = new Map<string, ValidateFunction>();
  const callers: Record<string, Record<string, string>> = { nobody: {} };
  const ids: Record<string, string> = {};

  before(async () => {
    const [engine] = testEngines();
    assert.ok(engine !== undefined);
    app = await buildTestApp(await engine.open());
    const advertiser = await app.newAdvertiser();
    for (const [name, key] of [
      ['advertiser', advertiser.apiKey],
      ['publisher', (await app.newPublisher()).apiKey],
    ] as const)
      callers[name] = { 'x-api-key': key, authorization: `Bearer ${key}` };
    callers['operator'] = (await signInOperator(app)).signedIn;
    await findIds();
    const api = (await app.http.inject({ url: '/openapi.json' })).json();
    ajv = new Ajv2020({ strict: false, logger: false });
    ajv.addSchema({ ...api, $id: 'https://api.example/' });
    operations = Object.entries(api.paths as Record<string, Record<string, Operation>>).flatMap(
      ([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({
          method: method.toUpperCase() as Listed['method'], // the methods our routes have
          path,
          operation,
        })),
    );
    assert.ok(operations.length > 200);
  });
  after(() => app.close());

  async function findIds(): Promise<void> {
    const made = await app.http.inject({
      method: 'POST',
      url: '/advertiser-dashboard/campaigns',
      headers: callers['advertiser'] ?? {},
      payload: {
        name: 'Shoes',
        landing_page: 'https://example.com',
        daily_budget: 5,
        ad_groups: [
          {
            name: 'All',
            group_type: 'manual',
            context: 'shoes',
            ads: [{ headline: 'Shoes', copy: 'Good ones', landing_page: 'https://example.com' }],
          },
        ],
      },
    });
    const { campaign_id: campaignId, ad_groups: groups } = made.json();
    Object.assign(ids, {
      campaign_id: campaignId,
      ad_group_id: groups[0].id,
      ad_id: groups[0].ads[0].id,
    });
  }

  const callerOf = (path: string): Record<string, string> => {
    const kind = /^\/(operator|session)/.test(path)
      ? 'operator'
      : /^\/(?:publisher|search|shop|api|ad-feedback)/.test(path)
        ? 'publisher'
        : /^\/(?:advertiser|gateway|mcp)/.test(path)
          ? 'advertiser'
          : 'nobody';
    return callers[kind] ?? {};
  };
  const addressOf = (path: string): string =>
    path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
      path.startsWith('/advertiser') && ids[name] !== undefined
        ? ids[name]
        : '00000000-0000-7000-8000-000000000000',
    );
  const send = async (one: Listed, payload: string | null, query = ''): Promise<Answer> =>
    app.http.inject({
      method: one.method,
      url: addressOf(one.path) + query,
      headers: {
        ...callerOf(one.path),
        ...(payload === null ? {} : { 'content-type': 'application/json' }),
      },
      ...(payload === null ? {} : { payload }),
    });

  /** What is wrong with an answer by its own description; null for nothing. */
  function breachOf({ method, path, operation }: Listed, answer: Answer): string | null {
    const status = String(answer.statusCode);
    const said = operation.responses[status] === undefined ? 'default' : status;
    const { content = {} } = operation.responses[said] ?? {};
    const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? '';
    if (answer.body === '' || status.startsWith('3')) return null;
    if (content[type] === undefined) return `${status} ${type} is not described`;
    if (type !== 'application/json') return null;
    // Most answers here are failures, which all have one schema.
    const place = isFailure(content[type])
      ? ['components', 'schemas', 'Error']
      : ['paths', path, method.toLowerCase(), 'responses', said, 'content', type, 'schema'];
    const pointer = place
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const check =
      compiled.get(pointer) ?? ajv.compile({ $ref: `https://api.example/#/${pointer}` });
    compiled.set(pointer, check);
    return check(JSON.parse(answer.body)) ? null : ajv.errorsText(check.errors);
  }

  const isFailure = (described: unknown): boolean =>
    JSON.stringify(described) === '{"schema":{"$ref":"#/components/schemas/Error"}}';
  const isPeoples = (path: string): boolean =>
    /^\/(?:operator|session|[a-z]+-dashboard)/.test(path);
  const endsSession = ({ method, path }: Listed): boolean =>
    path === '/session/sessions' || (method === 'DELETE' && path === '/session');

  it('no field of any body breaks anything, and what is refused is named', async () => {
    let tried = 0;
    for (const one of operations) {
      const schema = one.operation.requestBody?.content['application/json']?.schema;
      if (schema === undefined) continue;
      for (const { name, withValue } of fieldsOf(schema, (inner) => inner))
        for (const [kind, text] of Object.entries(oddValues)) {
          const payload = JSON.stringify(withValue(mark)).replace(`"${mark}"`, () => text);
          const answer = await send(one, payload);
          const what = `${one.method} ${one.path} ${name}, ${kind}: ${answer.body.slice(0, 300)}`;
          tried += 1;
          assert.ok(answer.statusCode < 500, what);
          assert.equal(breachOf(one, answer), null, what);
          if (kind !== 'unstorable' || !isPeoples(one.path)) continue;
          // The database cannot hold it: refused by name, unless something else is wrong first.
          assert.ok(answer.statusCode >= 400, what);
          if (answer.statusCode === 400)
            assert.notEqual(answer.body, '{"detail":"invalid_request"}');
        }
    }
    assert.ok(tried > 700, `${tried} tried`);
  });

  it('no parameter of any address breaks anything, and what is refused is named', async () => {
    for (const one of operations.filter(({ method }) => method === 'GET'))
      for (const { name, in: place } of one.operation.parameters ?? []) {
        if (place !== 'query') continue;
        for (const text of ['a%00b', '1e400', `x&${name}=y`]) {
          const answer = await send(one, null, `?${name}=${text}`);
          const what = `${one.path} ${name}=${text}: ${answer.body.slice(0, 300)}`;
          assert.ok(answer.statusCode < 500, what);
          assert.equal(breachOf(one, answer), null, what);
          assert.notEqual(answer.body, '{"detail":"invalid_request"}', what);
        }
      }
  });

  it('every operation answers as it says it does, also to what is no object', async () => {
    for (const one of operations.filter((each) => !endsSession(each))) {
      const texts = one.method === 'GET' ? [null] : ['', '[]', '{"a":'];
      for (const text of texts) {
        const answer = await send(one, text);
        const what = `${one.method} ${one.path} ${String(text)}: ${answer.statusCode} ${answer.body.slice(0, 200)}`;
        assert.ok(answer.statusCode < 500, what);
        assert.equal(breachOf(one, answer), null, what);
      }
    }
  });

  it('what is filled in for who leaves it out is not asked for', () => {
    const asked = operations.flatMap(({ method, path, operation }) => [
      ...(operation.parameters ?? [])
        .filter((one) => one.required === true && one.schema?.default !== undefined)
        .map(({ name }) => `${method} ${path} ${name}`),
      ...[operation.requestBody?.content['application/json']?.schema ?? {}].flatMap(
        ({ required = [], properties = {} }) =>
          required
            .filter((name) => properties[name]?.default !== undefined)
            .map((name) => `${method} ${path} ${name}`),
      ),
    ]);
    assert.deepEqual(asked, []);
  });

  it('null for everything an edit may leave out changes nothing that cannot be empty', async () => {
    const call = async (method: 'GET' | 'PATCH', url: string, payload?: object) =>
      (
        await app.http.inject({
          method,
          url: `/advertiser-dashboard/${url}`,
          headers: callers['advertiser'] ?? {},
          ...(payload === undefined ? {} : { payload }),
        })
      ).json();
    const group = `ad-groups/${ids['ad_group_id']}`;
    await call('PATCH', group, { status: 'paused', auto_optimize_budget: false });
    const empty = { group_type: null, status: null, auto_optimize_budget: null };
    const edited = await call('PATCH', group, { name: 'Other', ...empty });
    assert.deepEqual(
      [edited.name, edited.group_type, edited.status, edited.auto_optimize_budget],
      ['Other', 'manual', 'paused', false],
    );
    await call('PATCH', `ads/${ids['ad_id']}`, { status: 'paused' });
    assert.equal((await call('PATCH', `ads/${ids['ad_id']}`, { status: null })).status, 'paused');
  });

  it('a limit whose name is misspelt is refused by name', async () => {
    for (const [field, given] of [
      ['brand_safety', { excluded_category: ['1'] }],
      ['frequency_cap', { per_sesion: 2 }],
    ] as const) {
      const answer = await app.http.inject({
        method: 'PATCH',
        url: `/advertiser-dashboard/campaigns/${ids['campaign_id']}`,
        headers: callers['advertiser'] ?? {},
        payload: { [field]: given },
      });
      assert.equal(answer.statusCode, 422);
      assert.deepEqual(answer.json().detail[0].loc, ['body', field, Object.keys(given)[0]]);
    }
  });

  it('of two dates the wrong one is named', async () => {
    for (const path of ['metrics', 'events/analytics', 'events/conversion-stats']) {
      const answer = await app.http.inject({
        url: `/advertiser-dashboard/${path}?start_date=2026-02-01&end_date=2026-02-30`,
        headers: callers['advertiser'] ?? {},
      });
      assert.deepEqual(answer.json().detail[0].loc, ['query', 'end_date'], path);
    }
  });
});
