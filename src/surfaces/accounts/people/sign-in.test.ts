import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildTestApp, type TestApp } from '../../../../test/support/test-app.js';
import { testEngines } from '../../../../test/support/test-database.js';
import { totpCode, totpStepMs } from '../../../domain/totp.js';
import { safeRounds, usePasswordRounds } from '../../../platform/auth/password.js';
import { addPerson } from '../open-account.js';

const right = 'correct horse battery';

/** What a browser keeps and sends back. */
class Jar {
  readonly cookies = new Map<string, string>();
  take(answer: { headers: Record<string, unknown> }): void {
    const set = answer.headers['set-cookie'];
    for (const line of Array.isArray(set) ? set : [set]) {
      const [name, value] = String(line).split(';')[0]?.split('=') ?? [];
      if (name !== undefined && value !== undefined) this.cookies.set(name, value);
    }
  }
  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}

for (const engine of testEngines()) {
  describe(`signing in on the ${engine.name} engine`, () => {
    let app: TestApp;
    let people = 0;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    async function newPerson(role: 'advertiser' | 'operator' = 'advertiser') {
      people += 1;
      const email = `door${people}@test.example`;
      const account = role === 'operator' ? null : await app.newAdvertiser();
      const id = await app.db.transaction((tx) =>
        addPerson(
          { tx, mintId: app.services.mintId, now: app.clock.now },
          { email, password: right, role, accountId: account?.id ?? null },
        ),
      );
      return { id, email, account };
    }
    const signIn = (
      email: string,
      password: string,
      { from = '8.8.8.8', jar, code }: { from?: string; jar?: Jar; code?: string } = {},
    ) =>
      app.http.inject({
        method: 'POST',
        url: '/session',
        headers: { 'x-forwarded-for': from, ...(jar === undefined ? {} : { cookie: jar.header }) },
        payload: { email, password, ...(code === undefined ? {} : { code }) },
      });
    async function signedIn(role: 'advertiser' | 'operator' = 'advertiser', from = '7.7.7.7') {
      const person = await newPerson(role);
      const jar = new Jar();
      const answer = await signIn(person.email, right, { from });
      assert.equal(answer.statusCode, 200, answer.body);
      jar.take(answer);
      const csrf = String(answer.json().csrf_token);
      const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
        app.http.inject({
          method,
          url,
          headers: { cookie: jar.header, 'x-csrf-token': csrf },
          ...(payload === undefined ? {} : { payload }),
        });
      return { ...person, jar, call, csrf };
    }
    const audit = (personId: string) =>
      app.db.query<{ action: string; entity: string; actorId: string; after: unknown }>(
        `select action, entity, actor_id as "actorId", after
         from audit_log
         where actor_id = $1
         order by at, id`,
        [personId],
      );

    it('ten wrong passwords from one network do not lock the owner out elsewhere', async () => {
      const { email } = await newPerson();
      for (let guess = 0; guess < 10; guess += 1)
        assert.equal((await signIn(email, 'guess', { from: '1.1.1.1' })).statusCode, 401);
      const limited = await signIn(email, right, { from: '1.1.1.1' });
      assert.equal(limited.statusCode, 429);
      assert.ok(Number(limited.headers['retry-after']) > 0);
      assert.equal((await signIn(email, right, { from: '1.1.1.2' })).statusCode, 200);
      app.clock.now += 15 * 60_000;
      assert.equal((await signIn(email, right, { from: '1.1.1.1' })).statusCode, 200);
    });

    it('addresses of one IPv6 household are one network', async () => {
      const { email } = await newPerson();
      for (let guess = 0; guess < 10; guess += 1)
        await signIn(email, 'guess', { from: `2001:db8:5:6::${guess + 1}` });
      assert.equal((await signIn(email, right, { from: '2001:db8:5:6::ff' })).statusCode, 429);
      assert.equal((await signIn(email, right, { from: '2001:db8:5:7::1' })).statusCode, 200);
    });

    it('guesses from everywhere stop strangers, and a device known before gets through', async () => {
      const owner = await signedIn();
      const stranger = await signedIn();
      for (let guess = 0; guess < 100; guess += 1)
        await app.services.rateLimit.take(`login:person:${owner.id}`, 100, 3_600_000);
      assert.equal((await signIn(owner.email, right, { from: '3.3.3.1' })).statusCode, 429);
      const known = await signIn(owner.email, right, { from: '3.3.3.2', jar: owner.jar });
      assert.equal(known.statusCode, 200);
      const other = await signIn(owner.email, right, { from: '3.3.3.3', jar: stranger.jar });
      assert.equal(other.statusCode, 429);
      const forged = new Jar();
      forged.cookies.set('sidelight_device', `x${owner.jar.cookies.get('sidelight_device')}`);
      const fake = await signIn(owner.email, right, { from: '3.3.3.4', jar: forged });
      assert.equal(fake.statusCode, 429);
    });

    it('a network that tries many accounts is stopped, however many it gets right', async () => {
      const mine = await newPerson();
      for (let guess = 0; guess < 99; guess += 1)
        await app.services.rateLimit.take('login:network:4.4.4.4', 100, 900_000);
      assert.equal((await signIn(mine.email, right, { from: '4.4.4.4' })).statusCode, 200);
      assert.equal((await signIn('a@test.example', 'x', { from: '4.4.4.4' })).statusCode, 401);
      assert.equal((await signIn(mine.email, right, { from: '4.4.4.4' })).statusCode, 429);
    });

    it('neighbours who use a network’s tries up do not lock a known device out', async () => {
      const owner = await signedIn();
      for (let guess = 0; guess < 100; guess += 1)
        await app.services.rateLimit.take('login:network:4.4.5.5', 100, 900_000);
      const there = { from: '4.4.5.5' };
      assert.equal((await signIn(owner.email, right, there)).statusCode, 429);
      const known = { ...there, jar: owner.jar };
      assert.equal((await signIn(owner.email, right, known)).statusCode, 200);
      for (let guess = 0; guess < 10; guess += 1)
        assert.equal((await signIn(owner.email, 'guess', known)).statusCode, 401);
      assert.equal((await signIn(owner.email, right, known)).statusCode, 429);
    });

    it('a hundred passwords at once: few are hashed, some wait, the rest is told to come back', async () => {
      usePasswordRounds(safeRounds);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          signIn(`flood${index}@test.example`, 'x', { from: `5.5.${index}.1` }),
        ),
      ).finally(() => usePasswordRounds(1024));
      const refused = answers.filter(({ statusCode }) => statusCode === 503);
      // How many are hashed before the last one asks is a matter of the machine.
      assert.ok(refused.length >= 25, `${refused.length} of 100 refused`);
      assert.ok(refused.every(({ headers }) => Number(headers['retry-after']) > 0));
      assert.ok(answers.every(({ statusCode }) => [401, 503].includes(statusCode)));
    });

    it('a page of another site can neither sign a visitor in nor use a session', async () => {
      const { email, jar, csrf } = await signedIn();
      const payload = { email, password: right };
      const status = async (headers: Record<string, string>, body: object | string = payload) =>
        (await app.http.inject({ method: 'POST', url: '/session', headers, payload: body }))
          .statusCode;
      assert.equal(
        await status({ 'content-type': 'text/plain' }, JSON.stringify(payload)),
        415,
        'a form can send text',
      );
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ] as Record<string, string>[])
        assert.equal(await status(headers), 403, JSON.stringify(headers));
      assert.equal(await status({ 'sec-fetch-site': 'same-origin' }), 200);
      assert.equal(await status({ origin: 'https://ads.example', host: 'ads.example' }), 200);
      for (const [method, url] of [
        ['POST', '/session/keys'],
        ['GET', '/session'],
        ['GET', '/dashboard/boot'],
        ['GET', '/advertiser-dashboard/leads'],
        ['POST', '/playground/ad'],
      ] as const) {
        const answer = await app.http.inject({
          method,
          url,
          headers: { cookie: jar.header, 'x-csrf-token': csrf, 'sec-fetch-site': 'cross-site' },
          ...(method === 'POST' ? { payload: {} } : {}),
        });
        assert.deepEqual([answer.statusCode, answer.json()], [403, { detail: 'cross_site' }], url);
      }
    });

    it('operators sign in again after twelve hours, others after a week', async () => {
      const operator = await signedIn('operator');
      const person = await signedIn();
      app.clock.now += 12 * 3_600_000 + 1;
      assert.equal((await operator.call('GET', '/session')).statusCode, 401);
      assert.equal((await person.call('GET', '/session')).statusCode, 200);
    });

    it('asks for a code once a second factor is confirmed, and takes each code once', async () => {
      const me = await signedIn('advertiser', '6.6.6.1');
      const secretOf = (uri: string) => fromBase32(new URL(uri).searchParams.get('secret') ?? '');
      const wrongPassword = await me.call('POST', '/session/second-factor', { password: 'x' });
      assert.equal(wrongPassword.statusCode, 422);
      const offer = (await me.call('POST', '/session/second-factor', { password: right })).json();
      assert.ok(offer.qr.size > 20 && offer.qr.path.startsWith('M'));
      const secret = secretOf(offer.uri);
      const code = () => totpCode(secret, Math.floor(app.clock.now / totpStepMs));
      // Not confirmed yet: signing in goes on as before.
      assert.equal((await signIn(me.email, right, { from: '6.6.6.2' })).statusCode, 200);
      const confirmed = await me.call('POST', '/session/second-factor/confirm', { code: code() });
      assert.equal(confirmed.statusCode, 200, confirmed.body);
      const spare: string[] = confirmed.json().recovery_codes;
      assert.equal(new Set(spare).size, 10);
      const asked = await signIn(me.email, right, { from: '6.6.6.2' });
      assert.deepEqual([asked.statusCode, asked.json().detail], [401, 'second_factor_required']);
      const wrong = await signIn(me.email, 'wrong', { from: '6.6.6.2', code: code() });
      assert.equal(wrong.json().detail, 'invalid_credentials');
      app.clock.now += totpStepMs;
      const first = code();
      assert.equal(
        (await signIn(me.email, right, { from: '6.6.6.3', code: first })).statusCode,
        200,
      );
      assert.equal(
        (await signIn(me.email, right, { from: '6.6.6.3', code: first })).statusCode,
        401,
      );
      const lower = spare[0]?.toLowerCase() ?? '';
      assert.equal(
        (await signIn(me.email, right, { from: '6.6.6.4', code: lower })).statusCode,
        200,
      );
      assert.equal(
        (await signIn(me.email, right, { from: '6.6.6.4', code: lower })).statusCode,
        401,
      );
      const state = (await me.call('GET', '/session/second-factor')).json();
      assert.deepEqual(state, { enabled: true, recovery_codes_left: 9 });
      const again = await me.call('POST', '/session/second-factor', { password: right });
      assert.equal(again.statusCode, 409);
      for (let guess = 0; guess < 5; guess += 1)
        await signIn(me.email, right, { from: '6.6.6.9', code: '000000' });
      const guessed = await signIn(me.email, right, { from: '6.6.6.9', code: spare[1] ?? '' });
      assert.equal(guessed.statusCode, 429);
      const body = { password: right, code: spare[2] };
      assert.equal((await me.call('POST', '/session/second-factor/remove', body)).statusCode, 204);
      assert.equal((await signIn(me.email, right, { from: '6.6.6.5' })).statusCode, 200);
    });

    it('a new password ends every other session', async () => {
      const me = await signedIn();
      const elsewhere = new Jar();
      elsewhere.take(await signIn(me.email, right, { from: '9.1.1.1' }));
      const change = (current: string, next: string) =>
        me.call('POST', '/session/password', { current_password: current, new_password: next });
      assert.equal((await change('wrong', 'another horse battery')).statusCode, 422);
      assert.equal((await change(right, 'short')).statusCode, 422);
      assert.equal((await change(right, right)).statusCode, 422);
      assert.equal((await change(right, 'another horse battery')).statusCode, 204);
      assert.equal((await me.call('GET', '/session')).statusCode, 200);
      const cookie = elsewhere.header;
      const other = await app.http.inject({ url: '/session', headers: { cookie } });
      assert.equal(other.statusCode, 401);
      assert.equal((await signIn(me.email, right)).statusCode, 401);
      assert.equal((await signIn(me.email, 'another horse battery')).statusCode, 200);
    });

    it('lists sessions, ends one, and signs out everywhere', async () => {
      const me = await signedIn();
      const stranger = await signedIn();
      const jars = [new Jar(), new Jar()];
      for (const [index, jar] of jars.entries())
        jar.take(await signIn(me.email, right, { from: `9.2.2.${index}` }));
      const list = async () => (await me.call('GET', '/session/sessions')).json().sessions;
      const all: { id: string; address: string; is_current: boolean }[] = await list();
      assert.equal(all.length, 3);
      assert.equal(all.filter((one) => one.is_current).length, 1);
      const other = all.find((one) => one.address === '9.2.2.0')?.id ?? '';
      assert.equal((await stranger.call('DELETE', `/session/sessions/${other}`)).statusCode, 404);
      assert.equal((await me.call('DELETE', `/session/sessions/${other}`)).statusCode, 204);
      assert.equal((await list()).length, 2);
      assert.deepEqual((await me.call('DELETE', '/session/sessions')).json(), { ended: 2 });
      for (const jar of [me.jar, ...jars]) {
        const { statusCode } = await app.http.inject({
          url: '/session',
          headers: { cookie: jar.header },
        });
        assert.equal(statusCode, 401);
      }
      assert.equal((await stranger.call('GET', '/session')).statusCode, 200);
    });

    it('failed sign-ins stand in the audit log with the network, and not what was typed', async () => {
      const { id, email, account } = await newPerson();
      await signIn(email, 'a wrong one', { from: '6.5.4.3' });
      await signIn('my-secret-password', 'a wrong one', { from: '6.5.4.3' });
      const operator = await signedIn('operator');
      const { entries } = (await operator.call('GET', '/operator/audit?limit=500')).json();
      const failed = (entries as Record<string, unknown>[]).filter(
        ({ action, actor_id }) => action === 'sign_in_failed' && actor_id === '6.5.4.3',
      );
      assert.deepEqual(
        failed.map(({ actor_kind, account_id, entity_id }) => [actor_kind, account_id, entity_id]),
        [
          ['network', null, 'unknown'],
          ['network', account?.id, id],
        ],
      );
      assert.doesNotMatch(JSON.stringify(failed), /secret|wrong one/);
    });

    it('every sign-in and key change stands in the audit log, with who', async () => {
      const me = await signedIn();
      const made = (await me.call('POST', '/session/keys', { name: 'k' })).json();
      const { id } = (await me.call('POST', `/session/keys/${made.id}/regenerate`)).json();
      await me.call('DELETE', `/session/keys/${id}`);
      await me.call('DELETE', '/session');
      const rows = await audit(me.id);
      assert.deepEqual(
        rows.map(({ action, entity }) => `${action} ${entity}`),
        [
          'sign_in person',
          'create api_key',
          'regenerate api_key',
          'revoke api_key',
          'sign_out person',
        ],
      );
      assert.equal(JSON.stringify(rows).includes(made.api_key), false);
    });
  });
}

function fromBase32(text: string): Buffer {
  let bits = '';
  for (const letter of text)
    bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
