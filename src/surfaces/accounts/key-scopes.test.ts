import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { addPerson } from './open-account.js';

for (const engine of testEngines()) {
  describe(`keys with limits on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    async function owner(role: 'advertiser' | 'publisher') {
      const account = await (role === 'advertiser' ? app.newAdvertiser() : app.newPublisher());
      const email = `${role}-${account.id}@test.example`;
      await app.db.transaction((tx) =>
        addPerson(
          { tx, mintId: app.services.mintId, now: app.clock.now },
          { email, password: 'correct horse', role, accountId: account.id },
        ),
      );
      const session = await app.http.inject({
        method: 'POST',
        url: '/session',
        payload: { email, password: 'correct horse' },
      });
      const headers = {
        cookie: String(session.headers['set-cookie']).split(';')[0] ?? '',
        'x-csrf-token': String(session.json().csrf_token),
      };
      return (payload: object) =>
        app.http.inject({ method: 'POST', url: '/session/keys', headers, payload });
    }
    const status = async (
      key: string,
      method: 'GET' | 'POST',
      url: string,
      payload?: object,
    ): Promise<string> => {
      const answer = await app.http.inject({
        method,
        url,
        headers: { 'x-api-key': key, authorization: `Bearer ${key}` },
        ...(payload === undefined ? {} : { payload }),
      });
      return answer.statusCode === 403 ? String(answer.json().detail) : 'passed';
    };

    it('an advertiser’s key does only what its scopes say', async () => {
      const mint = await owner('advertiser');
      const doors = (key: string) =>
        Promise.all([
          status(key, 'GET', '/advertiser-dashboard/campaigns'),
          status(key, 'POST', '/advertiser-dashboard/campaigns', {}),
          status(key, 'POST', '/advertiser-dashboard/credits', { amount_dollars: 20 }),
          status(key, 'POST', '/gateway/events', { data: [] }),
        ]);
      const no = 'insufficient_scope';
      for (const [scopes, expected] of [
        [['read'], ['passed', no, no, no]],
        [['manage'], [no, 'passed', no, no]],
        [['billing'], [no, no, 'passed', no]],
        [['conversions'], [no, no, no, 'passed']],
        [undefined, ['passed', 'passed', 'passed', 'passed']],
      ] as const) {
        const made = await mint(scopes === undefined ? {} : { scopes });
        assert.equal(made.statusCode, 201, made.body);
        assert.deepEqual(await doors(made.json().api_key), expected);
      }
      for (const scopes of [[], ['serve'], ['everything']])
        assert.equal((await mint({ scopes })).statusCode, 422);
    });

    it('a publisher’s key does only what its scopes say', async () => {
      const mint = await owner('publisher');
      const doors = (key: string) =>
        Promise.all([
          status(key, 'POST', '/api/v1/ad', {}),
          status(key, 'POST', '/search', {}),
          status(key, 'GET', '/publisher-dashboard/stats'),
        ]);
      const no = 'insufficient_scope';
      for (const [scope, expected] of [
        ['serve', ['passed', no, no]],
        ['search', [no, 'passed', no]],
        ['read', [no, no, 'passed']],
      ] as const)
        assert.deepEqual(await doors((await mint({ scopes: [scope] })).json().api_key), expected);
    });

    it('a key stops at its end, in memory and out of it', async () => {
      const mint = await owner('advertiser');
      const ends = app.clock.now + 60_000;
      const made = await mint({ expires_at: new Date(ends).toISOString() });
      const ask = async () =>
        (
          await app.http.inject({
            url: '/advertiser-dashboard/leads',
            headers: { 'x-api-key': String(made.json().api_key) },
          })
        ).statusCode;
      assert.equal(await ask(), 200);
      app.clock.now = ends;
      assert.equal(await ask(), 401);
      for (const expires_at of ['never', new Date(ends - 1).toISOString()])
        assert.equal((await mint({ expires_at })).statusCode, 422);
    });
  });
}
