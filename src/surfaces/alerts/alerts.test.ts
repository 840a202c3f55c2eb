import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  OutboundError,
  type Outbound,
  type OutboundRequest,
} from '../../platform/outbound/guarded-fetch.js';
import { verifyWebhook } from '../../../packages/sdk/src/webhooks/verify-webhook.js';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';

const hour = 3_600_000;

for (const engine of testEngines()) {
  describe(`alerts on the ${engine.name} engine`, () => {
    let app: TestApp;
    let sent: { url: string; request: OutboundRequest }[] = [];
    let answers: (number | 'refused')[] = [];
    const outbound: Outbound = async (url, request = {}) => {
      const status = answers.shift() ?? 200;
      if (status === 'refused')
        throw new OutboundError('private_address', 'the address is private');
      sent.push({ url, request });
      return { url, status, headers: {}, body: Buffer.alloc(0) };
    };
    before(async () => {
      app = await buildTestApp(await engine.open(), {
        now: Date.parse('2026-11-15T12:20:00Z'),
        outbound,
      });
    });
    after(() => app.close());

    const call = (
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
      path: string,
      key: string,
      payload?: object,
    ) =>
      app.http.inject({
        method,
        url: path,
        headers: { 'x-api-key': key },
        ...(payload === undefined ? {} : { payload }),
      });
    const look = async (): Promise<void> => {
      await app.db.query(
        `update jobs set finished_at = now() where kind = 'find-alerts' and finished_at is null`,
      );
      await app.services.jobs.enqueue(app.db, 'find-alerts', `now-${app.clock.now}`, {});
      await app.services.jobs.runDue();
    };
    const hours = (
      advertiserId: string,
      campaignId: string,
      from: number,
      to: number,
      numbers: { impressions: number; clicks: number; conversions: number },
    ) =>
      app.db.query(
        `insert into campaign_hours (
             advertiser_id, campaign_id, bucket, impressions, clicks, conversions
           )
         select $1, $2, at, $5, $6, $7
         from generate_series(
             $3::timestamptz, $4::timestamptz - interval '1 hour', interval '1 hour'
           ) at`,
        [
          advertiserId,
          campaignId,
          new Date(app.clock.now - from * hour - (app.clock.now % hour)),
          new Date(app.clock.now - to * hour - (app.clock.now % hour)),
          numbers.impressions,
          numbers.clicks,
          numbers.conversions,
        ],
      );

    it('tells each trouble of a campaign once a day, signed so that the SDK accepts it', async () => {
      sent = [];
      const advertiser = await app.newAdvertiser();
      const made = await call('POST', '/advertiser-dashboard/webhooks', advertiser.apiKey, {
        url: 'https://hooks.example/in',
      });
      assert.equal(made.statusCode, 201, made.body);
      const { secret } = made.json();
      assert.ok(
        !(
          'secret' in
          (await call('GET', '/advertiser-dashboard/webhooks', advertiser.apiKey)).json()
            .webhooks[0]
        ),
      );
      const [spent, silent, weak] = [
        await insertLiveCampaign(app, advertiser.id, {
          context: 'tents',
          dailyBudgetMicros: 10_000_000,
        }),
        await insertLiveCampaign(app, advertiser.id, { context: 'boats' }),
        await insertLiveCampaign(app, advertiser.id, { context: 'bikes' }),
      ];
      await app.db.query(
        `insert into budgets (scope_id, day, spent_micros)
         values ($1, '2026-11-15', 8500000)
         on conflict (scope_id, day) do update set spent_micros = excluded.spent_micros`,
        [spent.campaignId],
      );
      await hours(advertiser.id, silent.campaignId, 48, 20, {
        impressions: 30,
        clicks: 0,
        conversions: 0,
      });
      await hours(advertiser.id, weak.campaignId, 31 * 24, 3 * 24, {
        impressions: 100,
        clicks: 10,
        conversions: 1,
      });
      await hours(advertiser.id, weak.campaignId, 3 * 24, 0, {
        impressions: 100,
        clicks: 10,
        conversions: 0,
      });
      await look();
      await look();
      const events = [];
      for (const { url, request } of sent) {
        assert.equal(url, 'https://hooks.example/in');
        const verdict = await verifyWebhook<{ type: string; data: { campaign_id: string } }>({
          body: request.body ?? '',
          signature: request.headers?.['sidelight-signature'],
          secret,
          now: app.clock.now,
        });
        assert.ok(verdict.ok);
        events.push([verdict.event.type, verdict.event.data.campaign_id]);
      }
      assert.deepEqual(events.sort(), [
        ['campaign.budget_nearly_spent', spent.campaignId],
        ['campaign.conversion_rate_fell', weak.campaignId],
        ['campaign.delivery_stopped', silent.campaignId],
      ]);
      assert.equal(
        (await call('GET', '/advertiser-dashboard/alerts', advertiser.apiKey)).json().alerts.length,
        3,
      );
      app.clock.now += 24 * hour;
      sent = [];
      await look();
      assert.ok(sent.some(({ request }) => request.body?.includes('conversion_rate_fell')));
      app.clock.now -= 24 * hour;
    });

    it('tells a publisher that its delivery stopped', async () => {
      sent = [];
      const publisher = await app.newPublisher();
      await call('POST', '/publisher-dashboard/webhooks', publisher.apiKey, {
        url: 'https://hooks.example/pub',
        alert_types: ['publisher.delivery_stopped'],
      });
      await app.db.query(
        `insert into publisher_hours (publisher_id, bucket, impressions) values ($1, $2, 80)`,
        [publisher.id, new Date(Math.floor(app.clock.now / hour) * hour - 26 * hour)],
      );
      await look();
      assert.deepEqual(
        sent
          .filter(({ url }) => url.endsWith('/pub'))
          .map(({ request }) => JSON.parse(request.body ?? '').type),
        ['publisher.delivery_stopped'],
      );
    });

    it('tries again until the endpoint takes it, and says how it went', async () => {
      sent = [];
      const advertiser = await app.newAdvertiser();
      const { id } = (
        await call('POST', '/advertiser-dashboard/webhooks', advertiser.apiKey, {
          url: 'https://hooks.example/flaky',
        })
      ).json();
      answers = [500, 'refused', 302, 204];
      assert.equal(
        (await call('POST', `/advertiser-dashboard/webhooks/${id}/test`, advertiser.apiKey))
          .statusCode,
        202,
      );
      const start = app.clock.now;
      for (let round = 0; round < 6; round += 1) {
        await app.services.jobs.runDue();
        app.clock.now += hour;
      }
      const { deliveries } = (
        await call('GET', `/advertiser-dashboard/webhooks/${id}/deliveries`, advertiser.apiKey)
      ).json();
      assert.deepEqual(
        [
          deliveries.length,
          deliveries[0].attempts,
          deliveries[0].last_status,
          deliveries[0].last_error,
          deliveries[0].delivered_at !== null,
        ],
        [1, 4, 204, null, true],
      );
      app.clock.now = start;
    });

    it('keeps endpoints of accounts apart and refuses nonsense', async () => {
      const [mine, other, publisher] = [
        await app.newAdvertiser(),
        await app.newAdvertiser(),
        await app.newPublisher(),
      ];
      const { id } = (
        await call('POST', '/advertiser-dashboard/webhooks', mine.apiKey, {
          url: 'https://a.example',
        })
      ).json();
      for (const key of [other.apiKey, publisher.apiKey]) {
        const base = key === publisher.apiKey ? '/publisher-dashboard' : '/advertiser-dashboard';
        assert.deepEqual((await call('GET', `${base}/webhooks`, key)).json().webhooks, []);
        assert.equal(
          (await call('PATCH', `${base}/webhooks/${id}`, key, { is_active: false })).statusCode,
          404,
        );
        assert.equal((await call('DELETE', `${base}/webhooks/${id}`, key)).statusCode, 404);
        assert.equal((await call('POST', `${base}/webhooks/${id}/test`, key)).statusCode, 404);
        assert.equal((await call('GET', `${base}/webhooks/${id}/deliveries`, key)).statusCode, 404);
      }
      for (const body of [
        {},
        { url: 'ftp://a.example' },
        { url: 'https://u:p@a.example' },
        { url: 'nope' },
        { url: 'https://a.example', alert_types: ['x'] },
      ])
        assert.equal(
          (await call('POST', '/advertiser-dashboard/webhooks', mine.apiKey, body)).statusCode,
          422,
        );
      assert.equal(
        (
          await call('PATCH', `/advertiser-dashboard/webhooks/${id}`, mine.apiKey, {
            is_active: false,
          })
        ).json().is_active,
        false,
      );
      assert.equal(
        (await call('DELETE', `/advertiser-dashboard/webhooks/${id}`, mine.apiKey)).statusCode,
        204,
      );
      assert.equal(
        (await call('GET', '/advertiser-dashboard/webhooks', mine.apiKey)).json().webhooks.length,
        0,
      );
    });
  });
}
