import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { addPerson } from './open-account.js';

for (const engine of testEngines()) {
  describe(`accounts on the ${engine.name} engine`, () => {
    let app: TestApp;
    let people = 0;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    const signIn = (email: string, password: string, address = '8.8.8.8') =>
      app.http.inject({
        method: 'POST',
        url: '/session',
        headers: { 'x-forwarded-for': address },
        payload: { email, password },
      });
    async function newPerson() {
      const account = await app.newAdvertiser();
      people += 1;
      const email = `person${people}@test.example`;
      await app.db.transaction((tx) =>
        addPerson(
          { tx, mintId: app.services.mintId, now: app.clock.now },
          { email, password: 'correct horse', role: 'advertiser', accountId: account.id },
        ),
      );
      return { email, account };
    }
    async function signedIn() {
      const { email, account } = await newPerson();
      const answer = await signIn(email, 'correct horse', `9.9.9.${people}`);
      assert.equal(answer.statusCode, 200, answer.body);
      const setCookie = String(answer.headers['set-cookie']);
      const cookie = setCookie.split(';')[0] ?? '';
      return {
        email,
        account,
        setCookie,
        cookie,
        csrf: String(answer.json().csrf_token),
        headers: { cookie, 'x-csrf-token': String(answer.json().csrf_token) },
      };
    }
    const works = async (key: string): Promise<boolean> =>
      (await app.http.inject({ url: '/advertiser-dashboard/leads', headers: { 'x-api-key': key } }))
        .statusCode === 200;

    it('open with the right password only, and do not tell who exists', async () => {
      const { email } = await newPerson();
      const wrong = await signIn(email, 'wrong');
      const unknown = await signIn('nobody@test.example', 'wrong');
      assert.deepEqual([wrong.statusCode, wrong.json()], [unknown.statusCode, unknown.json()]);
      assert.equal(wrong.statusCode, 401);
      assert.equal((await signIn(` ${email.toUpperCase()} `, 'correct horse')).statusCode, 200);
      for (const payload of [
        {},
        { email },
        { email, password: 5 },
        { email: '', password: 'x' },
        [],
      ])
        assert.equal(
          (await app.http.inject({ method: 'POST', url: '/session', payload })).statusCode,
          422,
        );
      assert.ok((await signIn('a\u0000b', 'x\u0000')).statusCode < 500);
    });

    it('give a session in a cookie scripts cannot read, valid until signed out', async () => {
      const { setCookie, headers, email } = await signedIn();
      for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/'])
        assert.ok(setCookie.includes(part));
      const who = await app.http.inject({ url: '/session', headers });
      assert.deepEqual([who.json().email, who.json().role], [email, 'advertiser']);
      const out = await app.http.inject({ method: 'DELETE', url: '/session', headers });
      assert.equal(out.statusCode, 204);
      assert.match(String(out.headers['set-cookie']), /Max-Age=0/);
      assert.equal((await app.http.inject({ url: '/session', headers })).statusCode, 401);
    });

    it('end their sessions after a week, when revoked, and when the person is disabled', async () => {
      const status = async (cookie: string) =>
        (await app.http.inject({ url: '/session', headers: { cookie } })).statusCode;
      const one = await signedIn();
      assert.equal(await status(one.cookie), 200);
      assert.equal(await status(`other=1; ${one.cookie}; more=2`), 200);
      assert.equal(await status(`${one.cookie}x`), 401);
      await app.db.query(`update people set disabled_at = now() where email = $1`, [one.email]);
      assert.equal(await status(one.cookie), 401);
      const two = await signedIn();
      app.clock.now += 7 * 86_400_000 + 1;
      assert.equal(await status(two.cookie), 401);
    });

    it('change nothing without the session’s CSRF token', async () => {
      const { cookie, csrf } = await signedIn();
      const other = await signedIn();
      for (const token of [undefined, '', 'x', other.csrf, `${csrf}x`]) {
        const answer = await app.http.inject({
          method: 'POST',
          url: '/session/keys',
          headers: { cookie, ...(token === undefined ? {} : { 'x-csrf-token': token }) },
          payload: {},
        });
        assert.deepEqual([answer.statusCode, answer.json()], [403, { detail: 'csrf_rejected' }]);
      }
      assert.equal(
        (
          await app.http.inject({
            method: 'POST',
            url: '/session/keys',
            headers: { cookie, 'x-csrf-token': csrf },
            payload: {},
          })
        ).statusCode,
        201,
      );
    });

    it('show a new key once and keep only its hash', async () => {
      const { headers, account } = await signedIn();
      const made = await app.http.inject({
        method: 'POST',
        url: '/session/keys',
        headers,
        payload: { name: 'second' },
      });
      assert.equal(made.statusCode, 201);
      const key = String(made.json().api_key);
      assert.equal(await works(key), true);
      assert.equal(await works(account.apiKey), true);
      const listed = await app.http.inject({ url: '/session/keys', headers });
      assert.equal(listed.json().length, 2);
      assert.equal(listed.body.includes(key), false);
      const rows = await app.db.query<{ text: string }>(`select k::text as text from api_keys k`);
      assert.equal(
        rows.some((row) => row.text.includes(key)),
        false,
      );
    });

    it('replace and revoke keys at once, their own only', async () => {
      const { headers, account } = await signedIn();
      const [{ id }] = (await app.http.inject({ url: '/session/keys', headers })).json();
      const stranger = await signedIn();
      assert.equal(
        (
          await app.http.inject({
            method: 'POST',
            url: `/session/keys/${id}/regenerate`,
            headers: stranger.headers,
          })
        ).statusCode,
        404,
      );
      assert.equal(
        (
          await app.http.inject({
            method: 'DELETE',
            url: `/session/keys/${id}`,
            headers: stranger.headers,
          })
        ).statusCode,
        404,
      );
      assert.equal(
        (await app.http.inject({ method: 'DELETE', url: '/session/keys/nonsense', headers }))
          .statusCode,
        404,
      );
      const replaced = await app.http.inject({
        method: 'POST',
        url: `/session/keys/${id}/regenerate`,
        headers,
      });
      assert.equal(replaced.statusCode, 200);
      const fresh = String(replaced.json().api_key);
      assert.deepEqual([await works(account.apiKey), await works(fresh)], [false, true]);
      assert.equal(
        (await app.http.inject({ method: 'POST', url: `/session/keys/${id}/regenerate`, headers }))
          .statusCode,
        404,
      );
      const [{ id: freshId }] = (await app.http.inject({ url: '/session/keys', headers })).json();
      assert.equal(
        (await app.http.inject({ method: 'DELETE', url: `/session/keys/${freshId}`, headers }))
          .statusCode,
        204,
      );
      assert.equal(await works(fresh), false);
    });

    it('that are blocked are refused, by key and by session', async () => {
      const { headers, account } = await signedIn();
      await app.db.query(`update advertisers set status = 'blocked' where id = $1`, [account.id]);
      await app.services.directory.refresh();
      for (const credentials of [headers, { 'x-api-key': account.apiKey }]) {
        const answer = await app.http.inject({
          url: '/advertiser-dashboard/leads',
          headers: credentials,
        });
        assert.deepEqual([answer.statusCode, answer.json()], [403, { detail: 'account_blocked' }]);
      }
    });
  });
}
