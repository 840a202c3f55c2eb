import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { makeClick } from '../../../test/support/make-click.js';
import { managing } from '../../../test/support/managed-campaign.js';
import { signInOperator } from '../../../test/support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { createSealer } from '../../platform/secrets/sealer.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';
import { verifyLedger } from '../billing/ledger/verify-ledger.js';
import { followSharedSecret } from './shared-secret.js';

const appSecret = 'the secret of the app';

for (const engine of testEngines()) {
  describe(`storefronts on the ${engine.name} engine`, () => {
    let app: TestApp;
    let count = 0;
    /** What the front pages of shops show. */
    const pages = new Map<string, string>();
    before(async () => {
      app = await buildTestApp(await engine.open(), {
        environment: { STOREFRONT_WEBHOOK_SECRET: appSecret },
        outbound: async (url) => ({
          url,
          status: 200,
          headers: {},
          body: Buffer.from(pages.get(new URL(url).hostname) ?? '<html></html>'),
        }),
      });
    });
    after(() => app.close());

    interface Sent {
      shop: string;
      secret: string;
      topic?: string;
      webhookId?: string;
      body: unknown;
      signature?: string;
    }
    const send = async ({
      shop,
      secret,
      topic = 'orders/create',
      webhookId,
      body,
      signature,
    }: Sent) => {
      count += 1;
      // Spaces and a trailing newline: only the bytes as sent have this signature.
      const payload = `${JSON.stringify(body, null, 1)}\n`;
      const headers = {
        'content-type': 'application/json',
        'x-shopify-topic': topic,
        'x-shopify-shop-domain': shop,
        'x-shopify-webhook-id': webhookId ?? `w${count}`,
        'x-shopify-hmac-sha256':
          signature ?? createHmac('sha256', secret).update(payload).digest('base64'),
      };
      const response = await app.http.inject({
        method: 'POST',
        url: '/webhooks/shopify',
        headers,
        payload,
      });
      return [response.statusCode, response.json().status ?? response.json().detail];
    };
    const orderOf = (more: Record<string, unknown> = {}) => {
      count += 1;
      return {
        id: 5_000_000_000_000 + count,
        name: `#${1000 + count}`,
        order_number: 1000 + count,
        created_at: new Date(app.clock.now - 60_000).toISOString(),
        total_price: '59.90',
        currency: 'USD',
        email: `buyer${count}@mail.example`,
        customer: { id: 77_000 + count },
        line_items: [{ variant_id: 11, title: 'Shoes', quantity: 1, price: '59.90' }],
        ...more,
      };
    };
    async function connected(
      secret: string | null = 'a secret of its own',
      { proves = secret !== null } = {},
    ) {
      count += 1;
      const account = await app.newAdvertiser();
      const call = managing(app, account);
      const shop = `shop-${count}.myshopify.com`;
      const { status, body } = await call('POST', 'integrations/shopify', {
        shop_domain: `https://SHOP-${count}.myshopify.com/admin`,
        ...(secret === null ? {} : { webhook_secret: secret }),
      });
      assert.equal(status, 200);
      const prove = async (): Promise<string> => {
        pages.set(shop, `<html><meta name="sidelight" content="${body.challenge}"></html>`);
        return (await call('POST', `integrations/shopify/${body.id}/verify`)).body
          .verification_status;
      };
      if (proves) assert.equal(await prove(), 'verified');
      const row = async () => (await call('GET', 'integrations')).body.shopify[0];
      const conversions = async () => (await call('GET', 'conversions')).body.conversions;
      return {
        ...account,
        call,
        shop,
        secret: secret ?? appSecret,
        connection: body,
        prove,
        row,
        conversions,
      };
    }

    it('a connection is listed for its advertiser and verified once the shop shows our challenge', async () => {
      const store = await connected(undefined, { proves: false });
      const listed = await store.row();
      assert.deepEqual(Object.keys(listed).sort(), [
        'connected_at',
        'id',
        'is_active',
        'shop_domain',
        'verification_status',
      ]);
      assert.deepEqual(
        [listed.shop_domain, listed.is_active, listed.verification_status],
        [store.shop, true, 'pending'],
      );
      assert.deepEqual(await send({ ...store, secret: 'another secret', body: orderOf() }), [
        401,
        'invalid_credentials',
      ]);
      const looked = await store.call('POST', `integrations/shopify/${listed.id}/verify`);
      assert.equal(looked.body.verification_status, 'pending');
      assert.equal(await store.prove(), 'verified');
      assert.deepEqual(await send({ ...store, body: orderOf() }), [200, 'ok']);
      assert.deepEqual(
        (await managing(app, await app.newAdvertiser())('GET', 'integrations')).body,
        { shopify: [] },
      );
    });

    it('an invented shop with a secret of its own brings no conversions and takes none back', async () => {
      const store = await connected(undefined, { proves: false });
      const click = await makeClick(app, store.id, {
        billingModel: 'cpa',
        maxCpaMicros: 4_000_000,
        priceMicros: 3_000_000,
      });
      const order = orderOf({ landing_site: `/?grclid=${click.grclid}` });
      assert.deepEqual(await send({ ...store, body: order }), [200, 'unverified']);
      await app.http.inject({
        method: 'POST',
        url: '/gateway/events',
        headers: { authorization: `Bearer ${store.apiKey}` },
        payload: {
          data: [
            {
              event_name: 'Purchase',
              event_id: 'sale',
              event_time: Math.floor(app.clock.now / 1000),
              user_data: { click_id: click.grclid },
              custom_data: { order_id: String(order.id) },
            },
          ],
        },
      });
      const cancelled = { ...order, cancelled_at: new Date(app.clock.now).toISOString() };
      assert.deepEqual(await send({ ...store, topic: 'orders/cancelled', body: cancelled }), [
        200,
        'unverified',
      ]);
      assert.equal((await store.call('GET', 'metrics')).body.total_spend, 3);
      assert.equal((await store.conversions()).length, 1);
    });

    it('paid orders are taken back within a window and a share; the rest waits for the operator', async () => {
      const store = await connected();
      const buy = async () => {
        const click = await makeClick(app, store.id, {
          billingModel: 'cpa',
          maxCpaMicros: 4_000_000,
          priceMicros: 1_000_000,
        });
        const order = orderOf({ landing_site: `/?grclid=${click.grclid}` });
        assert.deepEqual(await send({ ...store, body: order }), [200, 'ok']);
        return order;
      };
      const cancel = (order: object) =>
        send({
          ...store,
          topic: 'orders/cancelled',
          body: { ...order, cancelled_at: new Date(app.clock.now).toISOString() },
        });
      const spend = async (): Promise<number> =>
        (await store.call('GET', 'metrics', undefined)).body.total_spend;
      const old = await buy();
      const orders = [await buy(), await buy(), await buy(), await buy(), await buy()];
      const outcomes = [];
      for (const order of orders) outcomes.push((await cancel(order))[1]);
      assert.deepEqual(outcomes, ['reversed', 'reversed', 'reversed', 'waiting', 'waiting']);
      assert.equal((await cancel(orders[4] ?? {}))[1], 'waiting');
      assert.equal(await spend(), 3);
      app.clock.now += 31 * 86_400_000;
      assert.equal((await cancel(old))[1], 'late');
      const operator = await signInOperator(app);
      const listed = (await operator('GET', '/operator/reversals?limit=500')).body.reversals.filter(
        (row: { advertiser_id: string }) => row.advertiser_id === store.id,
      );
      assert.deepEqual(
        listed
          .map((row: { status: string; spend: number; reason: string }) =>
            [row.status, row.spend, row.reason].join(),
          )
          .sort(),
        [
          'applied,1,orders/cancelled',
          'applied,1,orders/cancelled',
          'applied,1,orders/cancelled',
          'late,1,orders/cancelled',
          'waiting,1,orders/cancelled',
          'waiting,1,orders/cancelled',
        ],
      );
      const [first, second] = listed
        .filter((row: { status: string }) => row.status === 'waiting')
        .map((row: { conversion_id: string }) => row.conversion_id);
      const decide = (id: string, verdict: string) =>
        operator('POST', `/operator/reversals/${id}/${verdict}`, { note: 'looked at' });
      assert.equal((await decide(first, 'approve')).body.status, 'applied');
      assert.equal((await decide(second, 'refuse')).body.status, 'refused');
      assert.equal((await decide(first, 'refuse')).status, 409);
      assert.equal((await store.call('GET', 'billing')).body.total_spend_dollars, 2);
      assert.equal((await verifyTotals(app.db)).isClean, true);
    });

    it('an order that came through an ad is a conversion credited to it', async () => {
      const store = await connected();
      const click = await makeClick(app, store.id);
      const order = orderOf({
        landing_site: `/products/shoes?utm_source=x&grclid=${click.grclid}`,
      });
      assert.deepEqual(await send({ ...store, body: order }), [200, 'ok']);
      const [conversion] = await store.conversions();
      assert.deepEqual(
        [
          conversion.event_type,
          conversion.value_cents,
          conversion.currency,
          conversion.order_id,
          conversion.source,
          conversion.is_attributed,
          conversion.campaign_id,
        ],
        ['Purchase', 5990, 'USD', String(order.id), 'storefront', true, click.campaignId],
      );
      const [stored] = await app.db.query<{ text: string }>(
        `select conversions::text as text from conversions where advertiser_id = $1`,
        [store.id],
      );
      assert.ok(!stored?.text.includes('mail.example'));
    });

    it('an order that an agent placed is matched by the click id it was given', async () => {
      const store = await connected();
      const click = await makeClick(app, store.id);
      await send({
        ...store,
        body: orderOf({ note_attributes: [{ name: 'click_id_value', value: click.grclid }] }),
      });
      assert.equal((await store.conversions())[0].is_attributed, true);
    });

    it('a webhook told again, the same order under another topic, and the page’s own purchase all count once', async () => {
      const store = await connected();
      const order = orderOf();
      assert.deepEqual(await send({ ...store, webhookId: 'same', body: order }), [200, 'ok']);
      assert.deepEqual(await send({ ...store, webhookId: 'same', body: order }), [
        200,
        'duplicate',
      ]);
      assert.deepEqual(await send({ ...store, topic: 'orders/paid', body: order }), [
        200,
        'duplicate',
      ]);
      const pixel = (
        await store.call('POST', 'pixels', { name: 'Shop', url: 'https://shop.example' })
      ).body;
      const purchase = (orderId: string, eventId: string) =>
        app.http.inject({
          method: 'POST',
          url: '/track/gr-events',
          payload: {
            pixel_id: pixel.id,
            visitor_id: 'v1',
            session_id: 's1',
            events: [
              {
                event_type: 'Purchase',
                event_id: eventId,
                url: 'https://shop.example/thanks',
                timestamp: app.clock.now,
                properties: { value: 59.9, currency: 'USD', order_id: orderId },
              },
            ],
          },
        });
      assert.equal((await purchase(String(order.id), 'page-1')).statusCode, 202);
      assert.equal((await store.conversions()).length, 1);
      const next = orderOf();
      await purchase(String(next.order_number), 'page-2');
      assert.deepEqual(await send({ ...store, body: next }), [200, 'ok']);
      assert.deepEqual(
        (await store.conversions()).map((row: { source: string }) => row.source),
        ['storefront', 'storefront'],
      );
    });

    it('a cancelled order is taken back: reports are restated, the bill stays, and what it cost becomes credit', async () => {
      const store = await connected();
      const operator = await signInOperator(app);
      const click = await makeClick(app, store.id, {
        billingModel: 'cpa',
        maxCpaMicros: 4_000_000,
        dailyBudgetMicros: 9_000_000,
        priceMicros: 3_000_000,
      });
      const again = await makeClick(app, store.id, {
        billingModel: 'cpa',
        campaignId: click.campaignId,
        priceMicros: 3_000_000,
      });
      const [gone, stays] = [
        orderOf({ landing_site: `/?grclid=${click.grclid}` }),
        orderOf({ landing_site: `/?grclid=${again.grclid}` }),
      ];
      for (const body of [gone, stays])
        assert.deepEqual(await send({ ...store, body }), [200, 'ok']);
      const [invoice] = (
        await operator('POST', '/operator/billing/run', { advertiser_id: store.id })
      ).body.invoices;
      assert.equal(invoice.total_dollars, 6);

      const cancelled = { ...gone, cancelled_at: new Date(app.clock.now).toISOString() };
      assert.deepEqual(await send({ ...store, topic: 'orders/cancelled', body: cancelled }), [
        200,
        'reversed',
      ]);
      for (const topic of ['orders/cancelled', 'orders/updated'])
        assert.deepEqual(await send({ ...store, topic, body: cancelled }), [200, 'duplicate']);
      assert.deepEqual(await send({ ...store, topic: 'orders/paid', body: gone }), [
        200,
        'duplicate',
      ]);

      const { body: metrics } = await store.call('GET', 'metrics');
      assert.deepEqual(
        [metrics.total_spend, metrics.total_conversions, metrics.total_revenue],
        [3, 1, 59.9],
      );
      const { body: listed } = await store.call('GET', 'conversions');
      assert.deepEqual(
        [
          listed.total_conversions,
          listed.conversions.map((row: { order_id: string }) => row.order_id),
        ],
        [1, [String(stays.id)]],
      );
      assert.equal((await store.call('GET', 'events/conversion-stats')).body.total, 1);
      const { body: billing } = await store.call('GET', 'billing');
      assert.deepEqual(
        [
          billing.total_spend_dollars,
          billing.total_billed_dollars,
          billing.unbilled_dollars,
          billing.credits_dollars,
        ],
        [3, 3, 0, 3],
      );
      assert.equal((await store.call('GET', `invoices/${invoice.id}`)).body.total_dollars, 6);
      const entries = (await store.call('GET', 'ledger')).body.entries
        .map((entry: { kind: string; amount_dollars: number }) => [
          entry.kind,
          entry.amount_dollars,
        ])
        .sort();
      assert.deepEqual(entries, [
        ['charge', -6],
        ['refund', 3],
      ]);
      const [budget] = await app.db.query<{ spent: number }>(
        `select spent_micros as spent from budgets where scope_id = $1`,
        [click.campaignId],
      );
      assert.equal(budget?.spent, 3_000_000);
      await operator('POST', '/operator/refunds', {
        advertiser_id: store.id,
        from: new Date(app.clock.now - 86_400_000).toISOString(),
        to: new Date(app.clock.now + 60_000).toISOString(),
        reason: 'bots',
      });
      const { body: rest } = await store.call('GET', 'conversions');
      assert.deepEqual([rest.total_conversions, rest.conversions], [0, []]);
      assert.equal((await verifyTotals(app.db)).isClean, true);
      assert.deepEqual((await verifyLedger(app.db)).differences, []);
    });

    it('refunds of a part lower the value of an order in every report until nothing is left of it, and what it cost stays until then', async () => {
      const store = await connected();
      const click = await makeClick(app, store.id, {
        billingModel: 'cpa',
        maxCpaMicros: 4_000_000,
        dailyBudgetMicros: 9_000_000,
        priceMicros: 3_000_000,
      });
      const order = orderOf({ landing_site: `/?grclid=${click.grclid}` });
      assert.deepEqual(await send({ ...store, body: order }), [200, 'ok']);
      const refund = (id: number, amount: string) =>
        send({
          ...store,
          topic: 'refunds/create',
          body: {
            id,
            order_id: order.id,
            transactions: [{ kind: 'refund', status: 'success', amount }],
          },
        });
      const expect = async (value: number, conversions: number, spend: number): Promise<void> => {
        const { body: metrics } = await store.call('GET', 'metrics');
        assert.deepEqual(
          [metrics.total_revenue, metrics.total_conversions, metrics.total_spend],
          [value, conversions, spend],
        );
        assert.equal(
          (await store.call('GET', `campaigns/${click.campaignId}`)).body.conversion_value,
          value,
        );
        const { body: listed } = await store.call('GET', 'conversions');
        assert.deepEqual(
          [
            listed.total_conversions,
            listed.conversions.map((row: { value_cents: number }) => row.value_cents),
          ],
          [conversions, conversions === 0 ? [] : [Math.round(value * 100)]],
        );
        const day = new Date(app.clock.now).toISOString().slice(0, 10);
        const { body: lines } = await app.http.inject({
          url: `/advertiser-dashboard/exports/events?start_date=${day}&end_date=${day}`,
          headers: { 'x-api-key': store.apiKey },
        });
        const worth = lines
          .split('\r\n')
          .slice(1, -1)
          .reduce((sum, line) => sum + Number(line.split(',').at(-1)) * 1e6, 0);
        assert.equal(Math.round(worth), value * 1e6);
        assert.equal((await store.call('GET', 'billing')).body.total_spend_dollars, spend);
      };
      await expect(59.9, 1, 3);
      for (let repeat = 0; repeat < 2; repeat += 1) {
        assert.deepEqual(await refund(1, '9.90'), [200, 'partial']);
        await expect(50, 1, 3);
      }
      assert.deepEqual(await refund(2, '20.00'), [200, 'partial']);
      await expect(30, 1, 3);
      assert.deepEqual(await refund(3, '30.00'), [200, 'reversed']);
      await expect(0, 0, 0);
      assert.equal((await verifyTotals(app.db)).isClean, true);
    });

    it('invalid traffic found after a refund of a part takes back what was left', async () => {
      const store = await connected();
      const operator = await signInOperator(app);
      const click = await makeClick(app, store.id);
      const order = orderOf({ landing_site: `/?grclid=${click.grclid}` });
      await send({ ...store, body: order });
      assert.deepEqual(
        await send({
          ...store,
          topic: 'refunds/create',
          body: { id: 1, order_id: order.id, transactions: [{ kind: 'refund', amount: '9.90' }] },
        }),
        [200, 'partial'],
      );
      await operator('POST', '/operator/refunds', {
        advertiser_id: store.id,
        from: new Date(app.clock.now - 86_400_000).toISOString(),
        to: new Date(app.clock.now + 60_000).toISOString(),
        reason: 'bots',
      });
      const { body: metrics } = await store.call('GET', 'metrics');
      assert.deepEqual([metrics.total_revenue, metrics.total_conversions], [0, 0]);
      assert.equal((await verifyTotals(app.db)).isClean, true);
    });

    it('a refund of all of it takes an order back, one of a part does not', async () => {
      const store = await connected();
      const order = orderOf();
      let refunds = 0;
      const refund = (amount: string, more: Record<string, unknown> = {}) =>
        send({
          ...store,
          topic: 'refunds/create',
          body: {
            id: (refunds += 1),
            order_id: order.id,
            transactions: [{ kind: 'refund', status: 'success', amount, ...more }],
          },
        });
      assert.deepEqual(await refund('59.90'), [200, 'unknown']);
      assert.deepEqual(await send({ ...store, body: order }), [200, 'ok']);
      assert.deepEqual(await refund('10.00'), [200, 'partial']);
      assert.deepEqual(await refund('59.90', { status: 'failure' }), [200, 'partial']);
      assert.deepEqual(
        await send({
          ...store,
          topic: 'orders/updated',
          body: { ...order, financial_status: 'partially_refunded' },
        }),
        [200, 'ignored'],
      );
      assert.equal((await store.conversions()).length, 1);
      assert.deepEqual(await refund('59.90'), [200, 'reversed']);
      assert.deepEqual(
        await send({
          ...store,
          topic: 'orders/updated',
          body: { ...order, financial_status: 'refunded' },
        }),
        [200, 'duplicate'],
      );
      assert.equal((await store.conversions()).length, 0);
    });

    it('an order cancelled before anybody told of it is never counted, also at the same moment', async () => {
      const store = await connected();
      const order = orderOf();
      assert.deepEqual(
        await send({
          ...store,
          topic: 'orders/cancelled',
          body: { ...order, cancelled_at: new Date(app.clock.now).toISOString() },
        }),
        [200, 'unknown'],
      );
      assert.deepEqual(await send({ ...store, body: order }), [200, 'duplicate']);
      for (let round = 0; round < 5; round += 1) {
        const next = orderOf();
        await Promise.all([
          send({ ...store, body: next }),
          send({
            ...store,
            topic: 'orders/cancelled',
            body: { ...next, cancelled_at: new Date(app.clock.now).toISOString() },
          }),
        ]);
      }
      assert.equal((await store.conversions()).length, 0);
      assert.equal((await store.call('GET', 'conversions')).body.total_conversions, 0);
      assert.equal((await verifyTotals(app.db)).isClean, true);
    });

    it('the signature is over the bytes, and nothing else is believed', async () => {
      const store = await connected();
      for (const signature of [
        '',
        'AAAA',
        createHmac('sha256', store.secret).update(JSON.stringify(orderOf())).digest('base64'),
      ])
        assert.deepEqual(await send({ ...store, signature, body: orderOf() }), [
          401,
          'invalid_credentials',
        ]);
      assert.deepEqual(await send({ ...store, shop: 'unknown.myshopify.com', body: orderOf() }), [
        401,
        'invalid_credentials',
      ]);
      assert.deepEqual(await send({ ...store, secret: appSecret, body: orderOf() }), [
        401,
        'invalid_credentials',
      ]);
      assert.equal((await store.conversions()).length, 0);
    });

    it('a replaced secret is accepted for one more hour', async () => {
      const store = await connected();
      await store.call('POST', 'integrations/shopify', {
        shop_domain: store.shop,
        webhook_secret: 'the new secret',
      });
      assert.deepEqual(await send({ ...store, secret: 'the new secret', body: orderOf() }), [
        200,
        'ok',
      ]);
      app.clock.now += 3_599_000;
      assert.deepEqual(await send({ ...store, body: orderOf() }), [200, 'ok']);
      app.clock.now += 1_000;
      assert.deepEqual(await send({ ...store, body: orderOf() }), [401, 'invalid_credentials']);
    });

    it('the app’s secret can be replaced the same way', async () => {
      const clock = { now: 0 };
      const follow = (secret: string) =>
        followSharedSecret({
          db: app.db,
          clock: () => clock.now,
          sealer: createSealer('m'.repeat(32)),
          secret,
        });
      await app.db.query(`delete from installation where name = 'storefront_secret'`);
      assert.deepEqual((await follow('first'))(), ['first']);
      const secrets = await follow('second');
      assert.deepEqual(secrets(), ['second', 'first']);
      clock.now = 3_600_000;
      assert.deepEqual(secrets(), ['second']);
      assert.deepEqual((await follow('second'))(), ['second']);
    });

    it('with the app’s secret, orders count only after the operator confirmed whose shop it is', async () => {
      const store = await connected(null);
      assert.deepEqual(await send({ ...store, body: orderOf() }), [200, 'unverified']);
      const operator = await signInOperator(app);
      const waiting = (await operator('GET', '/operator/storefronts')).body.storefronts;
      assert.ok(
        waiting.some(
          (row: { id: string; advertiser_id: string }) =>
            row.id === store.connection.id && row.advertiser_id === store.id,
        ),
      );
      assert.equal(
        (await operator('POST', `/operator/storefronts/${store.connection.id}/verify`)).body
          .verification_status,
        'verified',
      );
      assert.deepEqual(await send({ ...store, body: orderOf() }), [200, 'ok']);
      assert.equal((await store.conversions()).length, 1);
    });

    it('an uninstalled app and a disconnected shop bring no more conversions', async () => {
      const store = await connected();
      assert.deepEqual(await send({ ...store, topic: 'app/uninstalled', body: {} }), [
        200,
        'disconnected',
      ]);
      assert.equal((await store.row()).is_active, false);
      assert.deepEqual(await send({ ...store, body: orderOf() }), [200, 'inactive']);
      assert.equal(
        (await store.call('POST', 'integrations/shopify', { shop_domain: store.shop })).body
          .is_active,
        true,
      );
      assert.deepEqual(await send({ ...store, body: orderOf() }), [200, 'ok']);
      const stranger = managing(app, await app.newAdvertiser());
      assert.deepEqual(
        [
          (await stranger('DELETE', `integrations/shopify/${store.connection.id}`)).status,
          (await stranger('DELETE', 'integrations/shopify/nonsense')).status,
        ],
        [404, 404],
      );
      assert.equal(
        (await store.call('DELETE', `integrations/shopify/${store.connection.id}`)).body.is_active,
        false,
      );
    });

    it('compliance topics are answered, and a redacted customer is forgotten', async () => {
      const store = await connected();
      const order = orderOf();
      await send({ ...store, body: order });
      const details = async () =>
        JSON.stringify(
          await app.db.query(`select details from conversions where advertiser_id = $1`, [
            store.id,
          ]),
        );
      assert.match(await details(), /"em"/);
      const customer = { ...order.customer, email: order.email };
      assert.deepEqual(
        await send({ ...store, topic: 'customers/data_request', body: { customer } }),
        [200, 'noted'],
      );
      assert.deepEqual(await send({ ...store, topic: 'customers/redact', body: { customer } }), [
        200,
        'erased',
      ]);
      assert.doesNotMatch(await details(), /"em"/);
      assert.deepEqual(await send({ ...store, topic: 'shop/redact', body: {} }), [200, 'erased']);
      assert.deepEqual(await send({ ...store, body: orderOf() }), [401, 'invalid_credentials']);
    });

    it('test orders, cancelled orders, unknown topics and broken bodies change nothing', async () => {
      const store = await connected();
      assert.deepEqual(await send({ ...store, body: orderOf({ test: true }) }), [200, 'skipped']);
      assert.deepEqual(
        await send({ ...store, body: orderOf({ cancelled_at: '2026-01-01T00:00:00Z' }) }),
        [200, 'skipped'],
      );
      assert.deepEqual(await send({ ...store, topic: 'products/update', body: {} }), [
        200,
        'ignored',
      ]);
      assert.deepEqual(await send({ ...store, body: [null] }), [200, 'ignored']);
      const headers = {
        'content-type': 'application/json',
        'x-shopify-shop-domain': store.shop,
        'x-shopify-hmac-sha256': createHmac('sha256', store.secret).update('{').digest('base64'),
      };
      assert.equal(
        (await app.http.inject({ method: 'POST', url: '/webhooks/shopify', headers, payload: '{' }))
          .statusCode,
        400,
      );
      assert.equal((await store.conversions()).length, 0);
    });

    it('only the platform’s own name of a shop is accepted', async () => {
      const call = managing(app, await app.newAdvertiser());
      for (const domain of [
        'shop.example',
        'a.b.myshopify.com',
        '-x.myshopify.com',
        'x.myshopify.com.evil.example',
        '',
      ])
        assert.equal(
          (await call('POST', 'integrations/shopify', { shop_domain: domain })).status,
          422,
          domain,
        );
      assert.equal(
        (await call('POST', 'integrations/shopify', { shop_domain: 'plain-name' })).body
          .shop_domain,
        'plain-name.myshopify.com',
      );
    });
  });
}
