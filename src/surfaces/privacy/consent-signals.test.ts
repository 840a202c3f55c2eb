import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GppModel } from '@iabgpp/cmpapi';
import { tcfString } from '../../../test/support/consent-strings.js';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { testEngines } from '../../../test/support/test-database.js';
import {
  deniedBy,
  type Permissions,
  permissionsFor,
  purposes,
  type Signal,
} from '../../domain/privacy/decision-table.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';
import { openPrivacyDesk, sha } from '../../../test/support/privacy-desk.js';

for (const engine of testEngines()) {
  describe(`signals of consent on the ${engine.name} engine`, () => {
    const desk = openPrivacyDesk(engine);
    const { send, rows, conversations, browser, follow } = desk;

    it('what a signal does not allow is neither used nor stored, cell by cell', async () => {
      const { publisher, advertiser, ask } = await conversations();
      // For women alone, and worth more: shown to whoever may be chosen for by gender.
      const personal = await insertLiveCampaign(desk.app, advertiser.id, {
        context: 'kayaks for beginners',
        maxCpmMicros: 50_000_000,
      });
      await desk.app.db.query(
        `update campaigns set demographics = '{"genders": ["female"]}' where id = $1`,
        [personal.campaignId],
      );
      await desk.app.serving.inventory.refresh([personal.campaignId]);
      const shy = 'person who wants nothing personal';
      const chosen = await desk.app.http.inject({
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
        const stored = desk.app.services.pseudonyms.user(publisher.id, name);
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
        await desk.app.services.eventLog.drain();
        const links = await desk.app.db.query(
          `select 1 from viewer_links where advertiser_id = $1 and identity = $2`,
          [
            advertiser.id,
            desk.app.services.pseudonyms.viewer(advertiser.id, `em:${sha(`${n}@people.example`)}`),
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
        const answer = await desk.app.http.inject({
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
        await desk.app.services.eventLog.drain();
        const [row] = await desk.app.db.query<{ query: string; user: string | null }>(
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
      assert.equal((await verifyTotals(desk.app.db)).isClean, true);
    });

    it('a pixel stores nothing of a visitor who did not agree', async () => {
      const { apiKey, id } = await desk.app.newAdvertiser();
      const pixel = await desk.app.http.inject({
        method: 'POST',
        url: '/advertiser-dashboard/pixels',
        headers: { 'x-api-key': apiKey },
        payload: { url: 'shop.example' },
      });
      const send = async (query: string, more: object, headers: Record<string, string> = {}) => {
        const answer = await desk.app.http.inject({
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
                timestamp: desk.app.clock.now,
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

    it('searches hear the browser’s own word and what the person decided', async () => {
      const publisher = await desk.app.newPublisher();
      const search = async (
        path: string,
        body: Record<string, unknown>,
        headers: Record<string, string> = {},
      ) => {
        const answer = await desk.app.http.inject({
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
      const choose = await desk.app.http.inject({
        method: 'POST',
        url: '/publisher-dashboard/privacy-choices',
        headers: { 'x-api-key': publisher.apiKey },
        payload: { user_id: 'searcher', personalisation: false },
      });
      assert.equal(choose.statusCode, 200, choose.body);
      const searcher = desk.app.services.pseudonyms.searcher(publisher.id, sha('searcher'));
      const named = () =>
        desk.app.db.query(`select 1 from tool_searches where user_hash = $1`, [searcher]);
      await desk.app.services.eventLog.drain();
      const before = (await named()).length;
      const decided = await search('/search', {});
      assert.equal(decided.headers['privacy-signals'], 'opted_out');
      await desk.app.services.eventLog.drain();
      assert.equal((await named()).length, before);
    });

    it('conversions of people who did not agree are skipped, told in the event, the batch or a header', async () => {
      const { apiKey, id } = await desk.app.newAdvertiser();
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
        desk.app.http.inject({
          method: 'POST',
          url: '/gateway/events',
          headers: { authorization: `Bearer ${apiKey}`, ...headers },
          payload: {
            data: [
              {
                event_name: 'Lead',
                event_id: 'batch',
                event_time: Math.floor(desk.app.clock.now / 1000),
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
  });
}
