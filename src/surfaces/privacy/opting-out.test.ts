import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testEngines } from '../../../test/support/test-database.js';
import { identityKey } from '../../domain/pii.js';
import { nilUuid } from '../../domain/uuid.js';
import { optOut as optOutPerson } from './opt-out.js';
import { openPrivacyDesk, sha } from '../../../test/support/privacy-desk.js';

for (const engine of testEngines()) {
  describe(`opting out on the ${engine.name} engine`, () => {
    const desk = openPrivacyDesk(engine);
    const { send, rows, conversations } = desk;

    const optOut = (payload: unknown, headers: Record<string, string> = {}) =>
      desk.app.http.inject({
        method: 'POST',
        url: '/privacy/opt-out',
        headers: { 'content-type': 'application/json', ...headers },
        payload: JSON.stringify(payload),
      });

    it('an event that says opt_out is skipped and not stored, and taken when it no longer says so', async () => {
      const { apiKey, id } = await desk.app.newAdvertiser();
      assert.deepEqual(
        await send(apiKey, [{ event_id: 'o', opt_out: true, user_data: { em: ['a@b.example'] } }]),
        ['skipped'],
      );
      for (const table of ['conversions', 'conversion_keys', 'click_links', 'conversion_totals'])
        assert.equal(await rows(table, id), 0, table);
      assert.deepEqual(await send(apiKey, [{ event_id: 'o' }]), ['ok']);
    });

    it('e-mails, phones and customer ids, plain or hashed, are opted out for the advertiser whose key named them', async () => {
      const one = await desk.app.newAdvertiser();
      const two = await desk.app.newAdvertiser();
      const given = {
        em: ['Ada@Example.com'],
        ph: [sha('15550100')],
        external_id: 'c-9',
        visitor_id: 'v9',
      };
      assert.equal(
        (await optOut(given, { authorization: `Bearer ${one.apiKey}` })).statusCode,
        200,
      );
      assert.equal(
        (await optOut({ user_data: { em: 'also@example.com' } }, { 'x-api-key': one.apiKey }))
          .statusCode,
        200,
      );
      const events = [
        { em: [sha('ada@example.com')] },
        { ph: ['+1 555 0100'] },
        { external_id: ['c-9'] },
        { visitor_id: 'v9' },
        { em: ['also@example.com'] },
        { em: ['else@example.com'] },
      ].map((user_data, n) => ({ event_id: `h${n}`, user_data }));
      assert.deepEqual(await send(one.apiKey, events), [
        'skipped',
        'skipped',
        'skipped',
        'skipped',
        'skipped',
        'ok',
      ]);
      assert.deepEqual(
        await send(two.apiKey, events),
        events.map(() => 'ok'),
      );
    });

    it('nobody opts others out by name without a key', async () => {
      const publisher = await desk.app.newPublisher();
      assert.equal((await optOut({ em: ['a@b.example'] })).statusCode, 401);
      assert.equal((await optOut({ em: ['a@b.example'], visitor_id: 'v' })).statusCode, 401);
      assert.equal(
        (await optOut({ em: ['a@b.example'] }, { 'x-api-key': 'wrong' })).statusCode,
        401,
      );
      assert.equal(
        (await optOut({ em: ['a@b.example'] }, { 'x-api-key': publisher.apiKey })).statusCode,
        403,
      );
      assert.equal((await optOut({ pixel_id: 'nobody', visitor_id: 'v' })).statusCode, 404);
      assert.equal((await optOut({ visitor_id: 'v-everywhere' })).statusCode, 200);
      const { apiKey } = await desk.app.newAdvertiser();
      assert.deepEqual(
        await send(apiKey, [{ event_id: 'v', user_data: { visitor_id: 'v-everywhere' } }]),
        ['skipped'],
      );
    });

    it('who wants nothing personal is nobody from the next ad on, until they change their mind', async () => {
      const { publisher, ask } = await conversations();
      const choose = async (personalisation: boolean) => {
        const answer = await desk.app.http.inject({
          method: 'POST',
          url: '/publisher-dashboard/privacy-choices',
          headers: { 'x-api-key': publisher.apiKey },
          payload: { user_id: 'shy', personalisation },
        });
        assert.equal(answer.statusCode, 200, answer.body);
      };
      const seenAs = async (): Promise<string | undefined> =>
        (await ask({ userId: 'shy' })).rows[0]?.user;
      const known = desk.app.services.pseudonyms.user(publisher.id, 'shy');
      assert.equal(await seenAs(), known);
      await choose(false);
      const answer = await ask({ userId: 'shy' });
      assert.equal(answer.headers['privacy-signals'], 'opted_out');
      assert.deepEqual(
        answer.rows.map(({ user }) => user),
        ['anonymous', 'anonymous'],
      );
      await choose(true);
      assert.equal(await seenAs(), known);
    });

    it('an e-mail on the opt-out list is linked to no ad', async () => {
      const { advertiser, ask } = await conversations();
      const hashed = sha('never@people.example');
      const identity = async () =>
        (await ask({ user: { id: 'n', hashed_email: hashed } })).rows.at(-1)?.identity;
      assert.notEqual(await identity(), null);
      assert.equal(
        (await optOut({ em: hashed }, { authorization: `Bearer ${advertiser.apiKey}` })).statusCode,
        200,
      );
      assert.equal(await identity(), null);
      // On the operator's list they are nobody to everybody, searches included.
      const everywhere = sha('nowhere@people.example');
      await optOutPerson(desk.app.services, nilUuid, [identityKey('em', everywhere)], 'operator');
      const nobody = await ask({ user: { id: 'out', hashed_email: everywhere } });
      assert.equal(nobody.headers['privacy-signals'], 'opted_out');
      assert.deepEqual(
        nobody.rows.map(({ user, identity: linked }) => [user, linked]),
        [
          ['anonymous', null],
          ['anonymous', null],
        ],
      );
    });

    it('what a session decided is forgotten after a while, what a user decided is not', async () => {
      const publisher = await desk.app.newPublisher();
      const choose = await desk.app.http.inject({
        method: 'POST',
        url: '/publisher-dashboard/privacy-choices',
        headers: { 'x-api-key': publisher.apiKey },
        payload: { user_id: 'stays private', session_id: 'passes', personalisation: false },
      });
      assert.equal(choose.statusCode, 200, choose.body);
      const kept = async (days: number): Promise<string[]> => {
        desk.app.clock.now += days * 86_400_000;
        await desk.app.db.transaction((tx) =>
          desk.app.services.jobs.enqueue(tx, 'forget-session-choices', `after ${days}`, {}),
        );
        await desk.app.services.jobs.runDue();
        const rows = await desk.app.db.query<{ scope: string }>(
          `select scope from privacy_choices where publisher_id = $1 order by scope`,
          [publisher.id],
        );
        return rows.map(({ scope }) => scope);
      };
      assert.deepEqual(await kept(29), ['session', 'user']);
      assert.deepEqual(await kept(2), ['user']);
      const user = desk.app.services.pseudonyms.user(publisher.id, 'stays private');
      assert.equal(desk.app.services.choices.of(publisher.id, [user]).noPersonalisation, true);
    });
  });
}
