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
import {
  deniedBy,
  type Permissions,
  permissionsFor,
  purposes,
  type Signal,
} from '../../domain/privacy/decision-table.js';
import { rewriteNames } from '../../platform/privacy/rewrite-names.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';
import { identityKey } from '../../domain/pii.js';
import { nilUuid } from '../../domain/uuid.js';
import { erasePerson } from './erasing/erase.js';
import { optOut as optOutPerson } from './opt-out.js';

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

    it('what a signal does not allow is neither used nor stored, cell by cell', async () => {
      const { publisher, advertiser, ask } = await conversations();
      // For women alone, and worth more: shown to whoever may be chosen for by gender.
      const personal = await insertLiveCampaign(app, advertiser.id, {
        context: 'kayaks for beginners',
        maxCpmMicros: 50_000_000,
      });
      await app.db.query(
        `update campaigns set demographics = '{"genders": ["female"]}' where id = $1`,
        [personal.campaignId],
      );
      await app.serving.inventory.refresh([personal.campaignId]);
      const shy = 'person who wants nothing personal';
      const chosen = await app.http.inject({
        method: 'POST',
        url: '/publisher-dashboard/privacy-choices',
        headers: { 'x-api-key': publisher.apiKey },
        payload: { user_id: shy, personalisation: false },
      });
      assert.equal(chosen.statusCode, 200, chosen.body);
      const gpp = new GppModel();
      gpp.setFieldValue('usnat', 'TargetedAdvertisingOptOut', 1);
      const european = new GppModel();
      european.decodeSection('tcfeuv2', tcfString({ purposes: [1, 2, 3, 7] }));
      const canadian = new GppModel();
      canadian.setFieldValue(
        'tcfcav1',
        'PurposesExpressConsent',
        Array.from({ length: 24 }, (_, at) => [0, 1, 6, 9].includes(at)),
      );
      const child = new GppModel();
      child.setFieldValue('usca', 'KnownChildSensitiveDataConsents', [1, 0]);
      const control = new GppModel();
      control.setFieldValue('usca', 'Gpc', true);
      const older = new GppModel();
      older.decodeSection('uspv1', '1YYN');
      const all = [1, 2, 3, 4, 7, 10];
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
        // Every purpose alone, all but each, and all: each cell of the row is seen both ways.
        ...[...all.map((one) => [one]), ...all.map((one) => all.filter((n) => n !== one)), all].map(
          (tcf) => ({
            body: {
              regs: { ext: { gdpr: 1 } },
              user: { consent: tcfString({ purposes: tcf }) },
            },
            signals: ['consent_asked' as const],
            tcf,
          }),
        ),
        {
          body: { regs: { gpp: european.encode(), gpp_sid: [2] } },
          signals: ['consent_asked'],
          tcf: [1, 2, 3, 7],
        },
        {
          body: { regs: { gpp: canadian.encode(), gpp_sid: [5] } },
          signals: ['consent_asked'],
          tcf: [1, 2, 7, 10],
        },
        { body: { regs: { gpp: older.encode() } }, signals: ['sale_opt_out'] },
        { body: { regs: { gpp: control.encode(), gpp_sid: [8] } }, signals: ['gpc'] },
        { body: { regs: { gpp: child.encode(), gpp_sid: [8] } }, signals: ['minor'] },
        { body: { regs: { gpc: 1 } }, signals: ['gpc'] },
        { body: { device: { lmt: 1 } }, signals: ['dnt'] },
        { body: { user: { id: shy } }, signals: ['opted_out'] },
        { body: { regs: { us_privacy: '1YYN' } }, signals: ['sale_opt_out'] },
        { body: { regs: { us_privacy: '1YNN' } }, signals: [] },
        { body: { regs: { gpp: gpp.encode(), gpp_sid: [7] } }, signals: ['sale_opt_out'] },
        { headers: { 'sec-gpc': '1' }, signals: ['gpc'] },
        { headers: { dnt: '1' }, signals: ['dnt'] },
        { body: { regs: { coppa: 1 } }, signals: ['minor'] },
        { body: { user: { age: 15 } }, signals: ['minor'] },
      ];
      const seen = new Set<string>();
      for (const [n, { body = {}, headers = {}, signals, tcf }] of rows.entries()) {
        const allowed = permissionsFor({
          agreements: tcf === undefined ? [] : [{ tcf: new Set(tcf) }],
          signals: new Set(signals.filter((signal) => signal !== 'consent_asked')),
          refused: new Set(),
        });
        const { user, ...more } = body as { user?: Record<string, unknown>; regs?: unknown };
        const name = String(user?.['id'] ?? `person ${n}`);
        const answer = await ask(
          {
            ...more,
            sessionId: `session ${n}`,
            user: {
              id: name,
              gender: 'female',
              hashed_email: sha(`${n}@people.example`),
              ...user,
            },
          },
          headers,
        );
        const told = JSON.stringify({ n, signals, tcf });
        assert.equal(answer.headers['privacy-signals'] ?? '', signals.join(', '), told);
        assert.equal(answer.rows.length, 2, told);
        const stored = app.services.pseudonyms.user(publisher.id, name);
        for (const row of answer.rows)
          assert.equal(row.user, allowed.user_reports ? stored : 'anonymous', told);
        seen.add(`context ${answer.ad !== undefined}`);
        assert.equal(
          answer.ad.campaignId === personal.campaignId,
          allowed.personal_choice,
          `chosen by gender: ${told}`,
        );
        assert.equal(
          answer.headers['privacy-denied'] ?? '',
          deniedBy(allowed).join(', '),
          'the answer says what was not done',
        );
        for (const purpose of purposes) seen.add(`${purpose} ${allowed[purpose]}`);
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
        await app.services.eventLog.drain();
        const links = await app.db.query(
          `select 1 from viewer_links where advertiser_id = $1 and identity = $2`,
          [
            advertiser.id,
            app.services.pseudonyms.viewer(advertiser.id, `em:${sha(`${n}@people.example`)}`),
          ],
        );
        assert.equal(links.length === 1, allowed.identity_links, `linked: ${told}`);
        await searchUnder(name, { ...more, user, headers }, allowed, told);
      }
      for (const purpose of purposes)
        for (const isAllowed of purpose === 'context' ? [true] : [true, false])
          assert.ok(seen.has(`${purpose} ${isAllowed}`), `${purpose} ${isAllowed} was tried`);

      /** The same person searches: words and names are kept where the table says so. */
      async function searchUnder(
        name: string,
        { user, headers, ...more }: Record<string, unknown>,
        allowed: Permissions,
        told: string,
      ): Promise<void> {
        const { consent, age } = Object(user) as { consent?: unknown; age?: number };
        const { device, regs } = more as { device?: { lmt: number }; regs?: object };
        // A search has no place for age and device: their flags say the same.
        const flags = {
          ...(age === undefined ? {} : { coppa: 1 }),
          ...(device === undefined ? {} : { dnt: 1 }),
        };
        const answer = await app.http.inject({
          method: 'POST',
          url: '/shop/search',
          headers: {
            'x-api-key': publisher.apiKey,
            ...(headers as Record<string, string> | undefined),
          },
          payload: {
            query: `paddles of ${name}`,
            external_user_id: name,
            regs: { ...regs, ...flags },
            ...(consent === undefined ? {} : { consent }),
          },
        });
        assert.equal(answer.statusCode, 200, answer.body);
        await app.services.eventLog.drain();
        const [row] = await app.db.query<{ query: string; user: string | null }>(
          `select query, user_hash as user
           from shop_searches
           where publisher_id = $1
           order by at desc, id desc
           limit 1`,
          [publisher.id],
        );
        assert.equal(row?.query, allowed.query_storage ? `paddles of ${name}` : '', told);
        assert.equal(row?.user !== null, allowed.user_reports, told);
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
      // On the operator's list they are nobody to everybody, searches included.
      const everywhere = sha('nowhere@people.example');
      await optOutPerson(app.services, nilUuid, [identityKey('em', everywhere)], 'operator');
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

    it('hostile strings are no consent and no error, at every door that reads them', async () => {
      const { ask } = await conversations();
      const good = tcfString({ purposes: [1, 2, 3, 4, 7, 10] });
      // The first six bits are the version.
      const ofVersion = (version: string): string => version + good.slice(1);
      for (const tcf of [
        ofVersion('B'),
        ofVersion('D'),
        ofVersion('_'),
        good.slice(0, 30),
        good.slice(0, -20) + '/'.repeat(20),
        `${good}.${'Z'.repeat(4000)}`.slice(0, 25),
        'C' + '_'.repeat(8000),
        '\u0000'.repeat(40),
        '{"purposes":[1,2,3]}',
      ]) {
        const { headers } = await ask({ regs: { gdpr: 1, tcf } });
        assert.equal(headers['privacy-signals'], 'consent_asked', tcf.slice(0, 40));
        assert.equal(String(headers['privacy-denied']).split(', ').length, 7, tcf.slice(0, 40));
      }
      for (const [name, value] of [
        ['regs', 'gdpr=1'],
        ['regs', [[]]],
        ['regs', { gpp: { toString: 'x' }, gpp_sid: { 0: 7 } }],
        ['regs', { ext: { ext: { gdpr: 1 } }, us_privacy: ['1YYN'] }],
      ] as const) {
        const { headers } = await ask({ [name]: value, sessionId: JSON.stringify(value) });
        assert.equal(headers['privacy-signals'], 'sale_opt_out', JSON.stringify(value));
        assert.notEqual(headers['privacy-problems'], undefined, JSON.stringify(value));
      }
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

    it('the link in an ad shows and erases by the same mechanism, for that person alone', async () => {
      const { publisher, ask } = await conversations();
      const name = 'Erased By Link';
      const other = 'Stays By Link';
      const of = (user: string) => app.services.pseudonyms.user(publisher.id, user);
      const person = { user: { id: name, hashed_email: sha('link@people.example') } };
      const { ad } = await ask({ ...person, sessionId: 'link session' });
      await ask({ user: { id: other }, sessionId: 'other session' });
      const elsewhere = await conversations();
      await elsewhere.ask({ user: { id: name }, sessionId: 'link session' });
      const namesake = app.services.pseudonyms.user(elsewhere.publisher.id, name);
      const foreign = await app.http.inject({
        method: 'POST',
        url: '/publisher-dashboard/privacy-requests',
        headers: { 'x-api-key': elsewhere.publisher.apiKey },
        payload: { kind: 'erase', user_id: other, publisher_id: publisher.id },
      });
      assert.equal(foreign.statusCode, 404, 'nobody erases for another publisher');
      const headers = { 'x-api-key': publisher.apiKey };
      const search = await app.http.inject({
        method: 'POST',
        url: '/shop/search',
        headers,
        payload: { query: 'paddles', external_user_id: name },
      });
      assert.equal(search.statusCode, 200, search.body);
      const { pathname } = new URL(ad.choicesUrl);
      const json = { accept: 'application/json' };
      const copy = await app.http.inject({ url: `${pathname}/copy`, headers: json });
      assert.equal(copy.statusCode, 200, copy.body);
      assert.equal(copy.json().data.product_searches[0].query, 'paddles');
      const bare = await app.http.inject({ method: 'POST', url: pathname, headers: json });
      assert.equal(bare.statusCode, 400);
      assert.match(bare.body, /action/);
      const erased = await app.http.inject({
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
      await app.services.eventLog.drain();
      for (const trace of [
        of(name),
        name,
        app.services.pseudonyms.session(publisher.id, 'link session'),
        app.services.pseudonyms.searcher(publisher.id, sha(name)),
      ])
        assert.deepEqual(await tablesWith(trace), [], trace);
      assert.ok((await tablesWith(of(other))).length >= 2, 'nobody else is erased');
      assert.ok((await tablesWith(namesake)).length >= 2, 'nor of the same name elsewhere');
      assert.equal((await verifyTotals(app.db)).isClean, true);
      const receipts = await app.http.inject({
        url: '/publisher-dashboard/privacy-requests',
        headers,
      });
      const [last, first] = receipts.json().requests;
      assert.deepEqual(
        [last.receipt_id, last.kind, last.asked_by, last.subject === first.subject],
        [receipt.receipt_id, 'erase', 'the person, by their link', true],
      );
      app.clock.now += 25 * 3_600_000;
      assert.equal(
        (await app.http.inject({ url: `${pathname}/copy`, headers: json })).statusCode,
        404,
        'a link found later shows no copy',
      );
    });

    it('a session is erased by its link; a user who was in it keeps their figures', async () => {
      const { publisher, ask } = await conversations();
      const { ad } = await ask({ sessionId: 'shared' });
      await ask({ sessionId: 'shared', user: { id: 'named in it' } });
      const erase = () =>
        app.http.inject({
          method: 'POST',
          url: `${new URL(ad.choicesUrl).pathname}?action=delete`,
          headers: { accept: 'application/json' },
        });
      const erased = await erase();
      assert.equal(erased.statusCode, 200, erased.body);
      assert.equal(erased.json().scope, 'session');
      const session = app.services.pseudonyms.session(publisher.id, 'shared');
      assert.deepEqual(await tablesWith(session), []);
      const user = app.services.pseudonyms.user(publisher.id, 'named in it');
      assert.ok((await tablesWith(user)).length >= 2);
      assert.equal((await verifyTotals(app.db)).isClean, true);
      const codes = [];
      for (let time = 0; time < 6; time += 1) codes.push((await erase()).statusCode);
      assert.deepEqual([codes[0], codes.at(-1)], [200, 429], 'it is work, and so it is limited');
    });

    it('searches hear the browser’s own word and what the person decided', async () => {
      const publisher = await app.newPublisher();
      const search = async (
        path: string,
        body: Record<string, unknown>,
        headers: Record<string, string> = {},
      ) => {
        const answer = await app.http.inject({
          method: 'POST',
          url: path,
          headers: { 'x-api-key': publisher.apiKey, ...headers },
          payload: { query: 'email api', external_user_id: 'searcher', ...body },
        });
        assert.equal(answer.statusCode, 200, answer.body);
        return answer;
      };
      for (const path of ['/search', '/shop/search']) {
        assert.equal((await search(path, {})).headers['privacy-signals'], undefined);
        const control = await search(path, {}, { 'sec-gpc': '1' });
        assert.equal(control.headers['privacy-signals'], 'gpc');
        assert.equal(
          (await search(path, { regs: 'gdpr=1' })).headers['privacy-problems'],
          'regs: not an object',
        );
        const young = await search(path, { regs: { coppa: 1 } });
        assert.match(String(young.headers['privacy-denied']), /query_storage/);
      }
      const told = await search('/search', {}, { 'sec-gpc': '1' });
      assert.equal((await follow(told.json().click_url)).searchParams.has('grclid'), false);
      const plain = await search('/search', {});
      assert.equal((await follow(plain.json().click_url)).searchParams.has('grclid'), true);
      const choose = await app.http.inject({
        method: 'POST',
        url: '/publisher-dashboard/privacy-choices',
        headers: { 'x-api-key': publisher.apiKey },
        payload: { user_id: 'searcher', personalisation: false },
      });
      assert.equal(choose.statusCode, 200, choose.body);
      const searcher = app.services.pseudonyms.searcher(publisher.id, sha('searcher'));
      const named = () =>
        app.db.query(`select 1 from tool_searches where user_hash = $1`, [searcher]);
      await app.services.eventLog.drain();
      const before = (await named()).length;
      const decided = await search('/search', {});
      assert.equal(decided.headers['privacy-signals'], 'opted_out');
      await app.services.eventLog.drain();
      assert.equal((await named()).length, before);
    });

    it('conversions of people who did not agree are skipped, told in the event, the batch or a header', async () => {
      const { apiKey, id } = await app.newAdvertiser();
      const event = { user_data: { em: ['signals@example.com'] } };
      assert.deepEqual(
        await send(apiKey, [
          { ...event, event_id: 'g0', regs: { gdpr: 1 } },
          { ...event, event_id: 'g1', regs: { us_privacy: '1YYN' } },
          { ...event, event_id: 'g2', consent: { measurement: false } },
          { ...event, event_id: 'g3', regs: { gdpr: 1, tcf: tcfString({ purposes: [1, 7] }) } },
        ]),
        ['skipped', 'skipped', 'skipped', 'ok'],
      );
      assert.equal(await rows('conversions', id), 1);
      const batch = async (body: object, headers: Record<string, string> = {}) =>
        app.http.inject({
          method: 'POST',
          url: '/gateway/events',
          headers: { authorization: `Bearer ${apiKey}`, ...headers },
          payload: {
            data: [
              {
                event_name: 'Lead',
                event_id: 'batch',
                event_time: Math.floor(app.clock.now / 1000),
                ...event,
              },
            ],
            ...body,
          },
        });
      for (const [body, headers] of [
        [{ regs: { coppa: 1 } }, {}],
        [{ consent: false }, {}],
        [{}, { 'sec-gpc': '1' }],
      ] as const)
        assert.equal((await batch(body, headers)).json().results[0].status, 'skipped');
      const odd = await batch({ regs: 'x' });
      assert.equal(odd.headers['privacy-problems'], 'regs: not an object');
      assert.equal(odd.json().results[0].status, 'skipped');
      assert.equal(await rows('conversions', id), 1);
    });

    it('names that an earlier version stored as they were become pseudonyms, from where a stop left off', async () => {
      const { publisher, advertiser, ask } = await conversations();
      const { pseudonyms } = app.services;
      const hash = `em:${sha('plain@people.example')}`;
      const { ad } = await ask({ user: { id: 'Zyx user' }, sessionId: 'Zyx session' });
      await follow(ad.impUrl);
      await ask({ user: { id: 'Zyx user' }, sessionId: 'another session' });
      await app.services.eventLog.drain();
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
        await app.db.query(statement, values);
      const figures = () =>
        app.db.query(
          `select user_id, requests, ads_served, impressions
           from publisher_users
           where publisher_id = $1
           order by 1`,
          [publisher.id],
        );
      const before = await figures();
      const deps = { ...app.services, forgetServed: () => app.services.eventLog.forgetServed() };
      const isFinished = async (): Promise<boolean> =>
        (await app.db.query(`select 1 from installation where value = 'finished'`)).length === 1;
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
      assert.equal((await verifyTotals(app.db)).isClean, true);
      const users = await app.http.inject({
        url: '/publisher-dashboard/users',
        headers: { 'x-api-key': publisher.apiKey },
      });
      assert.equal(users.json().users[0].pub_user_id, 'Zyx user');
    });

    it('what a session decided is forgotten after a while, what a user decided is not', async () => {
      const publisher = await app.newPublisher();
      const choose = await app.http.inject({
        method: 'POST',
        url: '/publisher-dashboard/privacy-choices',
        headers: { 'x-api-key': publisher.apiKey },
        payload: { user_id: 'stays private', session_id: 'passes', personalisation: false },
      });
      assert.equal(choose.statusCode, 200, choose.body);
      const kept = async (days: number): Promise<string[]> => {
        app.clock.now += days * 86_400_000;
        await app.db.transaction((tx) =>
          app.services.jobs.enqueue(tx, 'forget-session-choices', `after ${days}`, {}),
        );
        await app.services.jobs.runDue();
        const rows = await app.db.query<{ scope: string }>(
          `select scope from privacy_choices where publisher_id = $1 order by scope`,
          [publisher.id],
        );
        return rows.map(({ scope }) => scope);
      };
      assert.deepEqual(await kept(29), ['session', 'user']);
      assert.deepEqual(await kept(2), ['user']);
      const user = app.services.pseudonyms.user(publisher.id, 'stays private');
      assert.equal(app.services.choices.of(publisher.id, [user]).noPersonalisation, true);
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
