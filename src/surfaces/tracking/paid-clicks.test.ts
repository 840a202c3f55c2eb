import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createRandom } from '../../domain/decision/seeded-random.js';
import { eventFacts } from '../../platform/events/event-facts.js';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { campaignBody, managing } from '../../../test/support/managed-campaign.js';
import { type OperatorCall, signInOperator } from '../../../test/support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';

const browser =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const minute = 60_000;

for (const engine of testEngines()) {
  describe(`clicks that are paid on the ${engine.name} engine`, () => {
    let app: TestApp;
    let operator: OperatorCall;
    before(async () => {
      app = await buildTestApp(await engine.open(), { environment: { REVIEW: 'manual' } });
      operator = await signInOperator(app);
    });
    after(() => app.close());

    let sessions = 0;
    interface Ad {
      impUrl: string;
      clickUrl: string;
      campaignId: string;
    }
    async function ask(apiKey: string, content: string, extra = {}): Promise<Ad | null> {
      sessions += 1;
      const answer = await app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${apiKey}`, 'user-agent': 'node' },
        payload: {
          messages: [{ role: 'user', content }],
          sessionId: `s${sessions}`,
          placements: [{ placement: 'below_response', placement_id: 'main' }],
          ...extra,
        },
      });
      return answer.statusCode === 204 ? null : answer.json()[0];
    }
    const open = (
      url: string,
      headers: Record<string, string> = {},
      method: 'GET' | 'HEAD' = 'GET',
      remoteAddress = '127.0.0.1',
    ) => {
      const { pathname, search } = new URL(url);
      return app.http.inject({
        method,
        url: pathname + search,
        headers: { 'user-agent': browser, ...headers },
        remoteAddress,
      });
    };
    const words = [
      'kayak',
      'telescope',
      'harpsichord',
      'greenhouse',
      'espresso',
      'trampoline',
      'aquarium',
      'sauna',
      'pergola',
    ];
    /** A campaign billed by click, of an advertiser and a publisher of its own. */
    async function live() {
      const word = words.pop() ?? '';
      const advertiser = await app.newAdvertiser();
      const publisher = await app.newPublisher();
      const campaign = await insertLiveCampaign(app, advertiser.id, {
        context: `buying a ${word}`,
        billingModel: 'cpc',
        maxCpcMicros: 1_000_000,
      });
      const serve = async (extra = {}): Promise<Ad> => {
        const ad = await ask(publisher.apiKey, `Which ${word} should I buy?`, extra);
        assert.ok(ad !== null, word);
        return ad;
      };
      const figures = async () => {
        const { body } = await managing(app, advertiser)('GET', 'metrics');
        return {
          clicks: body.total_clicks,
          impressions: body.total_impressions,
          isPaid: body.total_spend > 0,
        };
      };
      return { advertiser, publisher, campaign, serve, figures };
    }

    it('a click without an impression redirects and counts, and costs nothing', async () => {
      const { serve, figures } = await live();
      assert.equal((await open((await serve()).clickUrl)).statusCode, 302);
      assert.deepEqual(await figures(), { clicks: 1, impressions: 0, isPaid: false });
    });

    it('a click is paid once its impression is counted, up to ten minutes after it', async () => {
      const { serve, figures } = await live();
      const late = await serve();
      await open(late.clickUrl);
      app.clock.now += 11 * minute;
      await open(late.impUrl);
      assert.deepEqual(await figures(), { clicks: 1, impressions: 1, isPaid: false });
      const ad = await serve();
      await open(ad.clickUrl);
      app.clock.now += 9 * minute;
      await open(ad.impUrl);
      assert.deepEqual(await figures(), { clicks: 2, impressions: 2, isPaid: true });
    });

    it('prefetches, previews, HEAD and libraries are sent on and never counted', async () => {
      const { serve, figures } = await live();
      const ad = await serve();
      await open(ad.impUrl);
      app.clock.now += minute;
      const machines: Record<string, string>[] = [
        { 'sec-purpose': 'prefetch' },
        { 'sec-purpose': 'prefetch;prerender' },
        { purpose: 'prefetch' },
        { 'x-moz': 'prefetch' },
        { 'sec-purpose': 'prefetch;anonymous-client-ip' },
        { 'x-purpose': 'preview' },
        // A hidden image, frame or script of a page: the person stays where they are.
        { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' },
        { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' },
        { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'no-cors' },
        { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
        { 'user-agent': 'WhatsApp/2.23.20.0' },
        { 'user-agent': 'okhttp/4.12.0' },
        { 'user-agent': 'Chat/7 CFNetwork/1494.0.7 Darwin/23.4.0' },
      ];
      for (const headers of machines)
        assert.equal((await open(ad.clickUrl, headers)).statusCode, 302);
      const head = await open(ad.clickUrl, {}, 'HEAD');
      assert.deepEqual([head.statusCode, head.body], [302, '']);
      assert.deepEqual(await figures(), { clicks: 0, impressions: 1, isPaid: false });
      await open(ad.clickUrl, { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' });
      assert.deepEqual(await figures(), { clicks: 1, impressions: 1, isPaid: true });
      const reasons = await app.db.query<{ invalid: string }>(
        `select distinct invalid
         from events
         where campaign_id = $1 and invalid is not null
         order by 1`,
        [ad.campaignId],
      );
      assert.deepEqual(
        reasons.map((row) => row.invalid),
        ['embedded', 'library_agent', 'link_preview', 'prefetch'],
      );
    });

    it('beacons of a library count for a publisher marked as native', async () => {
      const { serve, figures, publisher } = await live();
      const answer = await operator('PATCH', `/operator/publishers/${publisher.id}`, {
        native: true,
      });
      assert.equal(answer.status, 200);
      const ad = await serve();
      await open(ad.impUrl, { 'user-agent': 'okhttp/4.12.0' });
      app.clock.now += minute;
      await open(ad.clickUrl, { 'user-agent': 'Dart/3.4 (dart:io)' });
      assert.deepEqual(await figures(), { clicks: 1, impressions: 1, isPaid: true });
    });

    it('from the moment a publisher is blocked its URLs redirect and count nothing', async () => {
      const { serve, figures, publisher } = await live();
      const ad = await serve();
      await operator('PATCH', `/operator/publishers/${publisher.id}`, { status: 'blocked' });
      assert.equal((await open(ad.impUrl)).statusCode, 200);
      assert.equal((await open(ad.clickUrl)).statusCode, 302);
      assert.deepEqual(await figures(), { clicks: 0, impressions: 0, isPaid: false });
    });

    it('a beacon is of its own device where the ad request named none', async () => {
      const { serve, campaign } = await live();
      await open((await serve()).impUrl);
      app.clock.now += minute;
      await open((await serve({ device: { device_type: 'desktop' } })).impUrl);
      const rows = await app.db.query<{ device: string }>(
        `select device
         from ${eventFacts()} e
         where campaign_id = $1 and kind = 'impression'
         order by id`,
        [campaign.campaignId],
      );
      assert.deepEqual(
        rows.map((row) => row.device),
        ['mobile', 'desktop'],
      );
    });

    it('a proxy’s word about its visitors is taken only where it is listed', async () => {
      const { serve, campaign } = await live();
      const visitor = { 'x-forwarded-for': '194.25.0.60' };
      // As listed by default: on the same machine. Then from a cloud, listed nowhere.
      await open((await serve()).impUrl, visitor, 'GET', '127.0.0.1');
      app.clock.now += minute;
      await open((await serve()).impUrl, visitor, 'GET', '52.95.110.1');
      const rows = await app.db.query<{ invalid: string | null }>(
        `select invalid
         from ${eventFacts()} e
         where campaign_id = $1 and kind = 'impression'
         order by id`,
        [campaign.campaignId],
      );
      assert.deepEqual(
        rows.map((row) => row.invalid),
        [null, 'data_centre'],
      );
    });

    it('a click opens the page that was approved last, and none that was turned down', async () => {
      const advertiser = await app.newAdvertiser();
      const publisher = await app.newPublisher();
      const manage = managing(app, advertiser);
      const made = await manage(
        'POST',
        'campaigns',
        campaignBody({ status: 'active', landing_page: 'https://shop.example/good' }),
      );
      const id: string = made.body.campaign_id;
      const judge = async (verdict: 'approve' | 'reject') => {
        const answer = await operator(
          'POST',
          `/operator/review/${id}/${verdict}`,
          verdict === 'reject' ? { notes: 'It pretends to be a bank.' } : {},
        );
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        await app.serving.inventory.refresh([id]);
        await app.serving.balance();
      };
      const leadsTo = async (url: string): Promise<string | undefined> => {
        app.clock.now += 1000;
        const answer = await open(url);
        if (answer.statusCode === 410) {
          assert.match(String(answer.headers['content-type']), /^text\/html/);
          assert.equal(answer.headers.location, undefined);
          return 'gone';
        }
        const { origin, pathname } = new URL(String(answer.headers.location));
        return origin + pathname;
      };
      await judge('approve');
      const ad = await ask(publisher.apiKey, 'Which running shoes are light?');
      assert.ok(ad !== null);
      assert.equal(await leadsTo(ad.clickUrl), 'https://shop.example/good');
      const edit = async (page: string) => {
        await manage('PATCH', `campaigns/${id}`, { landing_page: page });
        await app.serving.inventory.refresh([id]);
      };
      await edit('https://phish.example/login');
      assert.equal(await leadsTo(ad.clickUrl), 'https://shop.example/good');
      // Neither by the group's page, nor the ad's, nor by what is added to the approved one.
      const [group] = (await manage('GET', `ad-groups?campaign_id=${id}`)).body;
      const change = async (path: string, body: Record<string, unknown>) => {
        assert.equal((await manage('PATCH', path, body)).status, 200, path);
        await app.serving.inventory.refresh([id]);
      };
      await change(`ad-groups/${group.id}`, { landing_page: 'https://phish.example/group' });
      assert.equal(await leadsTo(ad.clickUrl), 'https://shop.example/good');
      await change(`ads/${group.ads[0].id}`, { landing_page: 'https://phish.example/ad' });
      assert.equal(await leadsTo(ad.clickUrl), 'https://shop.example/good');
      await change(`ad-groups/${group.id}`, { landing_page: null });
      await change(`ads/${group.ads[0].id}`, { landing_page: null });
      await edit('https://shop.example/better');
      await judge('approve');
      assert.equal(await leadsTo(ad.clickUrl), 'https://shop.example/better');
      await change(`campaigns/${id}`, {
        utm_params: { to: 'https://phish.example/', utm_source: 'chat' },
      });
      const added = new URL(String((await open(ad.clickUrl)).headers.location)).searchParams;
      assert.deepEqual([added.get('to'), added.get('utm_source')], [null, 'chat']);
      const { review_status: review } = (await manage('GET', `campaigns/${id}`)).body;
      assert.equal(review, 'pending_review');
      await change(`campaigns/${id}`, { utm_params: { utm_source: 'chat' } });
      await judge('approve');
      await change(`campaigns/${id}`, { utm_params: { utm_source: 'talk' } });
      assert.equal((await manage('GET', `campaigns/${id}`)).body.review_status, 'approved');
      await edit('https://phish.example/login');
      await judge('reject');
      assert.equal(await leadsTo(ad.clickUrl), 'gone');
      await edit('https://shop.example/better');
      await judge('approve');
      assert.equal(await leadsTo(ad.clickUrl), 'https://shop.example/better');
      await operator('PATCH', `/operator/advertisers/${advertiser.id}`, { status: 'blocked' });
      assert.equal(await leadsTo(ad.clickUrl), 'gone');
    });

    /** Told by the page: so much of the ad was in sight for that long. */
    const view = (ad: Ad, headers: Record<string, string> = {}, ms = 1200) =>
      app.http.inject({
        method: 'POST',
        url: '/track/viewable',
        headers: { 'user-agent': browser, ...headers },
        payload: { p: new URL(ad.impUrl).searchParams.get('p') ?? '', ms },
      });

    /** A campaign that pays for views, made and approved through the doors. */
    async function payingForViews(context: string, dailyBudget: number) {
      const advertiser = await app.newAdvertiser();
      const publisher = await app.newPublisher();
      const manage = managing(app, advertiser);
      const body = campaignBody({
        status: 'active',
        billing_model: 'cpv',
        max_cpm: 900,
        daily_budget: dailyBudget,
      });
      const [group] = body['ad_groups'] as Record<string, unknown>[];
      const made = await manage('POST', 'campaigns', {
        ...body,
        ad_groups: [{ ...group, context }],
      });
      assert.equal(made.body.billing_model, 'cpv', JSON.stringify(made.body));
      const id: string = made.body.campaign_id;
      const judged = await operator('POST', `/operator/review/${id}/approve`, {});
      assert.equal(judged.status, 200, JSON.stringify(judged.body));
      await app.serving.inventory.refresh([id]);
      await app.serving.balance();
      const money = () =>
        app.db.query<{ id: string; price: number; spent: number }>(
          `select w.id, (w.data ->> 'price_micros')::bigint as price,
             coalesce(
               (
                 select sum(e.spend_micros)
                 from events e
                 where e.day = w.day and e.id = w.id
               ), 0
             )::bigint as spent
           from events w
           where w.campaign_id = $1 and w.kind = 'win'
           order by w.id`,
          [id],
        );
      return { id, advertiser, publisher, manage, money };
    }

    it('a view of a second is paid once, after an impression that counts', async () => {
      const { publisher, manage, money } = await payingForViews('buying a gazebo', 50);
      const serve = async (): Promise<Ad> => {
        const ad = await ask(publisher.apiKey, 'Which gazebo should I buy?');
        assert.ok(ad !== null);
        return ad;
      };
      const spent = async () => {
        await app.services.eventLog.drain();
        return (await money()).map((ad) => (ad.spent === 0 ? 0 : ad.spent / ad.price));
      };
      const ad = await serve();
      await open(ad.impUrl);
      assert.deepEqual(await spent(), [0], 'an impression alone costs nothing');
      await view(ad);
      assert.deepEqual(await spent(), [0], 'nobody looked for longer than it is there');
      app.clock.now += 5000;
      await view(ad, { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' });
      await view(ad, {}, 400);
      assert.deepEqual(await spent(), [0], 'machines and glances cost nothing');
      await view(ad);
      await view(ad, {}, 9000);
      await open(ad.clickUrl);
      assert.deepEqual(await spent(), [1]);
      const unseen = await serve();
      app.clock.now += 5000;
      await view(unseen);
      assert.deepEqual(await spent(), [1, 0], 'no impression, no charge');
      await open(unseen.impUrl);
      assert.deepEqual(await spent(), [1, 1], 'the impression it waited for pays');
      const { body } = await manage('GET', 'metrics');
      assert.deepEqual(
        [body.total_impressions, body.total_viewable_impressions, body.total_clicks],
        [2, 2, 1],
      );
      const billing = (await manage('GET', 'billing')).body;
      assert.equal(billing.total_spend_dollars, body.total_spend);
      assert.ok(body.total_spend > 0);
    });

    it('whatever comes in whatever order, views cost what they promised and never more than the budget', async () => {
      const random = createRandom(42);
      const budget = 12;
      const { id, publisher, manage, money } = await payingForViews('buying a dinghy', budget);
      // Somebody to bid against, or views would cost next to nothing.
      await insertLiveCampaign(app, (await app.newAdvertiser()).id, {
        context: 'buying a dinghy',
        maxCpmMicros: 500_000_000,
      });
      const expected = new Map<string, boolean>();
      for (let round = 0; round < 40; round += 1) {
        const ad = await ask(publisher.apiKey, 'Which dinghy should I buy?');
        if (ad?.campaignId !== id) continue;
        const acts: Record<string, () => Promise<unknown>> = {
          impression: () => open(ad.impUrl),
          view: () => view(ad),
          glance: () => view(ad, {}, 999),
          machine: () => view(ad, { 'user-agent': 'curl/8.6.0' }),
          library: () => open(ad.impUrl, { 'user-agent': 'okhttp/4.12.0' }),
          click: () => open(ad.clickUrl),
        };
        const names = ['impression', 'view', ...Object.keys(acts)];
        const done = Array.from({ length: 7 }, () => names[Math.floor(random() * names.length)]);
        app.clock.now += 2000;
        for (const name of done) await acts[name ?? '']?.();
        expected.set(ad.impUrl, done.includes('impression') && done.includes('view'));
      }
      await app.services.eventLog.drain();
      const ads = await money();
      assert.equal(ads.length, expected.size);
      assert.deepEqual(
        ads.map((ad) => ad.spent),
        [...expected.values()].map((isPaid, index) => (isPaid ? ads[index]?.price : 0)),
      );
      const paid = ads.filter((ad) => ad.spent > 0);
      assert.ok(
        paid.length > 3 && paid.length < ads.length && ads.length < 40,
        `${paid.length} of ${ads.length}`,
      );
      const total = paid.reduce((sum, ad) => sum + ad.spent, 0);
      assert.ok(total <= budget * 1e6);
      assert.equal((await manage('GET', 'metrics')).body.total_spend, total / 1e6);
      const day = (at: number) => new Date(at).toISOString();
      const taken = await operator('POST', '/operator/refunds', {
        campaign_id: id,
        from: day(app.clock.now - 3_600_000),
        to: day(app.clock.now + 1000),
        reason: 'nobody was there',
      });
      assert.equal(taken.status, 200, JSON.stringify(taken.body));
      assert.equal((await manage('GET', 'metrics')).body.total_spend, 0);
    });

    it('leaves every total equal to the raw events', async () => {
      const report = await verifyTotals(app.db);
      assert.equal(report.isClean, true, JSON.stringify(report));
    });
  });
}
