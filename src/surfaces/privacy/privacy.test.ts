import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { makeClick } from '../../../test/support/make-click.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { erasePerson } from './erase.js';

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

for (const engine of testEngines()) {
  describe(`privacy on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    const send = async (apiKey: string, events: Record<string, unknown>[]): Promise<string[]> => {
      const data = events.map((event) => ({
        event_name: 'Lead',
        event_time: Math.floor(app.clock.now / 1000),
        ...event,
      }));
      const answer = await app.http.inject({
        method: 'POST',
        url: '/gateway/events',
        headers: { authorization: `Bearer ${apiKey}` },
        payload: { data },
      });
      return answer.json().results.map((result: { status: string }) => result.status);
    };
    const optOut = (payload: unknown, headers: Record<string, string> = {}) =>
      app.http.inject({
        method: 'POST',
        url: '/privacy/opt-out',
        headers: { 'content-type': 'application/json', ...headers },
        payload: JSON.stringify(payload),
      });
    const rows = async (table: string, advertiserId: string): Promise<number> =>
      (await app.db.query(`select 1 from ${table} where advertiser_id = $1`, [advertiserId]))
        .length;

    it('skips an event that says opt_out, stores nothing of it, and takes it when it no longer says so', async () => {
      const { apiKey, id } = await app.newAdvertiser();
      assert.deepEqual(
        await send(apiKey, [{ event_id: 'o', opt_out: true, user_data: { em: ['a@b.example'] } }]),
        ['skipped'],
      );
      for (const table of ['conversions', 'conversion_keys', 'click_links', 'conversion_totals'])
        assert.equal(await rows(table, id), 0, table);
      assert.deepEqual(await send(apiKey, [{ event_id: 'o' }]), ['ok']);
    });

    it('honours e-mails, phones and customer ids, plain or hashed, for the advertiser whose key named them', async () => {
      const one = await app.newAdvertiser();
      const two = await app.newAdvertiser();
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

    it('lets nobody opt others out by name without a key', async () => {
      const publisher = await app.newPublisher();
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
      const { apiKey } = await app.newAdvertiser();
      assert.deepEqual(
        await send(apiKey, [{ event_id: 'v', user_data: { visitor_id: 'v-everywhere' } }]),
        ['skipped'],
      );
    });

    it('erases a person everywhere and keeps what was counted', async () => {
      const { apiKey, id } = await app.newAdvertiser();
      const email = 'erase@example.com';
      const click = await makeClick(app, id, { identity: `em:${sha(email)}` });
      await send(apiKey, [
        {
          event_id: 'e1',
          user_data: { em: [email], click_id: click.grclid, visitor_id: 'v-erase' },
          event_source_url: 'https://shop.example/x',
        },
        { event_id: 'e2', user_data: { visitor_id: 'v-erase' } },
        { event_id: 'e3', user_data: { em: ['stays@example.com'] } },
      ]);
      const erased = await erasePerson(app.services, { em: [sha(email)], visitor_id: 'v-erase' });
      assert.deepEqual(erased, {
        links: 2,
        viewers: 1,
        conversions: 2,
        servedAds: 1,
        leads: 0,
        searches: 0,
      });
      const left = await app.db.query<{ text: string }>(
        `select coalesce(details::text, '') as text from conversions where advertiser_id = $1`,
        [id],
      );
      assert.equal(left.length, 3);
      assert.ok(
        left.every((row) => !row.text.includes(sha(email)) && !row.text.includes('v-erase')),
      );
      assert.ok(left.some((row) => row.text.includes(sha('stays@example.com'))));
      const [totals] = await app.db.query<{ conversions: number }>(
        `select sum(conversions)::bigint as conversions
         from conversion_totals
         where advertiser_id = $1`,
        [id],
      );
      assert.equal(totals?.conversions, 3);
      assert.deepEqual(await erasePerson(app.services, { em: [email], visitor_id: 'v-erase' }), {
        links: 0,
        viewers: 0,
        conversions: 0,
        servedAds: 0,
        leads: 0,
        searches: 0,
      });
    });

    it('erases what somebody answered in lead forms and searched for, and nothing of others', async () => {
      const publisher = await app.newPublisher();
      const advertiser = await app.newAdvertiser();
      const leadForm = {
        title: 'Quote',
        fields: [
          { name: 'mail', label: 'E-mail', type: 'email', required: false },
          { name: 'tel', label: 'Phone', type: 'phone', required: false },
        ],
      };
      await insertLiveCampaign(app, advertiser.id, {
        context: 'solar panels for family homes',
        maxCpmMicros: 5_000_000,
        leadForm,
      });
      const post = async (url: string, payload: Record<string, unknown>) => {
        const answer = await app.http.inject({
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
          await app.http.inject({
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
      const ofOther = await erasePerson(app.services, identities, (await app.newAdvertiser()).id);
      assert.deepEqual([ofOther.leads, ofOther.searches], [0, 0]);
      const { leads, searches } = await erasePerson(app.services, identities);
      assert.deepEqual([leads, searches], [2, 6]);
      assert.deepEqual(await answers(), [JSON.stringify(people[2]), '{}', '{}']);
      const left = await app.db.query(
        `select user_hash as who
         from shop_searches
         where publisher_id = $1
         union all
         select user_hash
         from tool_searches
         where publisher_id = $1`,
        [publisher.id],
      );
      assert.deepEqual(left, [{ who: sha('user 8') }, { who: sha('user 8') }]);
    });

    it('what a viewer saw and clicked is forgotten once nothing can be credited to it', async () => {
      const { id } = await app.newAdvertiser();
      await makeClick(app, id, { identity: `em:${sha('viewer@example.com')}` });
      const sweep = async (days: number): Promise<number> => {
        app.clock.now += days * 86_400_000;
        await app.db.transaction((tx) =>
          app.services.jobs.enqueue(tx, 'sweep-viewers', `after ${days}`, {}),
        );
        await app.services.jobs.runDue();
        return rows('viewer_links', id);
      };
      assert.equal(await sweep(29), 1);
      assert.equal(await sweep(2), 0);
    });
  });
}
