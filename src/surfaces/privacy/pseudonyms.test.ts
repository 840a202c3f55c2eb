import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testEngines } from '../../../test/support/test-database.js';
import { rewriteNames } from '../../platform/privacy/rewrite-names.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';
import { openPrivacyDesk, sha } from '../../../test/support/privacy-desk.js';

for (const engine of testEngines()) {
  describe(`names of users on the ${engine.name} engine`, () => {
    const desk = openPrivacyDesk(engine);
    const { conversations, follow, tablesWith } = desk;

    it('the publisher reads its users by their own names, nobody else reads them anywhere', async () => {
      const { publisher, ask } = await conversations();
      await ask({ userId: 'Grace Hopper' });
      const users = await desk.app.http.inject({
        url: '/publisher-dashboard/users?search=hopper',
        headers: { 'x-api-key': publisher.apiKey },
      });
      assert.deepEqual(
        users.json().users.map((user: { pub_user_id: string }) => user.pub_user_id),
        ['Grace Hopper'],
      );
      const day = new Date(desk.app.clock.now).toISOString().slice(0, 10);
      const exported = await desk.app.http.inject({
        url: `/publisher-dashboard/exports/events?start_date=${day}&end_date=${day}`,
        headers: { 'x-api-key': publisher.apiKey },
      });
      assert.ok(exported.body.includes(',Grace Hopper,'), exported.body);
      assert.deepEqual(await tablesWith('Grace Hopper'), []);
    });

    it('names that an earlier version stored as they were become pseudonyms, from where a stop left off', async () => {
      const { publisher, advertiser, ask } = await conversations();
      const { pseudonyms } = desk.app.services;
      const hash = `em:${sha('plain@people.example')}`;
      const { ad } = await ask({ user: { id: 'Zyx user' }, sessionId: 'Zyx session' });
      await follow(ad.impUrl);
      await ask({ user: { id: 'Zyx user' }, sessionId: 'another session' });
      await desk.app.services.eventLog.drain();
      const user = pseudonyms.user(publisher.id, 'Zyx user');
      // As an earlier version left them.
      for (const [statement, ...values] of [
        [`update events set user_id = 'Zyx user' where user_id = $1`, user],
        [
          `update events
           set data = data || jsonb_build_object('session', 'Zyx session', 'identity', $2::text)
           where publisher_id = $1 and kind = 'win'`,
          publisher.id,
          hash,
        ],
        [`update publisher_users set user_id = 'Zyx user' where user_id = $1`, user],
        [`delete from publisher_user_names where user_id = $1`, user],
        [
          `insert into viewer_links (advertiser_id, identity, view_id, viewed_at)
           values ($1, $2, gen_random_uuid(), now())`,
          advertiser.id,
          hash,
        ],
        [
          `insert into ad_dislikes (publisher_id, subject, ad_id, at)
           values ($1, 'Zyx user', gen_random_uuid(), now())`,
          publisher.id,
        ],
        [
          `insert into tool_searches (
               id, publisher_id, started_at, asked_at, state, session_id, user_hash
             )
           values (gen_random_uuid(), $1, now(), now(), '{}', 'Zyx session', $2)`,
          publisher.id,
          sha('Zyx user'),
        ],
      ] as const)
        await desk.app.db.query(statement, values);
      const figures = () =>
        desk.app.db.query(
          `select user_id, requests, ads_served, impressions
           from publisher_users
           where publisher_id = $1
           order by 1`,
          [publisher.id],
        );
      const before = await figures();
      const deps = {
        ...desk.app.services,
        forgetServed: () => desk.app.services.eventLog.forgetServed(),
      };
      const isFinished = async (): Promise<boolean> =>
        (await desk.app.db.query(`select 1 from installation where value = 'finished'`)).length ===
        1;
      // A page a run: every run begins where the one before ended.
      let runs = 0;
      for (; !(await isFinished()); runs += 1) await rewriteNames(deps, { limit: 40, pages: 1 });
      assert.ok(runs > 1, String(runs));
      assert.deepEqual(await tablesWith('Zyx'), []);
      assert.equal(await rewriteNames(deps), 0, 'nothing is looked at again');
      const searcher = pseudonyms.searcher(publisher.id, sha('Zyx user'));
      assert.deepEqual(await tablesWith(searcher), ['tool_searches']);
      assert.deepEqual(await tablesWith(sha('plain@people.example')), []);
      assert.deepEqual((await tablesWith(user)).sort(), [
        'ad_dislikes',
        'events',
        'publisher_user_names',
        'publisher_users',
      ]);
      assert.deepEqual(
        await figures(),
        before.map((row) => ({ ...row, user_id: user })),
      );
      assert.equal((await verifyTotals(desk.app.db)).isClean, true);
      const users = await desk.app.http.inject({
        url: '/publisher-dashboard/users',
        headers: { 'x-api-key': publisher.apiKey },
      });
      assert.equal(users.json().users[0].pub_user_id, 'Zyx user');
    });
  });
}
