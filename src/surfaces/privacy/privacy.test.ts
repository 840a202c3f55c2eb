import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { GppModel } from '@iabgpp/cmpapi';
import { tcfString } from '../../../test/support/consent-strings.js';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { makeClick } from '../../../test/support/make-click.js';
import { signInOperator } from '../../../test/support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { permissionsFor, type Signal } from '../../domain/privacy/decision-table.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';
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
      const who = app.services.pseudonyms.searcher(publisher.id, sha('user 8'));
      assert.deepEqual(left, [{ who }, { who }]);
    });

    const kayaks = { role: 'user', content: 'which kayaks for beginners?' };
    /** A publisher whose users are offered kayaks. */
    const conversations = async () => {
      const publisher = await app.newPublisher();
      const advertiser = await app.newAdvertiser();
      await insertLiveCampaign(app, advertiser.id, {
        context: 'kayaks for beginners',
        maxCpmMicros: 5_000_000,
      });
      // Other tests sell kayaks too.
      await app.db.query(
        `update publishers
         set blocked_advertisers = array(select id from advertisers where id <> $2)
         where id = $1`,
        [publisher.id, advertiser.id],
      );
      await app.services.directory.refresh();
      const ask = async (body: Record<string, unknown>, headers: Record<string, string> = {}) => {
        const answer = await app.http.inject({
          method: 'POST',
          url: '/api/v1/ad',
          headers: { authorization: `Bearer ${publisher.apiKey}`, ...headers },
          payload: {
            messages: [kayaks],
            sessionId: 's',
            placements: [{ placement: 'below_response', placement_id: 'main' }],
            ...body,
          },
        });
        assert.equal(answer.statusCode, 200, answer.body);
        const [ad] = answer.json();
        const rows = await app.db.query<{
          kind: string;
          user: string;
          session: string | null;
          identity: string | null;
        }>(
          `select kind, user_id as user, data ->> 'session' as session,
             data ->> 'identity' as identity
           from events
           where publisher_id = $1 and (id = $2 or data ->> 'request' = $3)
           order by kind`,
          [publisher.id, answer.headers['x-ad-request-id'], answer.headers['x-ad-request-id']],
        );
        return { ad, rows, headers: answer.headers };
      };
      return { publisher, advertiser, ask };
    };
    const browser =
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15';
    const follow = async (
      url: string,
      query = '',
      headers: Record<string, string> = {},
    ): Promise<URL> => {
      const { pathname, search } = new URL(url);
      const answer = await app.http.inject({
        url: `${pathname}${search}${query}`,
        headers: { 'user-agent': browser, ...headers },
      });
      assert.ok(answer.statusCode < 400, answer.body);
      return new URL(String(answer.headers.location ?? 'https://x.example'));
    };

    it('what a signal does not allow is neither used nor stored, row by row', async () => {
      const { publisher, ask } = await conversations();
      const gpp = new GppModel();
      gpp.setFieldValue('usnat', 'TargetedAdvertisingOptOut', 1);
      const rows: {
        body?: Record<string, unknown>;
        headers?: Record<string, string>;
        signals: Signal[];
        tcf?: number[];
      }[] = [
        { signals: [] },
        { body: { regs: { gdpr: 0 } }, signals: [] },
        { body: { regs: { gdpr: 1 } }, signals: ['consent_asked'], tcf: [] },
        { body: { regs: { gdpr: '1', tcf: 'garbage' } }, signals: ['consent_asked'], tcf: [] },
        ...[[2], [1, 7], [1, 2, 3, 7], [1, 2, 3, 4, 7, 10]].map((tcf) => ({
          body: {
            regs: { ext: { gdpr: 1 } },
            user: { consent: tcfString({ purposes: tcf }) },
          },
          signals: ['consent_asked' as const],
          tcf,
        })),
        { body: { regs: { us_privacy: '1YYN' } }, signals: ['sale_opt_out'] },
        { body: { regs: { us_privacy: '1YNN' } }, signals: [] },
        { body: { regs: { gpp: gpp.encode(), gpp_sid: [7] } }, signals: ['sale_opt_out'] },
        { headers: { 'sec-gpc': '1' }, signals: ['gpc'] },
        { headers: { dnt: '1' }, signals: ['dnt'] },
        { body: { regs: { coppa: 1 } }, signals: ['minor'] },
        { body: { user: { age: 15 } }, signals: ['minor'] },
      ];
      for (const [n, { body = {}, headers, signals, tcf }] of rows.entries()) {
        const allowed = permissionsFor({
          agreements: tcf === undefined ? [] : [{ tcf: new Set(tcf) }],
          signals: new Set(signals.filter((signal) => signal !== 'consent_asked')),
          refused: new Set(),
        });
        const name = `person ${n}`;
        const { user, ...more } = body as { user?: Record<string, unknown> };
        const answer = await ask(
          {
            ...more,
            sessionId: `session ${n}`,
            user: { id: name, hashed_email: sha(`${n}@people.example`), ...user },
          },
          headers,
        );
        const told = JSON.stringify({ n, signals, tcf });
        assert.equal(answer.headers['privacy-signals'] ?? '', signals.join(', '), told);
        assert.equal(answer.rows.length, 2, told);
        const stored = app.services.pseudonyms.user(publisher.id, name);
        for (const row of answer.rows)
          assert.equal(row.user, allowed.user_reports ? stored : 'anonymous', told);
        const win = answer.rows.find(({ kind }) => kind === 'win');
        assert.equal(win?.session !== null, allowed.frequency_capping, told);
        assert.equal(win?.identity !== null, allowed.identity_links, told);
        await follow(answer.ad.impUrl);
        const landed = await follow(answer.ad.clickUrl);
        assert.equal(
          landed.searchParams.has('grclid'),
          allowed.advertiser_sharing && allowed.conversion_matching,
          told,
        );
        // The name itself is nowhere, whatever is allowed.
        assert.ok(!JSON.stringify(answer.rows).includes(name));
      }
    });

    it('a string that is too long or garbage is told, and no error', async () => {
      const { ask } = await conversations();
      const { headers } = await ask({ regs: { gdpr: 1, tcf: 'C'.repeat(100_000), gpp: '~' } });
      assert.equal(
        headers['privacy-problems'],
        'tcf: too long, tcf: not readable, gpp: not readable',
      );
      const plain = await ask({});
      for (const name of ['privacy-signals', 'privacy-denied', 'privacy-problems'])
        assert.equal(plain.headers[name], undefined);
    });

    it('the newest word counts: what a beacon says undoes what its ad was served under', async () => {
      const { advertiser, ask } = await conversations();
      const links = () => rows('viewer_links', advertiser.id);
      const everyPurpose = encodeURIComponent(tcfString({ purposes: [1, 2, 3, 4, 7, 10] }));
      const person = (n: number) => ({
        sessionId: `turn ${n}`,
        user: { id: `p${n}`, hashed_email: sha(`turn${n}@people.example`) },
      });
      const withdrawn = await ask(person(1));
      await follow(withdrawn.ad.impUrl, '&gdpr=1');
      const left = await follow(withdrawn.ad.clickUrl, '&gdpr=1&gdpr_consent=x');
      assert.equal(left.searchParams.has('grclid'), false);
      assert.equal(await links(), 0);
      const control = await ask(person(2));
      await follow(control.ad.impUrl, '', { 'sec-gpc': '1' });
      assert.equal(await links(), 0);
      const given = await ask({ ...person(3), regs: { gdpr: 1 } });
      await follow(given.ad.impUrl);
      const came = await follow(given.ad.clickUrl, `&gdpr=1&gdpr_consent=${everyPurpose}`);
      assert.equal(came.searchParams.has('grclid'), true);
      const plain = await ask(person(4));
      await follow(plain.ad.impUrl);
      assert.equal(await links(), 1);
      assert.equal((await verifyTotals(app.db)).isClean, true);
    });

    it('a pixel stores nothing of a visitor who did not agree', async () => {
      const { apiKey, id } = await app.newAdvertiser();
      const pixel = await app.http.inject({
        method: 'POST',
        url: '/advertiser-dashboard/pixels',
        headers: { 'x-api-key': apiKey },
        payload: { url: 'shop.example' },
      });
      const send = async (query: string, more: object, headers: Record<string, string> = {}) => {
        const answer = await app.http.inject({
          method: 'POST',
          url: `/track/gr-events${query}`,
          headers: { 'user-agent': browser, ...headers },
          payload: {
            pixel_id: pixel.json().id,
            visitor_id: 'v-consent',
            session_id: 's-consent',
            events: [
              {
                event_type: 'Lead',
                event_id: `e${query}`,
                url: 'https://shop.example/',
                timestamp: app.clock.now,
              },
            ],
            ...more,
          },
        });
        assert.equal(answer.statusCode, 202);
        return rows('conversions', id);
      };
      assert.equal(await send('?gdpr=1', {}), 0);
      assert.equal(await send('', { regs: { us_privacy: '1YYN' } }), 0);
      assert.equal(await send('', { regs: { gdpr: 1 }, consent: false }), 0);
      assert.equal(await send('', {}, { dnt: '1' }), 0);
      assert.equal(await send('', { regs: { gdpr: 1, tcf: tcfString({ purposes: [1, 7] }) } }), 1);
    });

    it('who wants nothing personal is nobody from the next ad on, until they change their mind', async () => {
      const { publisher, ask } = await conversations();
      const choose = async (personalisation: boolean) => {
        const answer = await app.http.inject({
          method: 'POST',
          url: '/publisher-dashboard/privacy-choices',
          headers: { 'x-api-key': publisher.apiKey },
          payload: { user_id: 'shy', personalisation },
        });
        assert.equal(answer.statusCode, 200, answer.body);
      };
      const seenAs = async (): Promise<string | undefined> =>
        (await ask({ userId: 'shy' })).rows[0]?.user;
      const known = app.services.pseudonyms.user(publisher.id, 'shy');
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
    });

    it('the publisher reads its users by their own names, nobody else reads them anywhere', async () => {
      const { publisher, ask } = await conversations();
      await ask({ userId: 'Grace Hopper' });
      const users = await app.http.inject({
        url: '/publisher-dashboard/users?search=hopper',
        headers: { 'x-api-key': publisher.apiKey },
      });
      assert.deepEqual(
        users.json().users.map((user: { pub_user_id: string }) => user.pub_user_id),
        ['Grace Hopper'],
      );
      const day = new Date(app.clock.now).toISOString().slice(0, 10);
      const exported = await app.http.inject({
        url: `/publisher-dashboard/exports/events?start_date=${day}&end_date=${day}`,
        headers: { 'x-api-key': publisher.apiKey },
      });
      assert.ok(exported.body.includes(',Grace Hopper,'), exported.body);
      assert.deepEqual(await tablesWith('Grace Hopper'), []);
    });

    /** Tables that hold the text anywhere. */
    const tablesWith = async (text: string): Promise<string[]> => {
      const tables = await app.db.query<{ name: string }>(
        `select relname as name
         from pg_class
         where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
           and not relispartition`,
      );
      const found: string[] = [];
      for (const { name } of tables) {
        const hits = await app.db.query(
          `select 1 from ${name} t where position($1 in t::text) > 0 limit 1`,
          [text],
        );
        if (hits.length > 0) found.push(name);
      }
      return found;
    };

    it('a user is erased by the publisher’s own name for them, with a receipt, and found nowhere', async () => {
      const { publisher, ask } = await conversations();
      const user = { id: 'erase me', hashed_email: sha('gone@people.example') };
      const { ad } = await ask({ user, sessionId: 'erased session' });
      await follow(ad.impUrl);
      const headers = { 'x-api-key': publisher.apiKey };
      const post = async (url: string, payload: Record<string, unknown>) => {
        const answer = await app.http.inject({ method: 'POST', url, headers, payload });
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
      const pseudonym = app.services.pseudonyms.user(publisher.id, user.id);
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
        app.services.pseudonyms.session(publisher.id, 'erased session'),
      ])
        assert.deepEqual(await tablesWith(trace), [], trace);
      assert.equal((await verifyTotals(app.db)).isClean, true);
      const again = await post(url, { kind: 'access', user_id: user.id });
      assert.ok(Object.values(again.data).every((list) => (list as unknown[]).length === 0));
      const receipts = await app.http.inject({ url, headers });
      assert.deepEqual(
        receipts.json().requests.map((one: { kind: string }) => one.kind),
        ['access', 'erase', 'access'],
      );
      const all = await post(url, { kind: 'erase', user_id: 'anonymous' });
      assert.deepEqual([all.found.events, all.found.users], [0, 0]);
      const nobody = await app.http.inject({
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
      const operator = await signInOperator(app);
      const url = '/operator/privacy-requests';
      const shown = await operator('POST', url, { kind: 'access', user_id: user.id });
      assert.equal(shown.body.data.figures.length, 2, JSON.stringify(shown.body));
      const erased = await operator('POST', url, { kind: 'erase', user_id: user.id });
      assert.equal(erased.body.found.users, 2);
      for (const { publisher } of [first, second])
        assert.deepEqual(await tablesWith(app.services.pseudonyms.user(publisher.id, user.id)), []);
      const nobody = await operator('POST', url, { kind: 'erase', user_id: 'never here' });
      assert.deepEqual(nobody.body.found.users ?? 0, 0);
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
