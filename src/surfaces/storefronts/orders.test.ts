import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeClick } from '../../../test/support/make-click.js';
import { signInOperator } from '../../../test/support/sign-in-operator.js';
import { testEngines } from '../../../test/support/test-database.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';
import { verifyLedger } from '../billing/ledger/verify-ledger.js';
import { openShops } from '../../../test/support/open-shops.js';

for (const engine of testEngines()) {
  describe(`orders of shops on the ${engine.name} engine`, () => {
    const shops = openShops(engine);
    const { send, orderOf, connected } = shops;

    it('paid orders are taken back within a window and a share; the rest waits for the operator', async () => {
      const store = await connected();
      const buy = async () => {
        const click = await makeClick(shops.app, store.id, {
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
          body: { ...order, cancelled_at: new Date(shops.app.clock.now).toISOString() },
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
      shops.app.clock.now += 31 * 86_400_000;
      assert.equal((await cancel(old))[1], 'late');
      const operator = await signInOperator(shops.app);
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
      assert.equal((await verifyTotals(shops.app.db)).isClean, true);
    });

    it('an order that came through an ad is a conversion credited to it', async () => {
      const store = await connected();
      const click = await makeClick(shops.app, store.id);
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
      const [stored] = await shops.app.db.query<{ text: string }>(
        `select conversions::text as text from conversions where advertiser_id = $1`,
        [store.id],
      );
      assert.ok(!stored?.text.includes('mail.example'));
    });

    it('an order that an agent placed is matched by the click id it was given', async () => {
      const store = await connected();
      const click = await makeClick(shops.app, store.id);
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
        shops.app.http.inject({
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
                timestamp: shops.app.clock.now,
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
      const operator = await signInOperator(shops.app);
      const click = await makeClick(shops.app, store.id, {
        billingModel: 'cpa',
        maxCpaMicros: 4_000_000,
        dailyBudgetMicros: 9_000_000,
        priceMicros: 3_000_000,
      });
      const again = await makeClick(shops.app, store.id, {
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

      const cancelled = { ...gone, cancelled_at: new Date(shops.app.clock.now).toISOString() };
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
      const [budget] = await shops.app.db.query<{ spent: number }>(
        `select spent_micros as spent from budgets where scope_id = $1`,
        [click.campaignId],
      );
      assert.equal(budget?.spent, 3_000_000);
      await operator('POST', '/operator/refunds', {
        advertiser_id: store.id,
        from: new Date(shops.app.clock.now - 86_400_000).toISOString(),
        to: new Date(shops.app.clock.now + 60_000).toISOString(),
        reason: 'bots',
      });
      const { body: rest } = await store.call('GET', 'conversions');
      assert.deepEqual([rest.total_conversions, rest.conversions], [0, []]);
      assert.equal((await verifyTotals(shops.app.db)).isClean, true);
      assert.deepEqual((await verifyLedger(shops.app.db)).differences, []);
    });

    it('refunds of a part lower the value of an order in every report until nothing is left of it, and what it cost stays until then', async () => {
      const store = await connected();
      const click = await makeClick(shops.app, store.id, {
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
        const day = new Date(shops.app.clock.now).toISOString().slice(0, 10);
        const { body: lines } = await shops.app.http.inject({
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
      assert.equal((await verifyTotals(shops.app.db)).isClean, true);
    });

    it('invalid traffic found after a refund of a part takes back what was left', async () => {
      const store = await connected();
      const operator = await signInOperator(shops.app);
      const click = await makeClick(shops.app, store.id);
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
        from: new Date(shops.app.clock.now - 86_400_000).toISOString(),
        to: new Date(shops.app.clock.now + 60_000).toISOString(),
        reason: 'bots',
      });
      const { body: metrics } = await store.call('GET', 'metrics');
      assert.deepEqual([metrics.total_revenue, metrics.total_conversions], [0, 0]);
      assert.equal((await verifyTotals(shops.app.db)).isClean, true);
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
          body: { ...order, cancelled_at: new Date(shops.app.clock.now).toISOString() },
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
            body: { ...next, cancelled_at: new Date(shops.app.clock.now).toISOString() },
          }),
        ]);
      }
      assert.equal((await store.conversions()).length, 0);
      assert.equal((await store.call('GET', 'conversions')).body.total_conversions, 0);
      assert.equal((await verifyTotals(shops.app.db)).isClean, true);
    });
  });
}
