import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { signInOperator } from '../support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  minimum?: number;
  properties?: Record<string, Schema>;
  'x-fixed'?: string;
}
interface Operation {
  requestBody?: { content: Record<string, { schema: Schema }> };
}
type Fields = Record<string, unknown>;

/** Edits whose creation has another name; every other is found by the name of the collection. */
const madeBy: Record<string, string> = {
  '/operator/advertisers/{id}': '/operator/accounts',
  '/operator/publishers/{id}': '/operator/accounts',
  '/operator/people/{id}': '/session/team/invitations',
  '/operator/catalog/merchants/{id}': '/operator/catalog/feeds',
  '/session/team/{id}': '/session/team/invitations',
};

/**
 * Ignored like any field a client sends beyond those of the edit: a campaign is billed as it was
 * created, is active by its status, and has doors of their own for its groups and units.
 */
const ignored: Record<string, readonly string[]> = {
  '/advertiser-dashboard/campaigns/{campaign_id}': [
    'billing_model',
    'is_active',
    'ad_groups',
    'ad_unit_ids',
  ],
};

/** Another value of each field that takes more than its type to be right. */
const others: Fields = {
  status: 'paused',
  landing_page: 'https://example.com/other',
  image_url: 'https://example.com/other.png',
  custom_favicon_url: 'https://example.com/icon.png',
  url: 'https://example.com/other-hook',
  start_time: '2027-01-01T00:00:00',
  end_time: '2028-01-01T00:00:00',
  demographics: { genders: ['female'] },
  brand_safety: { excluded_publishers: ['00000000-0000-7000-8000-000000000000'] },
  frequency_cap: { per_session: 2 },
  utm_params: { utm_source: 'other' },
  allowed_countries: ['DE'],
  allowed_devices: ['mobile'],
  lead_form_config: {
    title: 'Ask us',
    fields: [{ name: 'email', label: 'E-mail', type: 'email', required: true }],
    privacy_policy_url: 'https://example.com/privacy',
  },
  ad_groups: [{ name: 'Another', context: 'socks' }],
  ad_unit_ids: ['00000000-0000-7000-8000-000000000000'],
  ads: [{ headline: 'Another', copy: 'Another text', landing_page: 'https://example.com' }],
  alert_types: ['webhook.test'],
};

function otherThan(name: string, schema: Schema, now: unknown): unknown {
  if (Object.hasOwn(others, name)) return others[name];
  const values = (schema.enum ?? []).filter((value) => value !== null && value !== now);
  if (values.length > 0) return values[0];
  const types = [schema.type].flat();
  if (types.includes('boolean')) return now !== true;
  if (types.includes('integer') || types.includes('number')) return 7;
  return `Another ${name}`;
}

describe('what creation takes, an edit takes or refuses by name', () => {
  let app: TestApp;
  let paths: Record<string, Record<string, Operation>>;
  before(async () => {
    const [engine] = testEngines();
    assert.ok(engine !== undefined);
    app = await buildTestApp(await engine.open());
    paths = (await app.http.inject({ url: '/openapi.json' })).json().paths;
  });
  after(() => app.close());

  const bodyOf = (method: string, path: string): Schema | undefined =>
    paths[path]?.[method]?.requestBody?.content['application/json']?.schema;

  /** Edits of one thing, with how such a thing is made. */
  const pairs = (): { path: string; made: Fields; edit: Record<string, Schema> }[] =>
    Object.keys(paths).flatMap((path) => {
      const edit = bodyOf('patch', path)?.properties;
      if (edit === undefined || !path.endsWith('}')) return [];
      const collection = path.slice(0, path.lastIndexOf('/'));
      const name = collection.slice(collection.lastIndexOf('/'));
      const door =
        madeBy[path] ??
        [collection, ...Object.keys(paths).filter((one) => one.endsWith(name))].find(
          (one) => bodyOf('post', one) !== undefined,
        );
      assert.ok(door !== undefined, `nothing makes what PATCH ${path} edits`);
      return [{ path, made: { ...bodyOf('post', door)?.properties }, edit }];
    });

  it('every field of a creation is a field of the edit', () => {
    const found = pairs();
    assert.ok(found.length >= 9, `${found.length} edits`);
    for (const { path, made, edit } of found)
      assert.deepEqual(
        Object.keys(made).filter((name) => edit[name] === undefined),
        ignored[path] ?? [],
        `PATCH ${path} drops these without a word`,
      );
  });

  /** Sends one field after the other: each is changed, or refused by its name. */
  async function tryEach(
    path: string,
    url: string,
    call: (method: 'GET' | 'PATCH', url: string, body?: Fields) => Promise<Answer>,
    read: () => Promise<Fields>,
  ): Promise<string[]> {
    const refused: string[] = [];
    const pair = pairs().find((one) => one.path === path);
    assert.ok(pair !== undefined, path);
    for (const name of Object.keys(pair.made)) {
      if (name === 'while_in_review') continue; // how to edit, not what
      const before = await read();
      const value = otherThan(name, pair.edit[name] ?? {}, before[name]);
      const answer = await call('PATCH', url, { [name]: value });
      if (answer.status === 422) {
        assert.match(JSON.stringify(answer.body), new RegExp(`"${name}"`), `${path} ${name}`);
        refused.push(name);
        continue;
      }
      assert.equal(answer.status, 200, `${path} ${name}: ${JSON.stringify(answer.body)}`);
      const now = await read();
      if (ignored[path]?.includes(name) === true) assert.deepEqual(now[name], before[name]);
      else assert.notDeepEqual(now[name], before[name], `${path} ${name} stayed as it was`);
    }
    return refused;
  }

  interface Answer {
    status: number;
    body: Fields;
  }
  const as =
    (headers: Record<string, string>) =>
    async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: Fields): Promise<Answer> => {
      const answer = await app.http.inject({
        method,
        url,
        headers,
        ...(payload === undefined ? {} : { payload }),
      });
      return { status: answer.statusCode, body: answer.json() as Fields };
    };

  const root = '/advertiser-dashboard';
  const newCampaign = async () => {
    const call = as({ 'x-api-key': (await app.newAdvertiser()).apiKey });
    const made = await call('POST', `${root}/campaigns`, {
      name: 'Shoes',
      landing_page: 'https://example.com',
      daily_budget: 5,
      ad_groups: [
        {
          name: 'All',
          group_type: 'manual',
          context: 'running shoes',
          ads: [{ headline: 'Shoes', copy: 'Shoes', landing_page: 'https://example.com' }],
        },
      ],
    });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const [group] = made.body['ad_groups'] as { id: string; ads: { id: string }[] }[]; // as asked
    return { call, id: String(made.body['campaign_id']), group };
  };

  it('campaigns', async () => {
    const { call, id } = await newCampaign();
    const url = `${root}/campaigns/${id}`;
    const read = async () => (await call('GET', url)).body;
    assert.deepEqual(await tryEach(`${root}/campaigns/{campaign_id}`, url, call, read), []);
    // What was read may be sent back with one thing changed.
    const whole = await read();
    const back = await call('PATCH', url, { ...whole, name: 'Boots' });
    assert.equal(back.status, 200, JSON.stringify(back.body));
    assert.deepEqual(
      { ...(await read()), updated_at: null },
      { ...whole, name: 'Boots', updated_at: null },
    );
    // Null clears.
    await call('PATCH', url, { demographics: null, click_goal: null, conversion_type: null });
    const cleared = await read();
    assert.deepEqual(
      [cleared['demographics'], cleared['click_goal'], cleared['conversion_type']],
      [null, null, null],
    );
    const wrong = await call('PATCH', url, { demographics: { gender: ['female'] } });
    assert.equal(wrong.status, 422);
    assert.match(JSON.stringify(wrong.body), /did you mean genders/);
  });

  it('ad groups and ads', async () => {
    const { call, group } = await newCampaign();
    assert.ok(group !== undefined);
    const groupUrl = `${root}/ad-groups/${group.id}`;
    const read = async () => (await call('GET', groupUrl)).body;
    assert.deepEqual(await tryEach(`${root}/ad-groups/{ad_group_id}`, groupUrl, call, read), [
      'campaign_id',
      'group_type',
    ]);
    const [ad] = (await read())['ads'] as Fields[]; // an ad group holds its ads
    const adUrl = `${root}/ads/${String(ad?.['id'])}`;
    const readAd = async () =>
      ((await read())['ads'] as Fields[]).find((one) => one['id'] === ad?.['id']) ?? {};
    assert.deepEqual(await tryEach(`${root}/ads/{ad_id}`, adUrl, call, readAd), []);
  });

  it('webhooks', async () => {
    for (const [side, opened] of [
      ['advertiser', await app.newAdvertiser()],
      ['publisher', await app.newPublisher()],
    ] as const) {
      const call = as({ 'x-api-key': opened.apiKey, authorization: `Bearer ${opened.apiKey}` });
      const door = `/${side}-dashboard/webhooks`;
      const { body } = await call('POST', door, { url: 'https://example.com/hook' });
      const read = async () => {
        const { webhooks } = (await call('GET', door)).body as { webhooks: Fields[] }; // its schema
        return webhooks[0] ?? {};
      };
      const url = `${door}/${String(body['id'])}`;
      assert.deepEqual(await tryEach(`${door}/{webhook_id}`, url, call, read), []);
    }
  });

  it('accounts, people and merchants say what cannot be changed, and why', async () => {
    const call = await signInOperator(app);
    const id = '00000000-0000-7000-8000-000000000000';
    const refused = pairs()
      .filter(({ path }) => path.startsWith('/operator/'))
      .flatMap(({ path, edit }) =>
        Object.entries(edit).flatMap(([name, schema]) =>
          schema['x-fixed'] === undefined ? [] : [{ path, name, why: schema['x-fixed'] }],
        ),
      );
    assert.ok(refused.length > 10);
    for (const { path, name, why } of refused) {
      const answer = await call('PATCH', path.replace('{id}', id), { [name]: 'Another' });
      assert.equal(answer.status, 422, `${path} ${name}`);
      assert.deepEqual(answer.body, {
        detail: [{ type: 'not_accepted', loc: ['body', name], msg: why }],
      });
      // Null is leaving it out; nobody has this id.
      assert.equal((await call('PATCH', path.replace('{id}', id), { [name]: null })).status, 404);
    }
  });

  it('a change of many names what it does not take', async () => {
    const { call, id, group } = await newCampaign();
    for (const [door, ids] of [
      ['campaigns', { campaign_ids: [id] }],
      ['ad-groups', { ad_group_ids: [group?.id] }],
      ['ads', { ad_ids: [group?.ads[0]?.id] }],
    ] as const) {
      const answer = await call('POST', `${root}/${door}/bulk`, {
        ...ids,
        changes: { status: 'paused', name: 5 },
      });
      assert.equal(answer.status, 422, `${door}: ${JSON.stringify(answer.body)}`);
      assert.match(JSON.stringify(answer.body), /"changes","name"/);
    }
  });
});
