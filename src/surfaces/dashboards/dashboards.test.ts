import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { signInOperator } from '../../../test/support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import {
  addPerson,
  openAdvertiser,
  openPublisher,
  type OpenedAccount,
} from '../accounts/open-account.js';

for (const engine of testEngines()) {
  describe(`dashboards on the ${engine.name} engine`, () => {
    let app: TestApp;
    let demo: { advertiser: OpenedAccount; publisher: OpenedAccount };
    const question = {
      sessionId: 's1',
      messages: [{ role: 'user', content: 'camping tents for a first trip' }],
    };
    const call = (
      method: 'GET' | 'POST' | 'PATCH',
      url: string,
      payload?: unknown,
      headers: Record<string, string> = {},
    ) =>
      app.http.inject({
        method,
        url,
        headers,
        ...(payload === undefined ? {} : { payload: payload as Record<string, unknown> }),
      });

    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    async function signIn(
      role: 'publisher' | 'advertiser',
      accountId: string,
    ): Promise<{ cookie: string; token: string }> {
      const email = `${role}-${accountId}@test.example`;
      await app.db.transaction((tx) =>
        addPerson(
          { tx, mintId: app.services.mintId, now: app.clock.now },
          { email, password: 'a long password', role, accountId },
        ),
      );
      const answer = await call('POST', '/session', { email, password: 'a long password' });
      return {
        cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '',
        token: String(answer.json().csrf_token),
      };
    }

    it('a server without an operator says so to visitors, until it has one', async () => {
      const isUnclaimed = async (): Promise<boolean> =>
        (await call('GET', '/dashboard/boot')).json().unclaimed;
      assert.equal(await isUnclaimed(), true);
      await signInOperator(app);
      assert.equal(await isUnclaimed(), false);
    });

    it('without a demo publisher there is no playground', async () => {
      assert.equal((await call('GET', '/dashboard/boot')).json().playground.available, false);
      assert.equal((await call('POST', '/playground/ad', question)).statusCode, 404);
    });

    it('the page comes with a strict policy, a tag, and zipped when asked', async () => {
      const plain = await call('GET', '/');
      assert.equal(plain.statusCode, 200);
      assert.match(
        String(plain.headers['content-security-policy']),
        /default-src 'none'; script-src 'self'; style-src 'self'/,
      );
      assert.doesNotMatch(String(plain.headers['content-security-policy']), /unsafe/);
      assert.doesNotMatch(plain.body, /<script(?![^>]*\bsrc=)/);
      const known = (path: string, tag: unknown) =>
        call('GET', path, undefined, { 'if-none-match': String(tag) });
      assert.equal((await known('/app/sign-in', plain.headers['etag'])).statusCode, 304);
      const section = await call('GET', '/app/advertiser?x=1');
      const report = await call('GET', '/app/advertiser/reports?by=day');
      const { etag } = report.headers;
      assert.equal((await known('/app/advertiser/reports', etag)).statusCode, 304);
      assert.equal((await known('/app/advertiser/nothing', etag)).statusCode, 200);
      const preloads = (page: string): string[] =>
        [...page.matchAll(/rel="modulepreload" href="([^"]+)"/g)].map((found) => found[1] ?? '');
      assert.ok(preloads(section.body).length > preloads(plain.body).length);
      assert.ok(preloads(report.body).length > preloads(section.body).length);
      for (const path of preloads(report.body))
        assert.equal((await call('GET', path)).statusCode, 200, path);
      const script = /\/assets\/app-[A-Z0-9]{8}\.js/.exec(plain.body)?.[0] ?? '';
      const zipped = await call('GET', script, undefined, { 'accept-encoding': 'gzip' });
      assert.equal(zipped.headers['content-encoding'], 'gzip');
      assert.match(String(zipped.headers['cache-control']), /immutable/);
      assert.equal((await call('GET', '/assets/../package.json')).statusCode, 404);
      assert.equal((await call('GET', '/assets/nothing.js')).statusCode, 404);
    });

    it('a visitor plays for the demo publisher, and sees bids only there', async () => {
      demo = await app.db.transaction(async (tx) => {
        const opening = { tx, mintId: app.services.mintId, now: app.clock.now };
        return {
          advertiser: await openAdvertiser(opening, {
            name: 'Demo',
            email: 'demo@test.example',
            billingEnabled: true,
            isDemo: true,
          }),
          publisher: await openPublisher(opening, {
            name: 'Demo',
            status: 'approved',
            isDemo: true,
          }),
        };
      });
      await app.services.directory.refresh();
      await insertLiveCampaign(app, demo.advertiser.id, {
        context: 'camping tents for a first trip',
      });
      // A customer of the same installation, whose ads and bids are no part of the playground.
      const customer = await app.newAdvertiser();
      const theirs = await insertLiveCampaign(app, customer.id, {
        context: 'camping tents for a first trip',
      });
      const answer = (await call('POST', '/playground/ad', question)).json();
      assert.equal(answer.ads.length, 1);
      assert.match(answer.ads[0].grclid, /^[\w-]{22}$/);
      const decision = (await call('GET', `/playground/decisions/${answer.request_id}`)).json();
      assert.equal(decision.candidates[0].outcome, 'won');
      assert.ok(decision.candidates[0].bid_micros > 0);
      assert.notEqual(answer.ads[0].campaignId, theirs.campaignId);
      for (const one of decision.candidates) assert.equal(one.is_demo, true);

      const own = await app.newPublisher();
      const { cookie } = await signIn('publisher', own.id);
      assert.equal(
        (await call('GET', `/playground/decisions/${answer.request_id}`, undefined, { cookie }))
          .statusCode,
        404,
        'another publisher does not see it',
      );
      const mine = (
        await call('POST', '/playground/ad', { ...question, sessionId: 's2' }, { cookie })
      ).json();
      const explained = (
        await call('GET', `/playground/decisions/${mine.request_id}`, undefined, { cookie })
      ).json();
      assert.equal(explained.publisher_id, own.id);
      assert.equal(explained.test, true, 'and costs nobody anything');
      assert.equal(explained.candidates[0].bid_micros, undefined);
    });

    it('a conversion of the playground follows its click', async () => {
      const { ads } = (
        await call('POST', '/playground/ad', { ...question, sessionId: 's3' })
      ).json();
      await call(
        'GET',
        new URL(ads[0].clickUrl).pathname + new URL(ads[0].clickUrl).search,
        undefined,
        {
          'user-agent':
            'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36',
        },
      );
      await app.services.eventLog.drain();
      const sent = (
        await call('POST', '/playground/conversion', {
          event_name: 'Purchase',
          event_id: 'order-1',
          value: 20,
          click_id: ads[0].grclid,
          test: false,
        })
      ).json();
      assert.deepEqual(sent.results, [{ event_id: 'order-1', status: 'ok', attributed: true }]);
      assert.equal(
        (
          await call('POST', '/playground/feedback', {
            sessionId: 's3',
            impUrl: ads[0].impUrl,
            sentiment: 'thumbs_up',
          })
        ).statusCode,
        200,
      );
    });

    it('the playground is limited per visitor', async () => {
      const statuses = new Set<number>();
      for (let n = 0; n < 125; n += 1)
        statuses.add((await call('GET', '/playground/decisions/none')).statusCode);
      assert.ok(statuses.has(429));
      // A household of IPv6 is one visitor, whatever addresses it takes.
      const fresh = { 'x-forwarded-for': '2a00:1450:4001:81a:9::1' };
      await app.services.rateLimit.take('playground:2a00:1450:4001:81a::/64', 1, 60_000);
      for (let n = 1; n < 120; n += 1)
        await app.services.rateLimit.take('playground:2a00:1450:4001:81a::/64', 120, 60_000);
      const limited = await call('GET', '/playground/decisions/none', undefined, fresh);
      assert.equal(limited.statusCode, 429);
    });

    it('the last requests of a key say what came of them, to their own account only', async () => {
      const mine = await app.newPublisher();
      const ask = (body: unknown) =>
        call('POST', '/api/v1/ad', body, { authorization: `Bearer ${mine.apiKey}` });
      const placements = [{ placement: 'below_response', placement_id: 'm' }];
      await ask({ ...question, placements, testAd: true });
      await ask({ sessionId: 's', placements, messages: [{ role: 'user', content: 'thanks!' }] });
      await ask({ ...question, placements: [] });
      const notedBy = async (key: string) =>
        (await call('GET', '/publisher-dashboard/requests', undefined, { 'x-api-key': key }))
          .json()
          .requests.filter((row: { route: string }) => row.route === '/api/v1/ad');
      let noted = await notedBy(mine.apiKey);
      for (let tries = 0; noted.length < 3 && tries < 600; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        noted = await notedBy(mine.apiKey);
      }
      assert.deepEqual(
        noted.map((row: Record<string, unknown>) => [row['method'], row['status'], row['reason']]),
        [
          ['POST', 422, 'validation_failed'],
          ['POST', 204, 'no_need'],
          ['POST', 200, null],
        ],
      );
      assert.ok(noted[0].latency_ms >= 0);
      assert.deepEqual(await notedBy((await app.newPublisher()).apiKey), []);
      assert.equal(
        (
          await call('GET', '/publisher-dashboard/requests?key_id=x', undefined, {
            'x-api-key': mine.apiKey,
          })
        ).statusCode,
        404,
      );
      const { cookie } = await signIn('publisher', mine.id);
      const steps = (await call('GET', '/session/onboarding', undefined, { cookie })).json().steps;
      assert.deepEqual(
        [steps.key, steps.request, steps.approved, steps.impression],
        [true, true, true, false],
      );
    });

    it('a publisher that waits for approval is told so, and gets a test ad', async () => {
      const waiting = await app.newPublisher({ status: 'pending' });
      const { cookie, token } = await signIn('publisher', waiting.id);
      const { steps } = (await call('GET', '/session/onboarding', undefined, { cookie })).json();
      // Nobody of its people has seen the one it was opened with.
      assert.equal(steps.key, false);
      const boot = (await call('GET', '/dashboard/boot', undefined, { cookie })).json();
      assert.equal(boot.session.account_status, 'pending');
      const answer = await call('POST', '/session/test-ad', undefined, {
        cookie,
        'x-csrf-token': token,
        'content-type': 'application/json',
      });
      assert.equal(answer.statusCode, 200, answer.body);
      assert.ok(answer.json().ads[0].title !== '');
    });

    it('views are saved for the team of an account, and forgotten', async () => {
      const mine = await app.newAdvertiser();
      const { cookie, token } = await signIn('advertiser', mine.id);
      const headers = { cookie, 'x-csrf-token': token };
      const view = { name: 'By country', path: '/app/advertiser/reports', search: '?by=country' };
      const made = await call('POST', '/session/views', view, headers);
      assert.equal(made.statusCode, 201, made.body);
      const listed = async (who: string) =>
        (await call('GET', '/session/views', undefined, { cookie: who })).json().views;
      assert.deepEqual(await listed(cookie), [{ id: made.json().id, ...view }]);
      const other = await signIn('advertiser', (await app.newAdvertiser()).id);
      assert.deepEqual(await listed(other.cookie), []);
      const forget = (who: { cookie: string; token: string }) =>
        app.http.inject({
          method: 'DELETE',
          url: `/session/views/${made.json().id}`,
          headers: { cookie: who.cookie, 'x-csrf-token': who.token },
        });
      assert.equal((await forget(other)).statusCode, 404);
      assert.equal((await forget({ cookie, token })).statusCode, 204);
      assert.deepEqual(await listed(cookie), []);
      const outside = { ...view, path: 'https://evil.example/' };
      assert.equal((await call('POST', '/session/views', outside, headers)).statusCode, 422);
    });

    it('documents are there for agents as text', async () => {
      const list = await call('GET', '/llms.txt');
      assert.match(String(list.headers['content-type']), /^text\/plain/);
      const [, path = ''] = /\]\((\/docs\/[a-z-]+\.md)\)/.exec(list.body) ?? [];
      const page = await call('GET', path);
      assert.match(String(page.headers['content-type']), /^text\/markdown/);
      assert.match(page.body, /^# /);
      assert.equal((await call('GET', '/docs/nothing.md')).statusCode, 404);
    });

    it('ad controls are written by their publisher only, with the session’s token', async () => {
      const publisher = await app.newPublisher();
      const { cookie, token } = await signIn('publisher', publisher.id);
      const change = {
        floor_cpm: 2.5,
        min_relevance: 0.7,
        excluded_topics: ['gambling', 'gambling '],
        blocked_advertisers: [demo.advertiser.id],
      };
      assert.equal(
        (await call('PATCH', '/session/publisher-settings', change, { cookie })).statusCode,
        403,
      );
      const saved = await call('PATCH', '/session/publisher-settings', change, {
        cookie,
        'x-csrf-token': token,
      });
      assert.deepEqual(saved.json(), {
        floor_cpm: 2.5,
        min_relevance: 0.7,
        excluded_topics: ['gambling'],
        blocked_advertisers: [{ id: demo.advertiser.id, name: 'Demo' }],
      });
      assert.deepEqual(
        (
          await call('GET', '/session/publisher-settings', undefined, {
            'x-api-key': publisher.apiKey,
          })
        ).json(),
        saved.json(),
      );
      assert.equal(app.services.directory.publisher(publisher.id)?.floorCpmMicros, 2_500_000);
      assert.equal(
        (
          await call(
            'PATCH',
            '/session/publisher-settings',
            { min_relevance: 2 },
            { cookie, 'x-csrf-token': token },
          )
        ).statusCode,
        422,
      );
      assert.equal(
        (
          await call('GET', '/session/publisher-settings', undefined, {
            'x-api-key': demo.advertiser.apiKey,
          })
        ).statusCode,
        403,
      );
      assert.equal((await call('GET', '/session/publisher-settings')).statusCode, 401);
      const preview = (
        await call('GET', '/session/publisher-settings/fill-preview', undefined, {
          'x-api-key': demo.publisher.apiKey,
        })
      ).json();
      assert.ok(preview.requests >= 1);
      assert.equal(preview.steps[0].fill, 1);
    });

    it('a publisher reads whose ads were seen in thirty days, the most seen first, each once', async () => {
      const { id } = await app.newPublisher();
      const [most, least, before] = [
        await app.newAdvertiser(),
        await app.newAdvertiser(),
        await app.newAdvertiser(),
      ];
      // Hours ago, some on either side of where a statement ends.
      const seen: [string, number, number][] = [
        [most.id, 0, 3],
        [most.id, 48, 4],
        [most.id, 29 * 24, 5],
        [least.id, 47, 6],
        [before.id, 31 * 24, 50],
      ];
      for (const [advertiserId, hours, impressions] of seen)
        await app.db.query(
          `insert into totals (bucket, advertiser_id, campaign_id, ad_group_id, ad_id, publisher_id,
             placement, device, country, impressions)
           values ($1, $2, $2, $2, $2, $3, '', '', '', $4)`,
          [new Date(app.clock.now - hours * 3_600_000), advertiserId, id, impressions],
        );
      const { cookie } = await signIn('publisher', id);
      const { advertisers } = (
        await call('GET', '/session/advertisers', undefined, { cookie })
      ).json();
      // Totals no event stands behind are no concern of the check after this file.
      await app.db.query(`delete from totals where publisher_id = $1`, [id]);
      assert.deepEqual(
        advertisers.map((one: { id: string; impressions: number }) => [one.id, one.impressions]),
        [
          [most.id, 12],
          [least.id, 6],
        ],
      );
    });

    it('ad units are listed with the campaigns that use them, to their own advertiser only', async () => {
      const owner = await app.newAdvertiser();
      const other = await app.newAdvertiser();
      const write = (url: string, payload: unknown) =>
        call('POST', `/advertiser-dashboard/${url}`, payload, { 'x-api-key': owner.apiKey });
      const unit = {
        name: 'Unit',
        headline: 'Tents',
        description: 'people who camp',
        landing_page: 'https://camp.example/',
        static_ad_text: 'Dry tents.',
        static_cta: 'See',
      };
      const first = (await write('ad-units', unit)).json().id;
      app.clock.now += 1000;
      const second = (await write('ad-units', { ...unit, name: 'Loose' })).json().id;
      const made = await write('campaigns', {
        name: 'By unit',
        landing_page: 'https://camp.example/',
        daily_budget: 5,
        status: 'draft',
        ad_unit_ids: [first],
      });
      assert.equal(made.statusCode, 200, made.body);
      const listed = (
        await call('GET', '/session/ad-units', undefined, { 'x-api-key': owner.apiKey })
      ).json().ad_units;
      assert.deepEqual(
        listed.map((row: { id: string; campaigns: unknown }) => [row.id, row.campaigns]),
        [
          [second, []],
          [first, [{ id: made.json().campaign_id, name: 'By unit' }]],
        ],
      );
      assert.equal(listed[1].static_ad_text, 'Dry tents.');
      assert.deepEqual(
        (await call('GET', '/session/ad-units', undefined, { 'x-api-key': other.apiKey })).json(),
        { ad_units: [] },
      );
      assert.equal(
        (await call('GET', '/session/ad-units', undefined, { 'x-api-key': demo.publisher.apiKey }))
          .statusCode,
        403,
      );
    });

    it('a test conversion is checked and not stored', async () => {
      const event = {
        event_name: 'Lead',
        event_id: 'x',
        event_time: Math.floor(app.clock.now / 1000),
      };
      const checked = await call(
        'POST',
        '/session/test-conversion',
        { event },
        { 'x-api-key': demo.advertiser.apiKey },
      );
      assert.equal(checked.json().results[0].status, 'test_ok');
      const list = await call(
        'GET',
        '/advertiser-dashboard/conversions?event_type=Lead',
        undefined,
        { 'x-api-key': demo.advertiser.apiKey },
      );
      assert.equal(list.json().conversions.length, 0);
    });
  });
}
