import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { makeClick } from '../../../test/support/make-click.js';
import { managing } from '../../../test/support/managed-campaign.js';
import { signInOperator } from '../../../test/support/sign-in-operator.js';
import { testEngines } from '../../../test/support/test-database.js';
import { createSealer } from '../../platform/secrets/sealer.js';
import { followSharedSecret } from './shared-secret.js';
import { openShops, appSecret } from '../../../test/support/open-shops.js';

for (const engine of testEngines()) {
  describe(`connecting shops on the ${engine.name} engine`, () => {
    const shops = openShops(engine);
    const { send, orderOf, connected } = shops;

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
        (await managing(shops.app, await shops.app.newAdvertiser())('GET', 'integrations')).body,
        { shopify: [] },
      );
    });

    it('an invented shop with a secret of its own brings no conversions and takes none back', async () => {
      const store = await connected(undefined, { proves: false });
      const click = await makeClick(shops.app, store.id, {
        billingModel: 'cpa',
        maxCpaMicros: 4_000_000,
        priceMicros: 3_000_000,
      });
      const order = orderOf({ landing_site: `/?grclid=${click.grclid}` });
      assert.deepEqual(await send({ ...store, body: order }), [200, 'unverified']);
      await shops.app.http.inject({
        method: 'POST',
        url: '/gateway/events',
        headers: { authorization: `Bearer ${store.apiKey}` },
        payload: {
          data: [
            {
              event_name: 'Purchase',
              event_id: 'sale',
              event_time: Math.floor(shops.app.clock.now / 1000),
              user_data: { click_id: click.grclid },
              custom_data: { order_id: String(order.id) },
            },
          ],
        },
      });
      const cancelled = { ...order, cancelled_at: new Date(shops.app.clock.now).toISOString() };
      assert.deepEqual(await send({ ...store, topic: 'orders/cancelled', body: cancelled }), [
        200,
        'unverified',
      ]);
      assert.equal((await store.call('GET', 'metrics')).body.total_spend, 3);
      assert.equal((await store.conversions()).length, 1);
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
      shops.app.clock.now += 3_599_000;
      assert.deepEqual(await send({ ...store, body: orderOf() }), [200, 'ok']);
      shops.app.clock.now += 1_000;
      assert.deepEqual(await send({ ...store, body: orderOf() }), [401, 'invalid_credentials']);
    });

    it('the app’s secret can be replaced the same way', async () => {
      const clock = { now: 0 };
      const follow = (secret: string) =>
        followSharedSecret({
          db: shops.app.db,
          clock: () => clock.now,
          sealer: createSealer('m'.repeat(32)),
          secret,
        });
      await shops.app.db.query(`delete from installation where name = 'storefront_secret'`);
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
      const operator = await signInOperator(shops.app);
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
      const stranger = managing(shops.app, await shops.app.newAdvertiser());
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
          await shops.app.db.query(`select details from conversions where advertiser_id = $1`, [
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
        (
          await shops.app.http.inject({
            method: 'POST',
            url: '/webhooks/shopify',
            headers,
            payload: '{',
          })
        ).statusCode,
        400,
      );
      assert.equal((await store.conversions()).length, 0);
    });

    it('only the platform’s own name of a shop is accepted', async () => {
      const call = managing(shops.app, await shops.app.newAdvertiser());
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
