import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { verifyTotals } from '../../src/platform/events/verify-totals.js';
import { insertLiveCampaign } from '../support/live-campaign.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';

const browser =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

for (const engine of testEngines()) {
  describe(`from request to report on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    const ask = (key: string, content: string, extra: Record<string, unknown> = {}) =>
      app.http.inject({
        method: 'POST',
        url: '/api/v1/ad',
        headers: { authorization: `Bearer ${key}` },
        payload: {
          messages: [{ role: 'user', content }],
          sessionId: 's1',
          placements: [{ placement: 'below_response', placement_id: 'main' }],
          ...extra,
        },
      });
    const path = (url: string): string => url.slice(url.indexOf('/', 8));

    it('serves a matching ad, counts its impression and click once, and charges the advertiser what the publisher and the fee get', async () => {
      const publisher = await app.newPublisher();
      const advertiser = await app.newAdvertiser();
      const campaign = await insertLiveCampaign(app, advertiser.id, {
        context: 'travel insurance for cancelled flights',
        landingPage: 'https://insure.example/plans?ref=1',
        maxCpmMicros: 8_000_000,
        utm: { utm_source: 'sidelight' },
      });
      const answer = await ask(
        publisher.apiKey,
        'which travel insurance covers cancelled flights?',
        { user: { id: 'u7' } },
      );
      assert.equal(answer.statusCode, 200, answer.body);
      const [ad] = answer.json();
      assert.equal(ad.campaignId, campaign.campaignId);
      assert.ok(ad.impUrl.length < 300);
      for (let time = 0; time < 3; time += 1) {
        const beacon = await app.http.inject({
          url: path(ad.impUrl),
          headers: { 'user-agent': browser },
        });
        assert.equal(beacon.statusCode, 200);
        assert.equal(beacon.headers['content-type'], 'image/gif');
      }
      app.clock.now += 5000;
      for (let time = 0; time < 2; time += 1) {
        const click = await app.http.inject({
          url: path(ad.clickUrl),
          headers: { 'user-agent': browser },
        });
        assert.equal(click.statusCode, 302);
        const target = new URL(String(click.headers.location));
        assert.equal(target.searchParams.get('utm_source'), 'sidelight');
        assert.equal(target.searchParams.get('ref'), '1');
        assert.match(target.searchParams.get('grclid') ?? '', /^[\w-]{22}$/);
      }
      const [totals] = await app.db.query<{
        impressions: number;
        clicks: number;
        spend_micros: number;
        revenue_micros: number;
      }>(
        `select
           sum(impressions)::int as impressions,
           sum(clicks)::int as clicks,
           sum(spend_micros)::int as spend_micros,
           sum(revenue_micros)::int as revenue_micros
         from campaign_totals
         where campaign_id = $1`,
        [campaign.campaignId],
      );
      assert.ok(totals !== undefined);
      assert.equal(totals.impressions, 1);
      assert.equal(totals.clicks, 1);
      assert.ok(totals.spend_micros > 0 && totals.spend_micros <= 8000);
      assert.equal(totals.revenue_micros, Math.floor(totals.spend_micros * 0.7));
      const [budget] = await app.db.query<{ spent: number }>(
        `select spent_micros as spent from budgets where scope_id = $1`,
        [campaign.campaignId],
      );
      assert.equal(budget?.spent, totals.spend_micros);
      assert.equal((await verifyTotals(app.db)).isClean, true);
    });

    it('says 204 when nothing fits and 204 for small talk', async () => {
      const publisher = await app.newPublisher();
      assert.equal((await ask(publisher.apiKey, 'how do volcanoes form?')).statusCode, 204);
      assert.equal((await ask(publisher.apiKey, 'hello there!')).statusCode, 204);
    });

    it('never spends more than the daily budget, however many ads are shown', async () => {
      const publisher = await app.newPublisher();
      const advertiser = await app.newAdvertiser();
      const campaign = await insertLiveCampaign(app, advertiser.id, {
        context: 'orchid fertiliser for tropical houseplants',
        landingPage: 'https://orchid.example',
        maxCpmMicros: 10_000_000,
        dailyBudgetMicros: 2_500,
      });
      for (let round = 0; round < 12; round += 1) {
        const answer = await ask(
          publisher.apiKey,
          'best fertiliser for tropical orchid houseplants?',
          { sessionId: `s${round}` },
        );
        for (const ad of answer.statusCode === 200 ? answer.json() : [])
          await app.http.inject({ url: path(ad.impUrl), headers: { 'user-agent': browser } });
      }
      const [totals] = await app.db.query<{ spend: number }>(
        `select sum(spend_micros)::bigint as spend from campaign_totals where campaign_id = $1`,
        [campaign.campaignId],
      );
      assert.ok(
        (totals?.spend ?? 0) > 0 && (totals?.spend ?? 0) <= 2_500,
        `spent ${totals?.spend}`,
      );
    });

    const see = ({ impUrl }: { impUrl: string }) =>
      app.http.inject({ url: path(impUrl), headers: { 'user-agent': browser } });

    it('charges a click that comes minutes after the ad was served', async () => {
      const publisher = await app.newPublisher();
      const advertiser = await app.newAdvertiser();
      const campaign = await insertLiveCampaign(app, advertiser.id, {
        context: 'beekeeping hives and honey extractors',
        landingPage: 'https://bees.example',
        billingModel: 'cpc',
        maxCpcMicros: 500_000,
        dailyBudgetMicros: 20_000_000,
      });
      const answer = await ask(
        publisher.apiKey,
        'where do I buy beekeeping hives and honey extractors?',
        { sessionId: 'late' },
      );
      assert.equal(answer.statusCode, 200, answer.body);
      await see(answer.json()[0]);
      app.clock.now += 5 * 60_000;
      assert.equal(
        (
          await app.http.inject({
            url: path(answer.json()[0].clickUrl),
            headers: { 'user-agent': browser },
          })
        ).statusCode,
        302,
      );
      const [totals] = await app.db.query<{ clicks: number; spend: number }>(
        `select sum(clicks)::bigint as clicks, sum(spend_micros)::bigint as spend
         from campaign_totals
         where campaign_id = $1`,
        [campaign.campaignId],
      );
      assert.equal(totals?.clicks, 1);
      assert.ok((totals?.spend ?? 0) > 0, 'the late click is billed');
    });

    it('a campaign paid per conversion is served while its budget can pay for one, and again when there is more', async () => {
      const publisher = await app.newPublisher();
      const advertiser = await app.newAdvertiser();
      const { campaignId } = await insertLiveCampaign(app, advertiser.id, {
        context: 'pottery wheels and kilns',
        landingPage: 'https://pots.example',
        billingModel: 'cpa',
        maxCpaMicros: 2_000_000,
        dailyBudgetMicros: 300_000,
      });
      let sold = 0;
      const sell = async (): Promise<boolean> => {
        sold += 1;
        const answer = await ask(publisher.apiKey, 'which pottery wheels and kilns should I buy?', {
          sessionId: `kiln ${sold}`,
        });
        if (answer.statusCode === 204) return false;
        await see(answer.json()[0]);
        app.clock.now += 5000;
        const click = await app.http.inject({
          url: path(answer.json()[0].clickUrl),
          headers: { 'user-agent': browser },
        });
        const grclid = new URL(String(click.headers.location)).searchParams.get('grclid');
        const data = [
          {
            event_name: 'Purchase',
            event_id: `kiln ${sold}`,
            event_time: Math.floor(app.clock.now / 1000),
            user_data: { click_id: grclid },
          },
        ];
        const told = await app.http.inject({
          method: 'POST',
          url: '/gateway/events',
          headers: { authorization: `Bearer ${advertiser.apiKey}` },
          payload: { data },
        });
        assert.equal(told.json().results[0].attributed, true, told.body);
        await app.serving.balance();
        return true;
      };
      const sums = () =>
        app.db.query<{ spend: number; unbilled: number }>(
          `select sum(spend_micros)::bigint as spend, count(unbilled) as unbilled
           from events
           where campaign_id = $1 and kind = 'conversion'`,
          [campaignId],
        );
      let most = 40;
      while (most > 0 && (await sell())) most -= 1;
      assert.ok(most > 0 && most < 40, JSON.stringify(await sums()));
      const [told] = await sums();
      assert.ok(
        told !== undefined && told.spend > 0 && told.spend <= 300_000 && told.unbilled === 0,
        JSON.stringify(told),
      );
      await app.db.query(`update campaigns set daily_budget_micros = 5000000 where id = $1`, [
        campaignId,
      ]);
      await app.serving.inventory.refresh([campaignId]);
      await app.serving.balance();
      assert.equal(await sell(), true);
      assert.equal((await verifyTotals(app.db)).isClean, true);
    });

    it('fills a test ad for a publisher that is not approved, and counts nothing', async () => {
      const publisher = await app.newPublisher({ status: 'pending' });
      assert.equal((await ask(publisher.apiKey, 'travel insurance')).statusCode, 403);
      const answer = await ask(publisher.apiKey, 'hello', { testAd: true });
      assert.equal(answer.statusCode, 200);
      const [ad] = answer.json();
      assert.equal(
        (await app.http.inject({ url: path(ad.impUrl), headers: { 'user-agent': browser } }))
          .statusCode,
        200,
      );
      const rows = await app.db.query(`select 1 from publisher_totals where publisher_id = $1`, [
        publisher.id,
      ]);
      assert.equal(rows.length, 0);
    });
  });
}
