import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { makeClick } from '../../../test/support/make-click.js';
import { signInOperator } from '../../../test/support/sign-in-operator.js';
import { testEngines } from '../../../test/support/test-database.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';
import { erasePerson } from './erasing/erase.js';
import { openPrivacyDesk, sha } from '../../../test/support/privacy-desk.js';

for (const engine of testEngines()) {
  describe(`erasing people on the ${engine.name} engine`, () => {
    const desk = openPrivacyDesk(engine);
    const { send, rows, conversations, follow, tablesWith } = desk;

    it('an erased person is gone everywhere, and what was counted stays', async () => {
      const { apiKey, id } = await desk.app.newAdvertiser();
      const email = 'erase@example.com';
      const click = await makeClick(desk.app, id, { identity: `em:${sha(email)}` });
      await send(apiKey, [
        {
          event_id: 'e1',
          user_data: { em: [email], click_id: click.grclid, visitor_id: 'v-erase' },
          event_source_url: 'https://shop.example/x',
        },
        { event_id: 'e2', user_data: { visitor_id: 'v-erase' } },
        { event_id: 'e3', user_data: { em: ['stays@example.com'] } },
      ]);
      const erased = await erasePerson(desk.app.services, {
        em: [sha(email)],
        visitor_id: 'v-erase',
      });
      assert.deepEqual(erased, {
        links: 2,
        viewers: 1,
        conversions: 2,
        servedAds: 1,
        leads: 0,
        searches: 0,
      });
      const left = await desk.app.db.query<{ text: string }>(
        `select coalesce(details::text, '') as text from conversions where advertiser_id = $1`,
        [id],
      );
      assert.equal(left.length, 3);
      assert.ok(
        left.every((row) => !row.text.includes(sha(email)) && !row.text.includes('v-erase')),
      );
      assert.ok(left.some((row) => row.text.includes(sha('stays@example.com'))));
      const [totals] = await desk.app.db.query<{ conversions: number }>(
        `select sum(conversions)::bigint as conversions
         from conversion_totals
         where advertiser_id = $1`,
        [id],
      );
      assert.equal(totals?.conversions, 3);
      assert.deepEqual(
        await erasePerson(desk.app.services, { em: [email], visitor_id: 'v-erase' }),
        {
          links: 0,
          viewers: 0,
          conversions: 0,
          servedAds: 0,
          leads: 0,
          searches: 0,
        },
      );
    });

    it('what somebody answered in lead forms and searched for is erased, and nothing of others', async () => {
      const publisher = await desk.app.newPublisher();
      const advertiser = await desk.app.newAdvertiser();
      const leadForm = {
        title: 'Quote',
        fields: [
          { name: 'mail', label: 'E-mail', type: 'email', required: false },
          { name: 'tel', label: 'Phone', type: 'phone', required: false },
        ],
      };
      await insertLiveCampaign(desk.app, advertiser.id, {
        context: 'solar panels for family homes',
        maxCpmMicros: 5_000_000,
        leadForm,
      });
      const post = async (url: string, payload: Record<string, unknown>) => {
        const answer = await desk.app.http.inject({
          method: 'POST',
          url,
          headers: { authorization: `Bearer ${publisher.apiKey}`, 'x-api-key': publisher.apiKey },
          payload,
        });
        assert.equal(answer.statusCode, 200, answer.body);
        return answer.json();
      };
      const people = [
        { mail: 'Ada.Erased@Example.com' },
        { tel: '+44 20 5550 7788' },
        { mail: 'stays@example.com', tel: '+44 20 1' },
      ];
      for (const [n, fields] of people.entries()) {
        const [ad] = await post('/api/v1/ad', {
          messages: [{ role: 'user', content: 'how much do solar panels for a family home cost?' }],
          sessionId: `lead ${n}`,
          placements: [{ placement: 'below_response', placement_id: 'main' }],
        });
        await post('/api/v1/lead', { sessionId: `lead ${n}`, impUrl: ad.impUrl, fields });
      }
      for (const path of ['/search', '/shop/search']) {
        for (const who of [
          { hashed_email: sha('ada.erased@example.com') },
          { hashed_email: 'Ada.Erased@example.com' },
          { external_user_id: 'user 7' },
          { external_user_id: 'user 8' },
        ])
          await post(path, { query: 'email api', ...who });
      }
      const answers = async () =>
        (
          await desk.app.http.inject({
            url: '/advertiser-dashboard/leads',
            headers: { 'x-api-key': advertiser.apiKey },
          })
        )
          .json()
          .leads.map((lead: { fields: unknown }) => JSON.stringify(lead.fields))
          .sort();
      const identities = {
        em: 'ada.erased@example.com',
        ph: '0044 20 55507788',
        external_id: 'user 7',
      };
      const ofOther = await erasePerson(
        desk.app.services,
        identities,
        (await desk.app.newAdvertiser()).id,
      );
      assert.deepEqual([ofOther.leads, ofOther.searches], [0, 0]);
      const { leads, searches } = await erasePerson(desk.app.services, identities);
      assert.deepEqual([leads, searches], [2, 6]);
      assert.deepEqual(await answers(), [JSON.stringify(people[2]), '{}', '{}']);
      const left = await desk.app.db.query(
        `select user_hash as who
         from shop_searches
         where publisher_id = $1
         union all
         select user_hash
         from tool_searches
         where publisher_id = $1`,
        [publisher.id],
      );
      const who = desk.app.services.pseudonyms.searcher(publisher.id, sha('user 8'));
      assert.deepEqual(left, [{ who }, { who }]);
    });

    it('a user is erased by the publisher’s own name for them, with a receipt, and found nowhere', async () => {
      const { publisher, ask } = await conversations();
      const user = { id: 'erase me', hashed_email: sha('gone@people.example') };
      const { ad } = await ask({ user, sessionId: 'erased session' });
      await follow(ad.impUrl);
      const headers = { 'x-api-key': publisher.apiKey };
      const post = async (url: string, payload: Record<string, unknown>) => {
        const answer = await desk.app.http.inject({ method: 'POST', url, headers, payload });
        assert.equal(answer.statusCode, 200, answer.body);
        return answer.json();
      };
      await post('/ad-feedback', {
        sessionId: 'erased session',
        impUrl: ad.impUrl,
        sentiment: 'thumbs_down',
        comment: 'not for me',
      });
      await post('/shop/search', {
        query: 'boots for +49 151 23456789',
        external_user_id: user.id,
      });
      const pseudonym = desk.app.services.pseudonyms.user(publisher.id, user.id);
      assert.ok((await tablesWith(pseudonym)).length >= 4);
      const url = '/publisher-dashboard/privacy-requests';
      const shown = await post(url, { kind: 'access', user_id: user.id });
      assert.deepEqual(
        shown.data.product_searches.map((one: { query: string }) => one.query),
        ['boots for [phone]'],
      );
      assert.equal(shown.data.figures[0].impressions, 1);
      const erased = await post(url, { kind: 'erase', user_id: user.id });
      assert.equal(erased.found.users, 1);
      assert.equal(erased.found.searches, 1);
      assert.equal(erased.found.feedback, 1);
      assert.equal(erased.found.viewers, 1);
      assert.equal(erased.subject, shown.subject);
      for (const trace of [
        pseudonym,
        user.id,
        desk.app.services.pseudonyms.session(publisher.id, 'erased session'),
      ])
        assert.deepEqual(await tablesWith(trace), [], trace);
      assert.equal((await verifyTotals(desk.app.db)).isClean, true);
      const again = await post(url, { kind: 'access', user_id: user.id });
      assert.ok(Object.values(again.data).every((list) => (list as unknown[]).length === 0));
      const receipts = await desk.app.http.inject({ url, headers });
      assert.deepEqual(
        receipts.json().requests.map((one: { kind: string }) => one.kind),
        ['access', 'erase', 'access'],
      );
      const all = await post(url, { kind: 'erase', user_id: 'anonymous' });
      assert.deepEqual([all.found.events, all.found.users], [0, 0]);
      const nobody = await desk.app.http.inject({
        method: 'POST',
        url,
        headers,
        payload: { kind: 'erase' },
      });
      assert.equal(nobody.statusCode, 422);
    });

    it('an operator sees and erases somebody wherever they are known', async () => {
      const [first, second] = [await conversations(), await conversations()];
      const user = { id: 'known twice' };
      for (const { ask } of [first, second]) await ask({ user, sessionId: `of ${user.id}` });
      const operator = await signInOperator(desk.app);
      const url = '/operator/privacy-requests';
      const shown = await operator('POST', url, { kind: 'access', user_id: user.id });
      assert.equal(shown.body.data.figures.length, 2, JSON.stringify(shown.body));
      const erased = await operator('POST', url, { kind: 'erase', user_id: user.id });
      assert.equal(erased.body.found.users, 2);
      for (const { publisher } of [first, second])
        assert.deepEqual(
          await tablesWith(desk.app.services.pseudonyms.user(publisher.id, user.id)),
          [],
        );
      const nobody = await operator('POST', url, { kind: 'erase', user_id: 'never here' });
      assert.deepEqual(nobody.body.found.users ?? 0, 0);
    });

    it('the link in an ad shows and erases by the same mechanism, for that person alone', async () => {
      const { publisher, ask } = await conversations();
      const name = 'Erased By Link';
      const other = 'Stays By Link';
      const of = (user: string) => desk.app.services.pseudonyms.user(publisher.id, user);
      const person = { user: { id: name, hashed_email: sha('link@people.example') } };
      const { ad } = await ask({ ...person, sessionId: 'link session' });
      await ask({ user: { id: other }, sessionId: 'other session' });
      const elsewhere = await conversations();
      await elsewhere.ask({ user: { id: name }, sessionId: 'link session' });
      const namesake = desk.app.services.pseudonyms.user(elsewhere.publisher.id, name);
      const foreign = await desk.app.http.inject({
        method: 'POST',
        url: '/publisher-dashboard/privacy-requests',
        headers: { 'x-api-key': elsewhere.publisher.apiKey },
        payload: { kind: 'erase', user_id: other, publisher_id: publisher.id },
      });
      assert.equal(foreign.statusCode, 404, 'nobody erases for another publisher');
      const headers = { 'x-api-key': publisher.apiKey };
      const search = await desk.app.http.inject({
        method: 'POST',
        url: '/shop/search',
        headers,
        payload: { query: 'paddles', external_user_id: name },
      });
      assert.equal(search.statusCode, 200, search.body);
      const { pathname } = new URL(ad.choicesUrl);
      const json = { accept: 'application/json' };
      const copy = await desk.app.http.inject({ url: `${pathname}/copy`, headers: json });
      assert.equal(copy.statusCode, 200, copy.body);
      assert.equal(copy.json().data.product_searches[0].query, 'paddles');
      const bare = await desk.app.http.inject({ method: 'POST', url: pathname, headers: json });
      assert.equal(bare.statusCode, 400);
      assert.match(bare.body, /action/);
      const erased = await desk.app.http.inject({
        method: 'POST',
        url: `${pathname}?action=delete`,
        headers: json,
      });
      assert.equal(erased.statusCode, 200, erased.body);
      const { receipt, kept } = erased.json();
      assert.deepEqual(
        [receipt.found.users, receipt.found.searches, receipt.found.events >= 2, kept],
        [1, 1, true, []],
      );
      // What arrives after that is about nobody, however lately the ad was shown.
      await follow(ad.impUrl);
      await desk.app.services.eventLog.drain();
      for (const trace of [
        of(name),
        name,
        desk.app.services.pseudonyms.session(publisher.id, 'link session'),
        desk.app.services.pseudonyms.searcher(publisher.id, sha(name)),
      ])
        assert.deepEqual(await tablesWith(trace), [], trace);
      assert.ok((await tablesWith(of(other))).length >= 2, 'nobody else is erased');
      assert.ok((await tablesWith(namesake)).length >= 2, 'nor of the same name elsewhere');
      assert.equal((await verifyTotals(desk.app.db)).isClean, true);
      const receipts = await desk.app.http.inject({
        url: '/publisher-dashboard/privacy-requests',
        headers,
      });
      const [last, first] = receipts.json().requests;
      assert.deepEqual(
        [last.receipt_id, last.kind, last.asked_by, last.subject === first.subject],
        [receipt.receipt_id, 'erase', 'the person, by their link', true],
      );
      desk.app.clock.now += 25 * 3_600_000;
      assert.equal(
        (await desk.app.http.inject({ url: `${pathname}/copy`, headers: json })).statusCode,
        404,
        'a link found later shows no copy',
      );
    });

    it('a session is erased by its link; a user who was in it keeps their figures', async () => {
      const { publisher, ask } = await conversations();
      const { ad } = await ask({ sessionId: 'shared' });
      await ask({ sessionId: 'shared', user: { id: 'named in it' } });
      const erase = () =>
        desk.app.http.inject({
          method: 'POST',
          url: `${new URL(ad.choicesUrl).pathname}?action=delete`,
          headers: { accept: 'application/json' },
        });
      const erased = await erase();
      assert.equal(erased.statusCode, 200, erased.body);
      assert.equal(erased.json().scope, 'session');
      const session = desk.app.services.pseudonyms.session(publisher.id, 'shared');
      assert.deepEqual(await tablesWith(session), []);
      const user = desk.app.services.pseudonyms.user(publisher.id, 'named in it');
      assert.ok((await tablesWith(user)).length >= 2);
      assert.equal((await verifyTotals(desk.app.db)).isClean, true);
      const codes = [];
      for (let time = 0; time < 6; time += 1) codes.push((await erase()).statusCode);
      assert.deepEqual([codes[0], codes.at(-1)], [200, 429], 'it is work, and so it is limited');
    });

    it('what a viewer saw and clicked is forgotten once nothing can be credited to it', async () => {
      const { id } = await desk.app.newAdvertiser();
      await makeClick(desk.app, id, { identity: `em:${sha('viewer@example.com')}` });
      const sweep = async (days: number): Promise<number> => {
        desk.app.clock.now += days * 86_400_000;
        await desk.app.db.transaction((tx) =>
          desk.app.services.jobs.enqueue(tx, 'sweep-viewers', `after ${days}`, {}),
        );
        await desk.app.services.jobs.runDue();
        return rows('viewer_links', id);
      };
      assert.equal(await sweep(29), 1);
      assert.equal(await sweep(2), 0);
    });
  });
}
