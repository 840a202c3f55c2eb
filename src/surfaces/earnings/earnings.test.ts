import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { insertLiveCampaign } from '../../../test/support/live-campaign.js';
import { managing } from '../../../test/support/managed-campaign.js';
import { signInOperator } from '../../../test/support/sign-in-operator.js';
import { startStripeServer, type StripeServer } from '../../../test/support/stripe-server.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import type { EventRecord } from '../../platform/events/event.js';
import { saveEvidence } from '../traffic-quality/finding-queries.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';

const dayMs = 86_400_000;

for (const engine of testEngines()) {
  describe(`earnings and late findings on the ${engine.name} engine`, () => {
    let app: TestApp;
    let stripe: StripeServer;
    before(async () => {
      stripe = await startStripeServer('sk_test_1');
      app = await buildTestApp(await engine.open(), {
        environment: {
          PAYOUTS: 'stripe_connect',
          STRIPE_SECRET_KEY: 'sk_test_1',
          STRIPE_WEBHOOK_SECRET: 'whsec_test',
          STRIPE_API_URL: stripe.url,
        },
      });
    });
    after(async () => {
      await app.close();
      stripe.close();
    });

    const as = async (apiKey: string, path: string) =>
      (
        await app.http.inject({
          url: `/publisher-dashboard/${path}`,
          headers: { 'x-api-key': apiKey },
        })
      ).json();

    it('earnings are held, found traffic is taken back and credited, the rest is paid once', async () => {
      const advertiser = await app.newAdvertiser();
      const manage = managing(app, advertiser);
      const ids = await insertLiveCampaign(app, advertiser.id, { context: 'garden hoses' });
      const at = app.clock.now;
      /** 300 views and some clicks at 10 cents, 5 cents of them the publisher's. */
      const traffic = async (clicks: number) => {
        const publisher = await app.newPublisher();
        const shared = { at, publisherId: publisher.id, advertiserId: advertiser.id, ...ids };
        const serves = Array.from({ length: 300 }, () => app.services.mintId(at));
        const money = {
          spendMicros: 100_000,
          revenueMicros: 50_000,
          budgetDay: new Date(at).toISOString().slice(0, 10),
        };
        const all = (kind: EventRecord['kind'], list: readonly string[], more = {}) =>
          app.services.eventLog.append(list.map((id) => ({ ...shared, ...more, id, kind })));
        await all('win', serves, { data: { topic: 'garden' } });
        await all('impression', serves);
        await all('click', serves.slice(0, clicks), { ...money, at: at + 5000 });
        return publisher;
      };
      const honest = [];
      for (const clicks of [6, 8, 9, 10, 12]) honest.push(await traffic(clicks));
      const farm = await traffic(150);
      const spend = async () => [
        (await manage('GET', 'metrics')).body.total_spend,
        (await manage('GET', 'billing')).body.total_spend_dollars,
        (await manage('GET', `campaigns/${ids.campaignId}`)).body.spend,
      ];
      assert.deepEqual(await spend(), [19.5, 19.5, 19.5]);
      const of = async (apiKey: string) => {
        const { held, payable, paid } = await as(apiKey, 'earnings');
        return { held, payable, paid };
      };
      assert.deepEqual(await of(farm.apiKey), { held: 7.5, payable: 0, paid: 0 });

      app.clock.now += 3_600_000;
      await app.services.jobs.enqueue(app.db, 'judge-traffic', 'now', {});
      await app.services.jobs.runDue();
      assert.deepEqual(await spend(), [4.5, 4.5, 4.5]);
      assert.deepEqual(await of(farm.apiKey), { held: 0, payable: 0, paid: 0 });
      assert.equal((await as(farm.apiKey, 'stats')).totalClicks, 0);
      const seen = (rows: { reason: string; kind: string; events: number; amount: number }[]) =>
        rows.map(({ reason, kind, events, amount }) => [reason, kind, events, amount]);
      assert.deepEqual(seen((await as(farm.apiKey, 'invalid-traffic')).rows), [
        ['click_rate', 'impression', 300, 0],
        ['click_rate', 'click', 150, 7.5],
      ]);
      assert.deepEqual(seen((await manage('GET', 'invalid-traffic')).body.rows), [
        ['click_rate', 'impression', 300, 0],
        ['click_rate', 'click', 150, 15],
      ]);
      for (const publisher of honest)
        assert.deepEqual((await as(publisher.apiKey, 'invalid-traffic')).rows, []);
      const why = '50 % of views were clicked; usual is 3.0 %.';
      const told = ({ findings }: { findings: Record<string, unknown>[] }) =>
        findings.map((row) => [row['rule'], row['explanation'], row['events'], row['amount']]);
      const asTool = async (apiKey: string, name: string) => {
        const answer = await app.http.inject({
          method: 'POST',
          url: '/mcp',
          headers: { 'x-api-key': apiKey, accept: 'application/json, text/event-stream' },
          payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } },
        });
        return answer.json().result.structuredContent;
      };
      const byPublisher = [['click_rate', why, 450, 7.5]];
      const byAdvertiser = [['click_rate', why, 450, 15]];
      assert.deepEqual(told(await as(farm.apiKey, 'traffic-findings')), byPublisher);
      assert.deepEqual(told((await manage('GET', 'traffic-findings')).body), byAdvertiser);
      assert.deepEqual(
        [
          told(await asTool(farm.apiKey, 'publisher_get_traffic_findings')),
          told(await asTool(advertiser.apiKey, 'advertiser_get_traffic_findings')),
        ],
        [byPublisher, byAdvertiser],
      );
      assert.deepEqual(told(await as(honest[0]?.apiKey ?? '', 'traffic-findings')), []);

      const [first] = honest;
      assert.ok(first !== undefined);
      assert.deepEqual(await of(first.apiKey), { held: 0.3, payable: 0, paid: 0 });
      app.clock.now += 15 * dayMs;
      assert.deepEqual(await of(first.apiKey), { held: 0, payable: 0.3, paid: 0 });
      const operator = await signInOperator(app);
      const approve = () =>
        operator('POST', '/operator/payouts', { publisher_id: first.id, reference: 'wire 1' });
      assert.deepEqual(await asTool(first.apiKey, 'publisher_get_earnings'), {
        hold_days: 14,
        earned: 0.3,
        held: 0,
        payable: 0.3,
        paid: 0,
        balance: 0.3,
        held_because: [],
        payouts: [],
      });
      const paid = await approve();
      assert.deepEqual([paid.status, paid.body.amount], [200, 0.3]);
      assert.equal((await approve()).status, 409);
      assert.deepEqual(await of(first.apiKey), { held: 0, payable: 0, paid: 0.3 });
      const listed = (await operator('GET', '/operator/earnings')).body.publishers;
      assert.equal(
        listed.find((row: { publisher_id: string }) => row.publisher_id === farm.id).payable,
        0,
      );
      const [finding] = (await operator('GET', '/operator/traffic-findings')).body.findings;
      assert.deepEqual(
        [finding.publisher_id, finding.rule, finding.events, finding.spend],
        [farm.id, 'click_rate', 450, 15],
      );
      const csv = await app.http.inject({
        url: '/publisher-dashboard/earnings',
        headers: { 'x-api-key': first.apiKey, accept: 'text/csv' },
      });
      assert.match(
        csv.body,
        /^id,publisher_id,amount,through,approved_at,reference,method,status,problem\r\n.*,0\.3,/,
      );
      assert.equal((await verifyTotals(app.db)).isClean, true);

      const months = (await as(first.apiKey, 'statements')).statements;
      const month = (ms: number): string => new Date(ms).toISOString().slice(0, 7);
      assert.equal(months[0].month, month(app.clock.now));
      assert.equal(months[0].closing, 0);
      const earnedIn = await as(first.apiKey, `statements/${month(at)}`);
      const paidIn = await as(first.apiKey, `statements/${month(app.clock.now)}`);
      const lines = [...earnedIn.lines, ...(paidIn.month === earnedIn.month ? [] : paidIn.lines)];
      assert.deepEqual(
        lines.map((line: { what: string; impressions: number; amount: number }) => [
          line.what,
          line.impressions,
          line.amount,
        ]),
        [
          ['earned', 300, 0.3],
          ['payout', 0, -0.3],
        ],
      );
      assert.equal(earnedIn.opening, 0);
      assert.equal(paidIn.closing, 0);
      const fetch = (path: string, accept: string) =>
        app.http.inject({
          url: `/publisher-dashboard/statements/${path}`,
          headers: { 'x-api-key': first.apiKey, accept },
        });
      const pdf = await fetch(`${month(at)}/pdf`, '*/*');
      assert.equal(pdf.headers['content-type'], 'application/pdf');
      assert.equal(pdf.rawPayload.subarray(0, 5).toString(), '%PDF-');
      const table = await fetch(month(at), 'text/csv');
      assert.match(
        table.body,
        /^date,what,impressions,clicks,amount,reference\r\n.*,earned,300,6,0\.3/,
      );
      for (const none of ['2026-13', 'now', '2099-01'])
        assert.equal((await fetch(none, '*/*')).statusCode, 404);
      const account = await as(first.apiKey, 'payout-account');
      assert.deepEqual([account.provider, account.connected], ['stripe_connect', false]);
    });

    it('who has not shown to have people waits, says why, and is paid when the operator knows better', async () => {
      const advertiser = await app.newAdvertiser();
      const ids = await insertLiveCampaign(app, advertiser.id, { context: 'paper kites' });
      const publisher = await app.newPublisher();
      const at = app.clock.now;
      await app.services.eventLog.append([
        {
          ...ids,
          id: app.services.mintId(at),
          kind: 'click',
          at,
          publisherId: publisher.id,
          advertiserId: advertiser.id,
          spendMicros: 2_000_000,
          revenueMicros: 1_000_000,
          budgetDay: new Date(at).toISOString().slice(0, 10),
        },
      ]);
      const seen = async () => {
        const { payable, held_because: because } = await as(publisher.apiKey, 'earnings');
        return [payable, because];
      };
      assert.deepEqual(await seen(), [0, [{ reason: 'recent', amount: 1 }]]);
      await saveEvidence(
        app.db,
        [{ publisherId: publisher.id, isProven: false, conversions: 0, expectedConversions: 3 }],
        new Date(at),
      );
      app.clock.now += 15 * dayMs;
      assert.deepEqual(await seen(), [0, [{ reason: 'unproven', amount: 1 }]]);
      const operator = await signInOperator(app);
      const pay = (more = {}) =>
        operator('POST', '/operator/payouts', { publisher_id: publisher.id, ...more });
      assert.equal((await pay()).status, 409);
      assert.equal((await pay({ unproven: true })).body.amount, 1);
      assert.deepEqual(await seen(), [0, []]);
    });

    it('a small publisher waits until somebody buys and keeps it, where its advertisers tell', async () => {
      const telling = await app.newAdvertiser();
      const silent = await app.newAdvertiser();
      const told = await app.http.inject({
        method: 'POST',
        url: '/gateway/events',
        headers: { authorization: `Bearer ${telling.apiKey}` },
        payload: {
          data: [
            {
              event_name: 'Purchase',
              event_id: 'of somebody no ad led there',
              event_time: Math.floor(app.clock.now / 1000),
            },
          ],
        },
      });
      assert.equal(told.json().results[0].status, 'ok');
      const at = app.clock.now;
      const traffic = async (advertiser: { id: string }, buys: 'kept' | 'returned' | 'no') => {
        const ids = await insertLiveCampaign(app, advertiser.id, { context: 'sea kayaks' });
        const publisher = await app.newPublisher();
        const shared = { at, publisherId: publisher.id, advertiserId: advertiser.id, ...ids };
        const serves = Array.from({ length: 20 }, () => app.services.mintId(at));
        const money = {
          spendMicros: 200_000,
          revenueMicros: 100_000,
          budgetDay: new Date(at).toISOString().slice(0, 10),
        };
        const [serve] = serves;
        const id = app.services.mintId(at);
        const bought = { ...shared, id, attribution: 'click' as const };
        await app.services.eventLog.append([
          ...serves.map((one) => ({ ...shared, id: one, kind: 'win' as const, data: {} })),
          ...serves.map((one) => ({ ...shared, id: one, kind: 'impression' as const })),
          { ...shared, ...money, id: serve ?? '', kind: 'click', at: at + 5000 },
          ...(buys === 'no'
            ? []
            : [{ ...bought, kind: 'conversion' as const, data: { serve, source: 'capi' } }]),
          ...(buys === 'returned'
            ? [
                {
                  ...bought,
                  kind: 'conversion_reversal' as const,
                  data: { reason: 'orders/cancelled' },
                },
              ]
            : []),
        ]);
        return publisher;
      };
      const publishers = [
        await traffic(telling, 'kept'),
        await traffic(telling, 'returned'),
        await traffic(telling, 'no'),
        await traffic(silent, 'no'),
      ];
      app.clock.now += 3_600_000;
      await app.services.jobs.enqueue(app.db, 'judge-traffic', 'small', {});
      await app.services.jobs.runDue();
      app.clock.now += 15 * dayMs;
      const payable = [];
      for (const { apiKey } of publishers) payable.push((await as(apiKey, 'earnings')).payable);
      assert.deepEqual(payable, [0.1, 0, 0, 0.1]);
    });

    it('publishers whose ads are rarely seen to be ads are flagged and, by setting, not paid', async () => {
      const advertiser = await app.newAdvertiser();
      const ids = await insertLiveCampaign(app, advertiser.id, { context: 'glass marbles' });
      const at = app.clock.now;
      const shows = async (viewable: number, disclosed: number) => {
        const publisher = await app.newPublisher();
        const serves = Array.from({ length: 300 }, () => app.services.mintId(at));
        const shared = { ...ids, at, publisherId: publisher.id, advertiserId: advertiser.id };
        for (const [kind, count] of [
          ['win', 300],
          ['impression', 300],
          ['viewable', viewable],
          ['disclosed', disclosed],
        ] as const)
          await app.services.eventLog.append(
            serves.slice(0, count).map((id) => ({
              ...shared,
              id,
              kind,
              ...(kind === 'impression'
                ? {
                    spendMicros: 2000,
                    revenueMicros: 1000,
                    budgetDay: new Date(at).toISOString().slice(0, 10),
                  }
                : {}),
            })),
          );
        return publisher;
      };
      const [open, hidden, silent] = [
        await shows(240, 235),
        await shows(240, 10),
        await shows(0, 0),
      ];
      app.clock.now += 15 * dayMs;
      const seen = async ({ apiKey }: { apiKey: string }) => {
        const { state, earnings_held: isHeld } = await as(apiKey, 'disclosure');
        const { payable, held_because: because } = await as(apiKey, 'earnings');
        return [state, isHeld, payable, because.map((one: { reason: string }) => one.reason)];
      };
      assert.deepEqual(await seen(open), ['disclosed', false, 0.3, []]);
      assert.deepEqual(await seen(hidden), ['label_hidden', false, 0.3, []]);
      Object.assign(app.config, { UNDISCLOSED_EARNINGS: 'hold' });
      try {
        assert.deepEqual(await seen(open), ['disclosed', false, 0.3, []]);
        assert.deepEqual(await seen(hidden), ['label_hidden', true, 0, ['undisclosed']]);
        assert.deepEqual(await seen(silent), ['no_proof', true, 0, ['undisclosed']]);
        const operator = await signInOperator(app);
        const { publishers } = (await operator('GET', '/operator/disclosure')).body;
        const row = (id: string) =>
          publishers.find((one: { publisher_id: string }) => one.publisher_id === id);
        assert.deepEqual(
          [row(open.id).flagged, row(hidden.id).flagged, row(hidden.id).disclosed_rate],
          [false, true, 0.041667],
        );
        const pay = (id: string) => operator('POST', '/operator/payouts', { publisher_id: id });
        assert.equal((await pay(hidden.id)).status, 409);
        assert.equal((await pay(open.id)).body.amount, 0.3);
      } finally {
        Object.assign(app.config, { UNDISCLOSED_EARNINGS: 'pay' });
      }
    });

    it('payouts are sent once to the publisher’s own account (simulated Stripe)', async () => {
      const advertiser = await app.newAdvertiser();
      const publisher = await app.newPublisher();
      const ids = await insertLiveCampaign(app, advertiser.id, { context: 'copper kettles' });
      const operator = await signInOperator(app);
      const at = app.clock.now - 15 * dayMs;
      await app.services.eventLog.append([
        {
          id: app.services.mintId(at),
          kind: 'impression',
          at,
          advertiserId: advertiser.id,
          publisherId: publisher.id,
          ...ids,
          spendMicros: 20_000_000,
          revenueMicros: 12_345_678,
          budgetDay: new Date(at).toISOString().slice(0, 10),
        },
      ]);
      const own = async (method: 'GET' | 'POST', path: string) =>
        (
          await app.http.inject({
            method,
            url: `/publisher-dashboard/${path}`,
            headers: { 'x-api-key': publisher.apiKey },
            ...(method === 'POST' ? { payload: {} } : {}),
          })
        ).json();
      const looks = async () => {
        const { connected, ready } = await own('GET', 'payout-account');
        return [connected, ready];
      };
      assert.deepEqual(await looks(), [false, false]);
      const { url } = await own('POST', 'payout-account');
      assert.equal((await own('POST', 'payout-account')).url, url, 'the same account');
      assert.deepEqual(await looks(), [true, false]);

      const pay = () => operator('POST', '/operator/payouts', { publisher_id: publisher.id });
      const refused = (await pay()).body;
      assert.deepEqual(
        [refused.amount, refused.status, refused.method],
        [12.34, 'failed', 'stripe_connect'],
      );
      const again = (id: string, action: string) =>
        operator('POST', `/operator/payouts/${id}`, { action });
      assert.equal((await again(refused.id, 'send')).body.status, 'failed');
      assert.equal((await own('GET', 'earnings')).paid, 12.34, 'set aside until it is taken back');
      assert.equal((await again(refused.id, 'void')).body.status, 'void');
      assert.equal((await again(refused.id, 'send')).status, 409);
      assert.equal((await own('GET', 'earnings')).paid, 0);

      for (const account of stripe.accounts) account.payouts_enabled = true;
      assert.deepEqual(await looks(), [true, true]);
      stripe.loseAnswers(3, '500', '/v1/transfers');
      const lost = (await pay()).body;
      assert.equal(lost.status, 'approved', 'nobody knows yet: it may have been sent');
      assert.equal((await again(lost.id, 'void')).status, 409);
      const sent = (await again(lost.id, 'send')).body;
      assert.deepEqual([sent.status, sent.reference], ['paid', stripe.transfers[0]?.id]);
      assert.equal((await again(lost.id, 'send')).status, 409);
      assert.deepEqual(
        stripe.transfers.map(({ amount, destination }) => [amount, destination]),
        [[1234, stripe.accounts[0]?.id]],
      );
      const { paid, balance } = await own('GET', 'earnings');
      assert.deepEqual([paid, balance], [12.34, 0.005678], 'parts of a cent stay');
    });

    it('a blocked publisher is paid nothing', async () => {
      const publisher = await app.newPublisher();
      await app.db.query(`update publishers set status = 'blocked' where id = $1`, [publisher.id]);
      const operator = await signInOperator(app);
      const answer = await operator('POST', '/operator/payouts', { publisher_id: publisher.id });
      assert.equal(answer.status, 409);
    });
  });
}
