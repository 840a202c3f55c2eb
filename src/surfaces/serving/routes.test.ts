import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  insertLiveCampaign,
  type LiveCampaignOptions,
} from '../../../test/support/live-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { readRecord } from '../../domain/decision/decision-record.js';
import { placements } from '../../domain/placement.js';

const need = 'best fertiliser for tropical orchid houseplants?';
const valid = {
  messages: [{ role: 'user', content: need }],
  sessionId: 's',
  placements: [{ placement: 'below_response', placement_id: 'main' }],
};

for (const engine of testEngines()) {
  describe(`the ad route on the ${engine.name} engine`, () => {
    let app: TestApp;
    let sessions = 0;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    const send = (key: string | null, payload: unknown, headers: Record<string, string> = {}) =>
      app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: {
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          'content-type': 'application/json',
          ...headers,
        },
        payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
      });
    const ask = (
      key: string,
      extra: Record<string, unknown> = {},
      headers: Record<string, string> = {},
    ) => send(key, { ...valid, sessionId: `s${(sessions += 1)}`, ...extra }, headers);
    /** A campaign of its own, and a publisher who is shown nothing else. */
    async function market(options: Partial<LiveCampaignOptions> = {}) {
      const advertiser = await app.newAdvertiser();
      const campaign = await insertLiveCampaign(app, advertiser.id, {
        context: 'orchid fertiliser for tropical houseplants',
        maxCpmMicros: 5_000_000,
        ...options,
      });
      const publisher = await app.newPublisher();
      const others = await app.db.query<{ id: string }>(
        `select id from advertisers where id <> $1`,
        [advertiser.id],
      );
      await app.db.query(`update publishers set blocked_advertisers = $2 where id = $1`, [
        publisher.id,
        others.map((row) => row.id),
      ]);
      await app.services.directory.refresh();
      return { advertiser, publisher, key: publisher.apiKey, ...campaign };
    }
    const change = async (
      campaignId: string,
      sql: string,
      values: unknown[] = [],
    ): Promise<void> => {
      await app.db.query(sql, values);
      await app.serving.inventory.refresh([campaignId]);
    };

    it('checks the key before the body', async () => {
      for (const payload of ['', '{', '[]', '{}']) {
        assert.equal((await send(null, payload)).statusCode, 401);
        assert.deepEqual((await send(null, payload)).json(), { detail: 'missing_api_key' });
        const unknown = await send('sl_pub_nobody', payload);
        assert.equal(unknown.statusCode, 401);
        assert.deepEqual(unknown.json(), { detail: 'invalid_credentials' });
      }
      const advertiser = await app.newAdvertiser();
      assert.equal((await send(advertiser.apiKey, '{')).statusCode, 403);
      const publisher = await app.newPublisher();
      assert.equal(
        (
          await app.http.inject({
            method: 'POST',
            url: '/api/v1/ad',
            headers: { 'x-api-key': publisher.apiKey },
            payload: valid,
          })
        ).statusCode,
        401,
      );
      assert.equal(
        (
          await app.http.inject({
            method: 'POST',
            url: `/api/v1/ad?api_key=${publisher.apiKey}`,
            payload: valid,
          })
        ).statusCode,
        401,
      );
      assert.equal(
        (await send(null, valid, { authorization: `bearer   ${publisher.apiKey}` })).statusCode <
          300,
        true,
      );
    });

    it('refuses publishers that are not approved, except for test ads, and blocked ones altogether', async () => {
      const publisher = await app.newPublisher({ status: 'pending' });
      const refused = await ask(publisher.apiKey);
      assert.equal(refused.statusCode, 403);
      assert.deepEqual(refused.json(), { detail: 'publisher_not_approved' });
      const empty = await app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${publisher.apiKey}` },
        payload: {},
      });
      assert.deepEqual(
        [empty.statusCode, empty.json()],
        [403, { detail: 'publisher_not_approved' }],
      );
      const answer = await ask(publisher.apiKey, {
        testAd: true,
        messages: [{ role: 'user', content: 'hi' }],
        placements: placements
          .slice(0, 10)
          .map((placement, index) => ({ placement, placement_id: `p${index}` })),
      });
      assert.equal(answer.statusCode, 200);
      assert.deepEqual(
        answer.json().map((ad: { placement_id: string }) => ad.placement_id),
        Array.from({ length: 10 }, (_, index) => `p${index}`),
      );
      await app.db.query(`update publishers set status = 'blocked' where id = $1`, [publisher.id]);
      await app.services.directory.refresh();
      assert.equal((await ask(publisher.apiKey, { testAd: true })).statusCode, 403);
    });

    it('names the place of every wrong type and missing field', async () => {
      const { apiKey } = await app.newPublisher();
      const without = (name: string): Record<string, unknown> =>
        Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name));
      const cases: [unknown, (string | number)[]][] = [
        ...['messages', 'sessionId', 'placements'].map((name): [unknown, string[]] => [
          without(name),
          ['body', name],
        ]),
        ...[
          'messages',
          'sessionId',
          'placements',
          'user',
          'device',
          'excludedTopics',
          'relevancy',
          'testAd',
        ].flatMap((name) =>
          [{}, [5], 'x', 7, true]
            .filter(
              (value) =>
                JSON.stringify(value) !==
                (name === 'user' || name === 'device'
                  ? '{}'
                  : name === 'sessionId'
                    ? '"x"'
                    : name === 'testAd'
                      ? 'true'
                      : ''),
            )
            .map((value): [unknown, string[]] => [{ ...valid, [name]: value }, ['body', name]]),
        ),
        [{ ...valid, messages: [] }, ['body', 'messages']],
        [{ ...valid, messages: [{ role: 'user' }] }, ['body', 'messages', 0, 'content']],
        [{ ...valid, messages: [{ content: 'x' }] }, ['body', 'messages', 0, 'role']],
        [{ ...valid, messages: [{ role: 'tool', content: 'x' }] }, ['body', 'messages', 0, 'role']],
        [
          { ...valid, messages: [{ role: 'user', content: null }] },
          ['body', 'messages', 0, 'content'],
        ],
        [
          { ...valid, messages: [{ role: 'user', content: [] }] },
          ['body', 'messages', 0, 'content'],
        ],
        [{ ...valid, sessionId: '' }, ['body', 'sessionId']],
        [{ ...valid, sessionId: null }, ['body', 'sessionId']],
        [{ ...valid, placements: [] }, ['body', 'placements']],
        [{ ...valid, placements: Array(11).fill(valid.placements[0]) }, ['body', 'placements']],
        [
          { ...valid, placements: [{ placement: 'nowhere', placement_id: 'x' }] },
          ['body', 'placements', 0, 'placement'],
        ],
        [
          { ...valid, placements: [{ placement: 'top_page' }] },
          ['body', 'placements', 0, 'placement_id'],
        ],
        [{ ...valid, relevancy: 1.01 }, ['body', 'relevancy']],
        [{ ...valid, relevancy: -0.01 }, ['body', 'relevancy']],
        [{ ...valid, relevancy: '0.5' }, ['body', 'relevancy']],
        [{ ...valid, testAd: 'true' }, ['body', 'testAd']],
        [{ ...valid, user: { id: {} } }, ['body', 'user', 'id']],
        [{ ...valid, device: { ip: 5 } }, ['body', 'device', 'ip']],
        [[], ['body']],
        ['"text"', ['body']],
        ['null', ['body']],
      ];
      for (const [payload, loc] of cases) {
        const answer = await send(apiKey, payload);
        assert.equal(answer.statusCode, 422, `${JSON.stringify(payload)}: ${answer.body}`);
        const { detail } = answer.json() as {
          detail: { type: string; loc: unknown[]; msg: string }[];
        };
        assert.ok(
          detail.some(
            (problem) => JSON.stringify(problem.loc.slice(0, loc.length)) === JSON.stringify(loc),
          ),
          `${JSON.stringify(payload)}: ${answer.body}`,
        );
        for (const problem of detail)
          assert.ok(typeof problem.type === 'string' && typeof problem.msg === 'string');
      }
    });

    it('tells with every ad that it is one, whose, who paid and why, in the person’s language', async () => {
      const { key, advertiser, campaignId } = await market();
      const told = async (extra: Record<string, unknown> = {}, headers = {}) => {
        const answer = await ask(key, extra, headers);
        assert.equal(answer.statusCode, 200, answer.body);
        return answer.json()[0].disclosure;
      };
      const english = await told({ locale: 7, device: { locale: 'xx-YY' } });
      const [account] = await app.db.query<{ name: string }>(
        `select name from advertisers where id = $1`,
        [advertiser.id],
      );
      assert.deepEqual(english, {
        label: 'Sponsored',
        advertiser: 'shop.example',
        paid_by: account?.name,
        why: 'Shown because it fits what this conversation is about.',
        presentation: 'separate',
      });
      assert.deepEqual(
        [
          (await told({ locale: 'de-CH' })).label,
          (await told({ device: { locale: 'fr_FR' } })).label,
          (await told({ user: { language: 'ja' } })).label,
          (await told({}, { 'accept-language': 'xx, es-MX;q=0.8, de' })).label,
          (await told({ locale: 'pt-BR', device: { locale: 'de' } })).label,
        ],
        ['Anzeige', 'Sponsorisé', '広告', 'Patrocinado', 'Patrocinado'],
      );
      await change(campaignId, `update campaigns set allowed_countries = '{DE}' where id = $1`, [
        campaignId,
      ]);
      assert.match((await told({ device: { country: 'DE' } })).why, /countries or devices\.$/);
      await change(
        campaignId,
        `update campaigns set demographics = '{"interests": ["orchids"]}' where id = $1`,
        [campaignId],
      );
      const personal = await told({ device: { country: 'DE' }, user: { keywords: ['orchids'] } });
      assert.match(personal.why, /chose an audience by details this app passed on\.$/);
      assert.ok(!JSON.stringify(personal).includes('orchids'));
      const test = await told({ testAd: true });
      assert.match(test.why, /^A test ad/);
    });

    it('names the whole way an ad is bought by, as sellers.json and ads.txt do', async () => {
      const { key, publisher } = await market();
      await app.db.query(`update publishers set url = 'https://www.chat.example/x' where id = $1`, [
        publisher.id,
      ]);
      const answer = await ask(key);
      const [node] = answer.json()[0].schain.nodes;
      const { sellers } = (await app.http.inject({ url: '/sellers.json' })).json();
      const seller = sellers.find((one: { seller_id: string }) => one.seller_id === node.sid);
      assert.deepEqual(
        [seller.domain, seller.seller_type, node.hp, node.rid, answer.json()[0].schain.complete],
        ['chat.example', 'PUBLISHER', 1, answer.headers['x-ad-request-id'], 1],
      );
      const line = `${node.asi}, ${publisher.id}, DIRECT\n`;
      for (const url of ['/ads.txt', `/ads.txt?seller_id=${publisher.id}`])
        assert.ok((await app.http.inject({ url })).body.includes(line), url);
      const pending = await app.newPublisher({ status: 'pending' });
      assert.equal(
        (await app.http.inject({ url: `/ads.txt?seller_id=${pending.id}` })).statusCode,
        404,
      );
    });

    it('keeps a campaign from where it does not want to stand, and shows it no more often than it asks', async () => {
      const { key, publisher, campaignId } = await market();
      const set = (column: 'brand_safety' | 'frequency_cap', value: unknown) =>
        change(campaignId, `update campaigns set ${column} = $2::jsonb where id = $1`, [
          campaignId,
          value === null ? null : JSON.stringify(value),
        ]);
      const reason = async (extra: Record<string, unknown> = {}) =>
        (await ask(key, extra)).headers['no-ad-reason'];
      await set('brand_safety', { excluded_publishers: [publisher.id] });
      assert.equal(await reason(), 'excluded');
      // Nobody told what the conversation is about: it may be of that category.
      await set('brand_safety', { excluded_categories: ['286'] });
      assert.equal(await reason(), 'excluded');
      await set('brand_safety', null);
      await set('frequency_cap', { per_session: 1, per_user_day: 2 });
      const fills = async (extra: Record<string, unknown>) =>
        (await ask(key, extra)).statusCode === 200;
      assert.equal(await fills({ sessionId: 'capped' }), true);
      assert.equal(await fills({ sessionId: 'capped' }), false);
      const user = { user: { id: 'often' } };
      assert.deepEqual(
        [await fills(user), await fills(user), await fills(user)],
        [true, true, false],
      );
      // Who may not be counted is not shown what asks to be shown only so often.
      assert.equal(await fills({ regs: { gdpr: 1 } }), false);
      await set('frequency_cap', null);
      assert.equal(await fills({ regs: { gdpr: 1 } }), true);
    });

    it('takes null and unknown fields for nothing', async () => {
      const { key } = await market();
      const answer = await ask(key, {
        user: null,
        userId: null,
        device: null,
        excludedTopics: null,
        relevancy: null,
        testAd: null,
        somethingNew: { deep: [1] },
      });
      assert.equal(answer.statusCode, 200, answer.body);
      assert.equal(
        (await ask(key, { user: { anything: 1 }, device: { other: [] }, excludedTopics: [] }))
          .statusCode,
        200,
      );
    });

    it('answers a huge body with 413, malformed JSON with 400, another type with 415, too many messages with 422', async () => {
      const { key } = await market();
      const huge = await ask(key, {
        messages: [{ role: 'user', content: 'x'.repeat(1024 * 1024) }],
      });
      assert.equal(huge.statusCode, 413);
      assert.deepEqual(huge.json(), { detail: 'payload_too_large' });
      const malformed = await send(key, '{"messages":');
      assert.deepEqual(
        [malformed.statusCode, malformed.json()],
        [400, { detail: 'malformed_json' }],
      );
      assert.equal(
        (await send(key, 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }))
          .statusCode,
        415,
      );
      const messages = (count: number) => [
        ...Array.from({ length: count - 1 }, () => ({ role: 'user', content: 'ok' })),
        { role: 'user', content: need },
      ];
      const many = await ask(key, { messages: messages(1000) });
      assert.equal(many.statusCode, 200, many.body);
      for (const count of [1001, 10_000]) {
        const tooMany = await ask(key, { messages: messages(count) });
        assert.equal(tooMany.statusCode, 422);
        assert.match(tooMany.body, /messages/);
      }
      const wrong = await ask(key, {
        messages: Array.from({ length: 10_000 }, () => ({ role: 5 })),
      });
      assert.equal(wrong.statusCode, 422);
      assert.ok(wrong.body.length < 50_000);
    });

    it('survives control characters, null characters and half characters anywhere', async () => {
      const { key } = await market();
      for (const odd of [
        '\\u0000',
        '\\ud800',
        '\\udfff\\ud800',
        '\\u0007\\u001b[2J',
        '\\u202e\\ufeff',
        '\\uffff',
      ]) {
        const body = `{"messages":[{"role":"user","content":"${odd}${need}"}],"sessionId":"${odd}s","placements":[{"placement":"below_response","placement_id":"${odd}"}],"userId":"${odd}","user":{"id":"u${odd}","gender":"${odd}","age":"${odd}","keywords":["${odd}"],"hashed_email":"${odd}"},"device":{"ip":"${odd}","ua":"${odd}","country":"${odd}","device_type":"${odd}"},"excludedTopics":["${odd}x"],"${odd}":"${odd}"}`;
        const answer = await send(key, body, { 'user-agent': 'x\u0007' });
        assert.ok(
          [200, 204].includes(answer.statusCode),
          `${odd}: ${answer.statusCode} ${answer.body}`,
        );
      }
    });

    it('says 204 without a body when nothing fits, and names the request', async () => {
      const { key } = await market();
      for (const content of ['hello there!', 'how do volcanoes form?', '']) {
        const answer = await ask(key, { messages: [{ role: 'user', content }] });
        assert.deepEqual([answer.statusCode, answer.body], [204, '']);
        assert.match(String(answer.headers['x-ad-request-id']), /^[0-9a-f-]{36}$/);
      }
    });

    it('gives every ad what a publisher needs, with fallbacks', async () => {
      const { key, campaignId, adGroupId } = await market({
        landingPage: 'https://www.orchids.example/x',
        leadForm: {
          title: 'Ask',
          fields: [{ name: 'email', label: 'E-mail', type: 'email', required: true }],
        },
      });
      await change(
        campaignId,
        `update ads set headline = null, copy = null where ad_group_id = $1`,
        [adGroupId],
      );
      const answer = await ask(key);
      assert.equal(answer.statusCode, 200);
      const [ad] = answer.json();
      assert.equal(ad.title, 'orchids.example');
      assert.equal(ad.brandName, 'orchids.example');
      assert.equal(ad.url, 'https://www.orchids.example/x');
      assert.equal(ad.campaignId, campaignId);
      assert.equal(ad.placement, 'below_response');
      assert.equal(ad.placement_id, 'main');
      assert.ok(ad.adText.length > 0 && ad.cta.length > 0);
      assert.match(ad.impUrl, /\/ack\?p=[\w-]{1,200}$/);
      assert.match(ad.clickUrl, /\/track\/click\?p=[\w-]{1,200}$/);
      assert.equal(ad.leadForm.title, 'Ask');
    });

    it('asks for feedback on some ads, with a question and reasons', async () => {
      const { key } = await market();
      const prompts: { question: string; reasons: string[] }[] = [];
      for (let round = 0; round < 40; round += 1) {
        const answer = await ask(key);
        for (const ad of answer.statusCode === 200 ? answer.json() : []) {
          assert.equal('leadForm' in ad, false);
          if ('feedbackPrompt' in ad) prompts.push(ad.feedbackPrompt);
        }
      }
      assert.ok(prompts.length > 0 && prompts.length < 40);
      for (const prompt of prompts)
        assert.ok(prompt.question.length > 0 && prompt.reasons.includes('irrelevant'));
    });

    it('honours topics the publisher or the request excludes', async () => {
      const { key, publisher } = await market();
      assert.equal((await ask(key, { excludedTopics: ['cars'] })).statusCode, 200);
      assert.equal((await ask(key, { excludedTopics: ['orchid'] })).statusCode, 204);
      await app.db.query(`update publishers set excluded_topics = '{orchid}' where id = $1`, [
        publisher.id,
      ]);
      await app.services.directory.refresh();
      assert.equal((await ask(key)).statusCode, 204);
    });

    it('serves nothing below the asked-for relevance', async () => {
      const { key } = await market({ context: 'orchid pots' });
      assert.equal((await ask(key, { relevancy: 0 })).statusCode, 200);
      assert.equal((await ask(key, { relevancy: 1 })).statusCode, 204);
    });

    it('shows a campaign limited to countries only where the country is known to be one of them', async () => {
      const { key } = await market({ allowedCountries: ['DE'] });
      const status = async (
        device: Record<string, unknown> | undefined,
        headers: Record<string, string> = {},
      ) => (await ask(key, device === undefined ? {} : { device }, headers)).statusCode;
      assert.equal(await status({ country: 'de' }), 200);
      assert.equal(await status({ country: 'FR' }), 204);
      assert.equal(await status({ ip: '194.25.0.60' }), 200);
      assert.equal(await status({ ip: '8.8.8.8' }), 204);
      for (const unknown of [
        {},
        { ip: '10.0.0.1' },
        { ip: '127.0.0.1' },
        { ip: 'nonsense' },
        { country: 'Germany' },
        undefined,
      ])
        assert.equal(await status(unknown), 204, JSON.stringify(unknown));
      assert.equal(await status(undefined, { 'x-forwarded-for': '194.25.0.60' }), 200);
    });

    it('honours devices and demographics, which unknown people do not meet', async () => {
      const { key, campaignId } = await market();
      await change(campaignId, `update campaigns set allowed_devices = '{mobile}' where id = $1`, [
        campaignId,
      ]);
      assert.equal((await ask(key, { device: { device_type: 'mobile' } })).statusCode, 200);
      assert.equal((await ask(key, { device: { device_type: 'desktop' } })).statusCode, 204);
      assert.equal(
        (
          await ask(key, {
            device: {
              ua: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
            },
          })
        ).statusCode,
        200,
      );
      await change(
        campaignId,
        `update campaigns
         set allowed_devices = '{}',
           demographics = '{"genders":["female"],"age_ranges":["25-34"],"interests":["plants"]}'
         where id = $1`,
        [campaignId],
      );
      const user = { gender: 'Female', age: '25-34', keywords: ['Plants'] };
      assert.equal((await ask(key, { user })).statusCode, 200);
      for (const other of [
        { ...user, gender: 'male' },
        { ...user, age: '65+' },
        { ...user, keywords: ['cars'] },
        {},
      ])
        assert.equal((await ask(key, { user: other })).statusCode, 204);
    });

    it('keeps an ad away from what its group does not want', async () => {
      const { key } = await market({ negativeContext: 'allergy' });
      assert.equal((await ask(key)).statusCode, 200);
      assert.equal(
        (await ask(key, { messages: [{ role: 'user', content: `${need} I have an allergy` }] }))
          .statusCode,
        204,
      );
    });

    it('shows a campaign to a session only so often', async () => {
      const { key } = await market();
      const statuses: number[] = [];
      for (let round = 0; round < 5; round += 1)
        statuses.push((await ask(key, { sessionId: 'capped' })).statusCode);
      assert.deepEqual(statuses, [200, 200, 200, 204, 204]);
      assert.equal((await ask(key, { sessionId: 'another' })).statusCode, 200);
      app.clock.now += 25 * 3_600_000;
      await app.serving.balance();
      assert.equal((await ask(key, { sessionId: 'capped' })).statusCode, 200);
    });

    it('goes on while a group gets its first daily budget, and stops when that is too small', async () => {
      const { key, campaignId } = await market();
      await change(
        campaignId,
        `update ad_groups set daily_budget_micros = 1 where campaign_id = $1`,
        [campaignId],
      );
      assert.equal((await ask(key)).statusCode, 200);
      await app.serving.balance();
      // Its one microdollar pays for one.
      assert.deepEqual([(await ask(key)).statusCode, (await ask(key)).statusCode], [200, 204]);
      await change(
        campaignId,
        `update ad_groups set daily_budget_micros = null where campaign_id = $1`,
        [campaignId],
      );
      assert.equal((await ask(key)).statusCode, 200);
    });

    it('goes on at midnight with the budget of the new day', async () => {
      const { key } = await market();
      const midnight = (Math.floor(app.clock.now / 86_400_000) + 1) * 86_400_000;
      app.clock.now = midnight - 3000;
      await app.serving.balance();
      app.clock.now = midnight + 1;
      assert.equal((await ask(key)).statusCode, 200);
    });

    it('gives several placements different advertisers, in the order asked for', async () => {
      const publisher = await app.newPublisher();
      for (let count = 0; count < 3; count += 1)
        await insertLiveCampaign(app, (await app.newAdvertiser()).id, {
          context: 'telescopes for amateur astronomers',
          maxCpmMicros: 5_000_000,
        });
      const answer = await ask(publisher.apiKey, {
        messages: [{ role: 'user', content: 'which telescope should an amateur astronomer buy?' }],
        placements: ['top_page', 'below_response', 'right_page', 'left_page', 'bottom_page'].map(
          (placement) => ({ placement, placement_id: placement }),
        ),
      });
      assert.equal(answer.statusCode, 200);
      const ads: { campaignId: string; placement: string; placement_id: string }[] = answer.json();
      assert.equal(ads.length, 3);
      assert.equal(new Set(ads.map((ad) => ad.campaignId)).size, 3);
      assert.deepEqual(
        ads.map((ad) => ad.placement),
        ads.map((ad) => ad.placement_id),
      );
      const order = ['top_page', 'below_response', 'right_page', 'left_page', 'bottom_page'];
      assert.deepEqual(
        ads.map((ad) => ad.placement),
        order.filter((placement) => ads.some((ad) => ad.placement === placement)),
      );
    });

    it('never sells below the floor, nor to a blocked advertiser', async () => {
      const { key, publisher, advertiser } = await market({ maxCpmMicros: 2_000_000 });
      await app.db.query(`update publishers set floor_cpm_micros = 2000001 where id = $1`, [
        publisher.id,
      ]);
      await app.services.directory.refresh();
      assert.equal((await ask(key)).statusCode, 204);
      await app.db.query(`update publishers set floor_cpm_micros = 2000000 where id = $1`, [
        publisher.id,
      ]);
      await app.services.directory.refresh();
      assert.equal((await ask(key)).statusCode, 200);
      await app.db.query(
        `update publishers set blocked_advertisers = blocked_advertisers || $2::uuid where id = $1`,
        [publisher.id, advertiser.id],
      );
      await app.services.directory.refresh();
      assert.equal((await ask(key)).statusCode, 204);
    });

    it('stops when the campaign is paused, rejected, ended or its advertiser blocked', async () => {
      const { key, campaignId, advertiser } = await market();
      for (const [off, on] of [
        [`status = 'paused'`, `status = 'active'`],
        [`review_status = 'rejected'`, `review_status = 'approved'`],
        [`end_time = '2020-01-01'`, `end_time = null`],
        [`is_archived = true`, `is_archived = false`],
      ]) {
        await change(campaignId, `update campaigns set ${off} where id = $1`, [campaignId]);
        assert.equal((await ask(key)).statusCode, 204, off);
        await change(campaignId, `update campaigns set ${on} where id = $1`, [campaignId]);
        await app.serving.balance();
        assert.equal((await ask(key)).statusCode, 200, on);
      }
      await change(campaignId, `update advertisers set status = 'blocked' where id = $1`, [
        advertiser.id,
      ]);
      assert.equal((await ask(key)).statusCode, 204);
    });

    it('can be explained afterwards by an operator', async () => {
      const { key, adId } = await market();
      const answer = await ask(key);
      const id = String(answer.headers['x-ad-request-id']);
      const rows = await app.db.query<{ data: { candidates: unknown; model: [string, number] } }>(
        `select data from events where id = $1 and kind = 'request'`,
        [id],
      );
      const won = readRecord(rows[0]?.data.candidates).find(
        (candidate) => candidate['outcome'] === 'won',
      );
      assert.equal(won?.['ad_id'], adId);
      assert.ok(Number(won?.['price_micros']) > 0);
      const [matching, clicks] = rows[0]?.data.model ?? ['', -1];
      assert.match(matching, /^words$/);
      assert.equal(clicks, 0);
    });
  });
}
