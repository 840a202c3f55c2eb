import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sha256 } from '../../domain/pii.js';
import { verifyTotals } from '../../platform/events/verify-totals.js';
import { type MadeClick, makeClick } from '../../../test/support/make-click.js';
import { managing } from '../../../test/support/managed-campaign.js';
import { signInOperator } from '../../../test/support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';

const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const price = 2_000_000;

for (const engine of testEngines()) {
  describe(`trust of conversions on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    interface Shop {
      id: string;
      apiKey: string;
      pixelId: string;
    }
    async function newShop(): Promise<Shop> {
      const account = await app.newAdvertiser();
      const made = await managing(app, account)('POST', 'pixels', { url: 'https://shop.example' });
      return { ...account, pixelId: made.body.id };
    }
    const cpaClick = (shop: Shop, more = {}): Promise<MadeClick> =>
      makeClick(app, shop.id, {
        billingModel: 'cpa',
        maxCpaMicros: 5_000_000,
        priceMicros: price,
        ...more,
      });
    const asPixel = async (
      shop: Shop,
      events: Record<string, unknown>[],
      more: { visitor?: string; headers?: Record<string, string> } = {},
    ): Promise<void> => {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/track/gr-events',
        headers: { 'user-agent': browser, origin: 'https://shop.example', ...more.headers },
        payload: {
          pixel_id: shop.pixelId,
          visitor_id: more.visitor ?? 'someone',
          session_id: null,
          events: events.map((event) => ({
            event_type: 'Purchase',
            url: 'https://shop.example/thanks',
            timestamp: app.clock.now,
            ...event,
          })),
        },
      });
      assert.equal(answer.statusCode, 202, answer.body);
    };
    const asServer = async (shop: Shop, event: Record<string, unknown>) => {
      const answer = await app.http.inject({
        method: 'POST',
        url: '/gateway/events',
        headers: { authorization: `Bearer ${shop.apiKey}` },
        payload: {
          data: [
            {
              event_name: 'Purchase',
              event_time: Math.floor(app.clock.now / 1000),
              ...event,
            },
          ],
        },
      });
      const { status, attributed } = answer.json().results[0];
      return { status, attributed };
    };
    const spendOf = async (shop: Shop): Promise<number> =>
      (await managing(app, shop)('GET', 'metrics')).body.total_spend;
    const conversionsOf = async (shop: Shop) =>
      (await managing(app, shop)('GET', 'conversions')).body;
    const earned = async (publisherId: string): Promise<number> =>
      (
        await app.db.query<{ sum: number }>(
          `select coalesce(sum(revenue_micros), 0)::bigint as sum
           from publisher_totals
           where publisher_id = $1`,
          [publisherId],
        )
      )[0]?.sum ?? 0;
    const taught = async (adId: string): Promise<number> => {
      await app.serving.pace();
      const [row] = await app.db.query<{ sum: number }>(
        `select coalesce(sum(conversions), 0) as sum from click_counts where ad_id = $1`,
        [adId],
      );
      return Number(row?.sum ?? 0);
    };

    it('a click and a hundred anonymous purchases cost nothing, pay nobody and teach nothing', async () => {
      const shop = await newShop();
      const click = await cpaClick(shop);
      await asPixel(
        shop,
        Array.from({ length: 100 }, (_, n) => ({ event_id: `p${n}`, click_id: click.grclid })),
      );
      const { conversions, total_conversions: total } = await conversionsOf(shop);
      assert.equal(total, 100);
      assert.deepEqual([conversions[0].source, conversions[0].is_attributed], ['pixel', true]);
      assert.equal(await spendOf(shop), 0);
      assert.equal(await earned(click.publisherId), 0);
      assert.equal(await taught(click.adId), 0);
    });

    it('the first trusted conversion of a click and event name is paid, later ones are not', async () => {
      const shop = await newShop();
      const click = await cpaClick(shop);
      for (const [id, name] of [
        ['a', 'Purchase'],
        ['b', 'purchase'],
        ['c', 'Lead'],
        ['d', 'Lead'],
      ])
        await asServer(shop, {
          event_id: id,
          event_name: name,
          user_data: { click_id: click.grclid },
        });
      assert.equal(await spendOf(shop), 4);
      assert.equal(await earned(click.publisherId), 2_800_000);
      // What costs nothing teaches nothing, or rates could be made for free.
      assert.equal(await taught(click.adId), 2);
    });

    it('of a click that conversions do not pay for the first teaches, and steps on the way do not', async () => {
      const shop = await newShop();
      const click = await cpaClick(shop, { billingModel: 'cpc' });
      const tell = (id: string, name: string) =>
        asServer(shop, { event_id: id, event_name: name, user_data: { click_id: click.grclid } });
      await tell('cart', 'AddToCart');
      assert.equal(await taught(click.adId), 0);
      for (let n = 0; n < 5; n += 1) await tell(`p${n}`, 'Purchase');
      await tell('lead', 'Lead');
      assert.equal(await taught(click.adId), 1);
    });

    it('what a conversion taught is forgotten when it is taken back, in memory too', async () => {
      const shop = await newShop();
      const click = await cpaClick(shop);
      const rate = () => app.serving.model.pcvr(app.serving.model.adIndex(click.adId));
      const before = rate();
      await asServer(shop, { event_id: 'a', user_data: { click_id: click.grclid } });
      assert.ok(rate() > before);
      const operator = await signInOperator(app);
      const taken = await operator('POST', '/operator/refunds', {
        publisher_id: click.publisherId,
        from: new Date(app.clock.now - 3_600_000).toISOString(),
        to: new Date(app.clock.now + 3_600_000).toISOString(),
        reason: 'made up',
      });
      assert.equal(taken.status, 200, JSON.stringify(taken.body));
      while (Math.abs(rate() - before) > 1e-9)
        await new Promise((resolve) => setTimeout(resolve, 10));
      assert.equal(await taught(click.adId), 0);
    });

    it('whom an anonymous event names is not linked to its click', async () => {
      const shop = await newShop();
      const click = await cpaClick(shop);
      const victim = sha256('victim@mail.example');
      await asPixel(shop, [
        {
          event_type: 'Lead',
          event_id: 'lead',
          click_id: click.grclid,
          properties: { em: [victim], ph: ['+49 151 0000000'], external_id: ['customer 1'] },
        },
      ]);
      for (const [id, person] of [
        ['e', { em: [victim] }],
        ['p', { ph: ['+491510000000'] }],
        ['x', { external_id: ['customer 1'] }],
      ] as const)
        assert.deepEqual(await asServer(shop, { event_id: id, user_data: person }), {
          status: 'ok',
          attributed: false,
        });
      assert.equal(await spendOf(shop), 0);
    });

    it('an anonymous event is not credited to a click of the person it names', async () => {
      const shop = await newShop();
      const victim = sha256('seen@mail.example');
      await cpaClick(shop, { identity: `em:${victim}` });
      await asPixel(shop, [{ event_id: 'guess', properties: { em: [victim] } }]);
      assert.equal((await conversionsOf(shop)).conversions[0].is_attributed, false);
    });

    it('a guessed event id makes no real conversion a duplicate, and its claim is replaced', async () => {
      const shop = await newShop();
      const [own, other] = [await cpaClick(shop), await cpaClick(shop)];
      const sale = { event_id: 'order-1', user_data: { click_id: own.grclid } };
      await asPixel(shop, [
        { event_id: 'order-1', click_id: other.grclid, properties: { value: 999 } },
      ]);
      assert.deepEqual(await asServer(shop, sale), { status: 'ok', attributed: true });
      // A repeat says of the credit what the first answer said.
      assert.deepEqual(await asServer(shop, sale), { status: 'duplicate', attributed: true });
      // The page tells of it after the server did: nothing is added.
      await asPixel(shop, [{ event_id: 'order-1', click_id: own.grclid }]);
      const { conversions, total_conversions: total } = await conversionsOf(shop);
      assert.equal(total, 1);
      assert.deepEqual(
        conversions.map((one: Record<string, unknown>) => [one['source'], one['campaign_id']]),
        [['capi', own.campaignId]],
      );
      assert.equal(await spendOf(shop), 2);
    });

    it('a pixel is paid where the campaign accepts it: from its own site, by people, once a click', async () => {
      const shop = await newShop();
      const click = await cpaClick(shop);
      const sent = (id: string, headers: Record<string, string> = {}, grclid = click.grclid) =>
        asPixel(shop, [{ event_id: id, click_id: grclid }], { headers });
      await managing(app, shop)('PATCH', `campaigns/${click.campaignId}`, { cpa_trust: 'pixel' });
      await sent('1', { origin: 'https://evil.example' });
      await sent('2', { origin: 'https://shop.example.evil.example' });
      await sent('3', { 'user-agent': 'python-requests/2.31' });
      assert.equal(await spendOf(shop), 0);
      await sent('4', { origin: 'https://www.shop.example' });
      assert.equal(await spendOf(shop), 2);
      await sent('5');
      await asPixel(shop, [{ event_type: 'Lead', event_id: '6', click_id: click.grclid }]);
      assert.equal(await spendOf(shop), 2);
      // The server tells of the same one: it is paid once, for what the server said.
      await asServer(shop, { event_id: '4', user_data: { click_id: click.grclid } });
      assert.equal(await spendOf(shop), 2);
    });

    it('accepting a pixel later changes nothing for clicks made before', async () => {
      const shop = await newShop();
      const click = await cpaClick(shop, { terms: { type: null, trust: 'server' } });
      await managing(app, shop)('PATCH', `campaigns/${click.campaignId}`, { cpa_trust: 'pixel' });
      await asPixel(shop, [{ event_id: '1', click_id: click.grclid }]);
      assert.equal(await spendOf(shop), 0);
    });

    it('a budget lowered after the click still pays for its conversion', async () => {
      const shop = await newShop();
      const click = await cpaClick(shop, { dailyBudgetMicros: 20_000_000 });
      app.clock.now += 60_000;
      const manage = managing(app, shop);
      for (const budget of [0.5, 0.01])
        assert.equal(
          (await manage('PATCH', `campaigns/${click.campaignId}`, { daily_budget: budget })).status,
          200,
        );
      const group = await manage('PATCH', `ad-groups/${click.adGroupId}`, { daily_budget: 1 });
      assert.equal(group.status, 200);
      app.clock.now += 60_000;
      await asServer(shop, { event_id: 'a', user_data: { click_id: click.grclid } });
      assert.equal(await spendOf(shop), 2);
      const late = await cpaClick(shop, { campaignId: click.campaignId });
      await asServer(shop, { event_id: 'b', user_data: { click_id: late.grclid } });
      assert.equal(await spendOf(shop), 2, 'a click made under the lower budget');
    });

    it('a conversion is paid only when an impression of the ad was counted', async () => {
      const shop = await newShop();
      const click = await cpaClick(shop, { kinds: ['click'] });
      assert.deepEqual(
        await asServer(shop, { event_id: 'a', user_data: { click_id: click.grclid } }),
        { status: 'ok', attributed: true },
      );
      assert.equal(await spendOf(shop), 0);
    });

    it('a publisher blocked since the click earns nothing from it', async () => {
      const shop = await newShop();
      const click = await cpaClick(shop);
      await app.db.query(`update publishers set status = 'blocked' where id = $1`, [
        click.publisherId,
      ]);
      await app.services.directory.refresh();
      await asServer(shop, { event_id: 'a', user_data: { click_id: click.grclid } });
      assert.equal(await spendOf(shop), 0);
      assert.equal(await earned(click.publisherId), 0);
    });

    it('leaves every total equal to the raw events', async () => {
      const report = await verifyTotals(app.db);
      assert.equal(report.isClean, true, JSON.stringify(report));
    });
  });
}
