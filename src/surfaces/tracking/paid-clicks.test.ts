import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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

    it('leaves every total equal to the raw events', async () => {
      const report = await verifyTotals(app.db);
      assert.equal(report.isClean, true, JSON.stringify(report));
    });
  });
}
