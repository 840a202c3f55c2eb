import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { sep } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { signInOperator } from '../../../test/support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { openEmbeddedTestDatabase, testEngines } from '../../../test/support/test-database.js';
import { inviteFirstOperator } from './first-operator.js';

const password = 'a long enough password';
const tokenOf = (link: string): string => new URL(link).hash.slice(1);

async function signedIn(app: TestApp, email: string) {
  const session = await app.http.inject({
    method: 'POST',
    url: '/session',
    payload: { email, password },
  });
  assert.equal(session.statusCode, 200, session.body);
  const headers = {
    cookie: String(session.headers['set-cookie']).split(';')[0] ?? '',
    'x-csrf-token': String(session.json().csrf_token),
  };
  return (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
    app.http.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
}

for (const engine of testEngines()) {
  describe(`sign-up and teams on the ${engine.name} engine`, () => {
    let app: TestApp;
    let count = 0;
    before(async () => {
      app = await buildTestApp(await engine.open(), { environment: { SIGN_UP: 'open' } });
    });
    after(() => app.close());
    const post = (url: string, payload: object, from = `2.2.${(count += 1)}.2`) =>
      app.http.inject({ method: 'POST', url, payload, headers: { 'x-forwarded-for': from } });
    const newEmail = (): string => `team${(count += 1)}@test.example`;
    /** What operators read where no mail server is set. */
    async function mailTo(email: string): Promise<string[]> {
      const operator = await signInOperator(app);
      const { body } = await operator('GET', '/operator/mails');
      // The answer of that route.
      const { mails } = body as unknown as { mails: { recipient: string; text: string }[] };
      return mails
        .filter(({ recipient }) => recipient === email)
        .map(({ text }) => /https?:\S+/.exec(text)?.[0] ?? '');
    }
    async function newOwner(kind: 'advertiser' | 'publisher' = 'advertiser') {
      const email = newEmail();
      await post('/sign-up', { kind, name: `Team ${count}`, email });
      const [link = ''] = await mailTo(email);
      const used = await post('/links/use', { token: tokenOf(link), password });
      assert.equal(used.statusCode, 200, used.body);
      return { email, call: await signedIn(app, email) };
    }
    async function join(owner: Awaited<ReturnType<typeof newOwner>>, team_role: string) {
      const email = newEmail();
      const invited = await owner.call('POST', '/session/team/invitations', { email, team_role });
      assert.equal(invited.statusCode, 201, invited.body);
      await post('/links/use', { token: tokenOf(invited.json().link), password });
      return { email, call: await signedIn(app, email) };
    }

    it('a stranger opens an account by a link that works once', async () => {
      const email = newEmail();
      const asked = await post('/sign-up', {
        kind: 'publisher',
        name: 'New Chat',
        email: ` ${email.toUpperCase()}`,
        url: 'https://chat.test.example',
      });
      assert.deepEqual([asked.statusCode, asked.json()], [202, { status: 'sent' }]);
      assert.equal(asked.body.includes('#'), false, 'the link goes to the mailbox only');
      const [link = ''] = await mailTo(email);
      const token = tokenOf(link);
      const shown = (await post('/links/open', { token })).json();
      assert.deepEqual(
        [shown.purpose, shown.email, shown.account_name],
        ['sign_up', email, 'New Chat'],
      );
      assert.equal((await post('/links/use', { token, password: 'short' })).statusCode, 422);
      const both = await Promise.all([
        post('/links/use', { token, password }),
        post('/links/use', { token, password }),
      ]);
      assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [200, 404]);
      assert.equal((await post('/links/open', { token })).statusCode, 404);
      assert.deepEqual(await mailTo(email), [], 'a used link is nothing to hand on');
      const me = (await (await signedIn(app, email))('GET', '/session')).json();
      assert.deepEqual(
        [me.role, me.team_role, me.account_name],
        ['publisher', 'owner', 'New Chat'],
      );
      assert.equal(app.services.directory.publisher(me.account_id)?.status, 'pending');
    });

    it('signing up and resetting do not tell who has an account', async () => {
      const { email } = await newOwner();
      const again = await post('/sign-up', { kind: 'advertiser', name: 'X', email });
      const fresh = await post('/sign-up', { kind: 'advertiser', name: 'X', email: newEmail() });
      assert.deepEqual([again.statusCode, again.body], [fresh.statusCode, fresh.body]);
      const known = await post('/password-reset', { email });
      const unknown = await post('/password-reset', { email: newEmail() });
      assert.deepEqual([known.statusCode, known.body], [unknown.statusCode, unknown.body]);
    });

    it('a stranger cannot fill a mailbox', async () => {
      const email = newEmail();
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1)
        statuses.push((await post('/password-reset', { email })).statusCode);
      assert.deepEqual(statuses, [202, 202, 202, 202, 202, 429]);
      const asked = await post('/sign-up', { kind: 'advertiser', name: 'X', email });
      assert.equal(asked.statusCode, 429, 'whatever the mail is for');
      const { call } = await newOwner();
      const guest = { email, team_role: 'reader' };
      assert.equal((await call('POST', '/session/team/invitations', guest)).statusCode, 429);
    });

    it('links do not outlive who sent them, nor the password they would replace', async () => {
      const owner = await newOwner();
      const second = await join(owner, 'owner');
      const own = { email: newEmail(), team_role: 'owner' };
      const invite = async () =>
        tokenOf((await second.call('POST', '/session/team/invitations', own)).json().link);
      const use = async (token: string) =>
        (await post('/links/use', { token, password })).statusCode;
      const { people } = (await owner.call('GET', '/session/team')).json();
      const { id } = people.find((one: { email: string }) => one.email === second.email);
      const before = await invite();
      await owner.call('PATCH', `/session/team/${id}`, { team_role: 'editor' });
      assert.equal(await use(before), 404, 'no longer an owner');
      await owner.call('PATCH', `/session/team/${id}`, { team_role: 'owner' });
      const later = await invite();
      await post('/password-reset', { email: second.email });
      const [reset = ''] = await mailTo(second.email);
      await second.call('POST', '/session/password', {
        current_password: password,
        new_password: 'chosen since by its owner',
      });
      assert.equal(await use(tokenOf(reset)), 404, 'another password was chosen since');
      await owner.call('DELETE', `/session/team/${id}`);
      assert.equal(await use(later), 404, 'no longer there');
    });

    it('a reset link sets a password, ends every session, and ends with the next one or the hour', async () => {
      const { email, call } = await newOwner();
      await post('/password-reset', { email });
      const [old = ''] = await mailTo(email);
      app.clock.now += 1000;
      await post('/password-reset', { email });
      const [link = ''] = await mailTo(email);
      const next = 'another long password';
      const use = (url: string) => post('/links/use', { token: tokenOf(url), password: next });
      assert.equal((await use(old)).statusCode, 404, 'only the newest works');
      assert.equal((await use(link)).statusCode, 200);
      assert.equal((await call('GET', '/session')).statusCode, 401);
      assert.equal((await post('/session', { email, password })).statusCode, 401);
      assert.equal((await post('/session', { email, password: next })).statusCode, 200);
      await post('/password-reset', { email });
      const [late = ''] = await mailTo(email);
      app.clock.now += 3_600_001;
      assert.equal((await use(late)).statusCode, 404);
    });

    it('each role of a team does what it may and no more', async () => {
      const owner = await newOwner();
      const may = async (who: { call: typeof owner.call }) => {
        const statuses = [
          await who.call('GET', '/advertiser-dashboard/campaigns'),
          await who.call('POST', '/advertiser-dashboard/campaigns', {}),
          await who.call('POST', '/advertiser-dashboard/credits', {}),
          await who.call('POST', '/session/keys', {}),
          await who.call('POST', '/session/team/invitations', {}),
          await who.call('DELETE', '/session/sessions?keep_current=true'),
        ];
        return statuses.map(({ statusCode }) => (statusCode === 403 ? '-' : 'x')).join('');
      };
      assert.equal(await may(owner), 'xxxxxx');
      assert.equal(await may(await join(owner, 'editor')), 'xx-x-x');
      assert.equal(await may(await join(owner, 'billing')), 'x-x--x');
      assert.equal(await may(await join(owner, 'reader')), 'x----x');
    });

    it('owners change and remove people of their own team, never the last owner', async () => {
      const owner = await newOwner();
      const stranger = await newOwner();
      const reader = await join(owner, 'reader');
      const team = (await owner.call('GET', '/session/team')).json();
      const idOf = (email: string): string =>
        team.people.find((one: { email: string }) => one.email === email).id;
      const [mine, other] = [idOf(owner.email), idOf(reader.email)];
      const role = { team_role: 'reader' };
      assert.equal((await owner.call('PATCH', `/session/team/${mine}`, role)).statusCode, 409);
      assert.equal((await owner.call('DELETE', `/session/team/${mine}`)).statusCode, 409);
      assert.equal((await stranger.call('PATCH', `/session/team/${other}`, role)).statusCode, 404);
      assert.equal((await stranger.call('DELETE', `/session/team/${other}`)).statusCode, 404);
      const raised = { team_role: 'editor' };
      assert.equal((await reader.call('PATCH', `/session/team/${other}`, raised)).statusCode, 403);
      assert.equal((await owner.call('PATCH', `/session/team/${other}`, raised)).statusCode, 200);
      assert.equal((await reader.call('GET', '/session')).json().team_role, 'editor');
      assert.equal((await owner.call('DELETE', `/session/team/${other}`)).statusCode, 204);
      assert.equal((await reader.call('GET', '/session')).statusCode, 401);
      const again = { email: reader.email, team_role: 'reader' };
      const invited = await owner.call('POST', '/session/team/invitations', again);
      assert.equal(invited.statusCode, 201);
      const url = `/session/team/invitations/${invited.json().id}`;
      assert.equal((await stranger.call('DELETE', url)).statusCode, 404);
      assert.equal((await owner.call('DELETE', url)).statusCode, 204);
      const taken = await post('/links/use', { token: tokenOf(invited.json().link), password });
      assert.equal(taken.statusCode, 404);
      const [row] = await app.db.query<{ actions: string }>(
        `select string_agg(action, ' ' order by at, id) as actions
         from audit_log
         where entity = 'team' and actor_id = $1`,
        [mine],
      );
      assert.equal(row?.actions, 'invite change_role remove invite take_back_invitation');
    });

    it('operators open accounts and help people while the server runs', async () => {
      const operator = await signInOperator(app);
      const email = newEmail();
      const wish = { kind: 'advertiser', name: 'By hand', email, billing_enabled: true };
      const opened = await operator('POST', '/operator/accounts', wish);
      assert.equal(opened.status, 201);
      const { id, api_key: key, link } = opened.body as Record<string, string>;
      const works = await app.http.inject({
        url: '/advertiser-dashboard/leads',
        headers: { 'x-api-key': key ?? '' },
      });
      assert.equal(works.statusCode, 200);
      await post('/links/use', { token: tokenOf(link ?? ''), password });
      const again = await operator('POST', '/operator/accounts', wish);
      assert.equal(again.status, 409);
      const zone = { ...wish, email: newEmail(), time_zone: 'Mars/Phobos' };
      assert.equal((await operator('POST', '/operator/accounts', zone)).status, 422);
      const found = await operator('GET', `/operator/people?search=${email}`);
      // The answer of that route.
      const [person] = (found.body as unknown as { people: Record<string, string>[] }).people;
      assert.deepEqual([person?.['account_id'], person?.['team_role']], [id, 'owner']);
      const path = `/operator/people/${person?.['id']}`;
      assert.equal((await operator('PATCH', path, { disabled: true })).status, 409, 'last owner');
      assert.equal((await operator('POST', `${path}/reset`)).status, 200);
      assert.equal((await operator('POST', `${path}/second-factor/remove`)).status, 409);
      for (const url of ['/operator/people', '/operator/mails', `/operator/accounts/${id}/keys`]) {
        const { call } = await newOwner();
        assert.equal((await call('GET', url)).statusCode, 403, url);
      }
    });

    it('the command line’s secret is the operator, and nothing near it is', async () => {
      const { mkdtempSync, statSync, rmSync } = await import('node:fs');
      const { readAdminFile } = await import('../../platform/auth/admin-token.js');
      const folder = mkdtempSync(`${tmpdir()}${sep}sidelight-admin-`);
      const address = 'http://127.0.0.1:1';
      app.services.adminToken.publish(folder, { address, door: address, store: '' });
      assert.equal(statSync(`${folder}/admin.json`).mode & 0o077, 0);
      const token = readAdminFile(folder)?.token ?? '';
      const status = async (given: string) =>
        (
          await app.http.inject({
            url: '/operator/accounts',
            headers: { authorization: `Bearer ${given}` },
          })
        ).statusCode;
      assert.equal(await status(token), 200);
      for (const wrong of ['', 'x', `${token}x`, token.slice(1)])
        assert.equal(await status(wrong), 401);
      app.services.adminToken.withdraw(folder);
      assert.equal(readAdminFile(folder), null);
      rmSync(folder, { recursive: true });
    });
  });
}

describe('getting in by settings', () => {
  it('the first start’s link makes one operator, once', async () => {
    const app = await buildTestApp(await openEmbeddedTestDatabase());
    const invite = () =>
      inviteFirstOperator({ ...app.services, platformUrl: () => app.services.urls.platform });
    const links = [await invite(), await invite()];
    const use = (link: string | null, email: string) =>
      app.http.inject({
        method: 'POST',
        url: '/links/use',
        payload: { token: tokenOf(link ?? ''), password, email },
      });
    const [first, second] = links;
    assert.equal((await use(first ?? null, '')).statusCode, 422);
    assert.equal((await use(first ?? null, 'boss@test.example')).statusCode, 200);
    assert.equal((await use(second ?? null, 'thief@test.example')).statusCode, 404);
    assert.equal(await invite(), null);
    const call = await signedIn(app, 'boss@test.example');
    assert.equal((await call('GET', '/operator/accounts')).statusCode, 200);
    await app.close();
  });

  it('sign-up is by invitation unless opened, and off closes invitations too', async () => {
    for (const [SIGN_UP, invites] of [
      ['invitation', 201],
      ['off', 403],
    ] as const) {
      const app = await buildTestApp(await openEmbeddedTestDatabase(), {
        environment: { SIGN_UP },
      });
      const wish = { kind: 'advertiser', name: 'A', email: 'a@test.example' };
      const closed = await app.http.inject({ method: 'POST', url: '/sign-up', payload: wish });
      assert.deepEqual([closed.statusCode, closed.json().detail], [403, 'sign_up_closed']);
      const operator = await signInOperator(app);
      const { body } = await operator('POST', '/operator/accounts', wish);
      const payload = {
        token: tokenOf(String((body as Record<string, string>)['link'])),
        password,
      };
      await app.http.inject({ method: 'POST', url: '/links/use', payload });
      const call = await signedIn(app, wish.email);
      const guest = { email: 'b@test.example', team_role: 'editor' };
      const invited = await call('POST', '/session/team/invitations', guest);
      assert.equal(invited.statusCode, invites);
      await app.close();
    }
  });

  it('with a mail server set, links leave by mail and nobody else sees them', async () => {
    const post = await mailServer();
    const app = await buildTestApp(await openEmbeddedTestDatabase(), {
      environment: { SIGN_UP: 'open', SMTP_URL: `smtp://127.0.0.1:${post.port}` },
    });
    const wish = { kind: 'advertiser', name: 'A', email: 'mail@test.example' };
    await app.http.inject({ method: 'POST', url: '/sign-up', payload: wish });
    await app.services.jobs.runDue();
    const [mail = ''] = post.mails;
    assert.match(mail, /To: mail@test\.example/);
    const link = /http\S+#[\w-]+/.exec(mail.replaceAll(/=\r\n/g, ''))?.[0] ?? '';
    const operator = await signInOperator(app);
    const { body } = await operator('GET', '/operator/mails');
    assert.deepEqual(body, { sends: true, mails: [] });
    const payload = { token: tokenOf(link), password };
    const used = await app.http.inject({ method: 'POST', url: '/links/use', payload });
    assert.equal(used.statusCode, 200, used.body);
    await app.close();
    post.server.close();
  });
});

/** Takes every mail and keeps what it says. */
async function mailServer(): Promise<{ server: Server; port: number; mails: string[] }> {
  const mails: string[] = [];
  const server = createServer((socket) => {
    let data: string | null = null;
    let rest = '';
    socket.write('220 ready\r\n');
    socket.on('data', (bytes) => {
      rest += bytes.toString();
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (data !== null) {
          if (line !== '.') data += `${line}\r\n`;
          else {
            mails.push(data);
            data = null;
            socket.write('250 taken\r\n');
          }
        } else if (line === 'DATA') {
          data = '';
          socket.write('354 go on\r\n');
        } else socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens has an address object.
  return { server, port: (server.address() as AddressInfo).port, mails };
}
