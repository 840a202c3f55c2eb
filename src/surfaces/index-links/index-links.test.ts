import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeClick } from '../../../test/support/make-click.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { grclidOf } from '../../domain/grclid.js';
import { deleteUnusedLinks, findIndexClicks, insertLinks } from './queries.js';
import { destinationUrl } from './visit-link.js';

const browser =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

describe('destination of a tracked link', () => {
  it('keeps query and fragment and carries one click id', () => {
    const id = '01932f00-0000-7000-8000-000000000001';
    assert.equal(
      destinationUrl('https://tool.example/keys?a=1&grclid=old#new', id),
      `https://tool.example/keys?a=1&grclid=${grclidOf(id)}#new`,
    );
  });
});

for (const engine of testEngines()) {
  describe(`tracked index links (${engine.name})`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    async function newLink(
      campaignId: string | null = null,
      priceMicros: number | null = null,
      kind: 'tool' | 'product' = 'tool',
    ): Promise<string> {
      const publisher = await app.newPublisher();
      const id = app.services.mintId(app.clock.now);
      await insertLinks(app.db, [
        {
          id,
          searchId: app.services.mintId(app.clock.now),
          publisherId: publisher.id,
          kind,
          targetUrl: 'https://tool.example/start?x=1',
          ref: 'tool',
          campaignId,
          priceMicros,
          at: app.clock.now,
        },
      ]);
      return id;
    }
    const visit = (id: string, agent: string = browser) =>
      app.http.inject({ url: `/go/${id}`, headers: { 'user-agent': agent } });
    const clickOf = async (id: string) =>
      (
        await app.db.query<{ visits: number; invalid: string | null; at: Date }>(
          `select visits, invalid, at from index_clicks where id = $1`,
          [id],
        )
      )[0];

    it('a visit is redirected with the click id and recorded once, however often it is repeated', async () => {
      const id = await newLink();
      const answer = await visit(grclidOf(id));
      assert.equal(answer.statusCode, 302);
      assert.equal(
        answer.headers.location,
        `https://tool.example/start?x=1&grclid=${grclidOf(id)}`,
      );
      assert.equal(answer.headers['cache-control'], 'no-store');
      app.clock.now += 1000;
      assert.equal((await visit(id)).statusCode, 302);
      const click = await clickOf(id);
      assert.equal(click?.visits, 2);
      assert.equal(click.invalid, null);
      assert.equal(click.at.getTime(), app.clock.now - 1000);
    });

    it('a crawler is redirected and marked, and a person after it makes the click valid', async () => {
      const id = await newLink();
      assert.equal(
        (
          await visit(
            id,
            'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
          )
        ).statusCode,
        302,
      );
      assert.equal((await clickOf(id))?.invalid, 'bot');
      app.clock.now += 5000;
      await visit(id);
      assert.deepEqual(await clickOf(id), {
        visits: 2,
        invalid: null,
        at: new Date(app.clock.now),
      });
      await visit(id, 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)');
      assert.equal((await clickOf(id))?.invalid, null);
    });

    it('what is fetched ahead, asked for by HEAD or led by a blocked publisher is no click', async () => {
      const go = async (
        id: string,
        method: 'GET' | 'HEAD',
        headers: Record<string, string> = {},
      ): Promise<string | null | undefined> => {
        const answer = await app.http.inject({
          method,
          url: `/go/${id}`,
          headers: { 'user-agent': browser, ...headers },
        });
        assert.equal(answer.statusCode, 302);
        assert.ok(String(answer.headers.location).startsWith('https://tool.example/start?x=1'));
        return (await clickOf(id))?.invalid;
      };
      assert.equal(await go(await newLink(), 'HEAD'), 'prefetch');
      for (const header of [
        { 'sec-purpose': 'prefetch' },
        { 'sec-purpose': 'prefetch;prerender' },
        { purpose: 'prefetch' },
        { 'x-moz': 'prefetch' },
        { 'x-purpose': 'preview' },
      ] as Record<string, string>[])
        assert.equal(await go(await newLink(), 'GET', header), 'prefetch', JSON.stringify(header));
      assert.equal(await go(await newLink(), 'GET', { 'sec-fetch-dest': 'image' }), 'embedded');
      const id = await newLink();
      await app.db.query(
        `update publishers set status = 'blocked'
         where id = (select publisher_id from index_links where id = $1)`,
        [id],
      );
      await app.services.directory.refresh();
      assert.equal(await go(id, 'GET'), 'publisher_blocked');
    });

    it('an unknown or malformed id is 404', async () => {
      for (const id of [
        app.services.mintId(app.clock.now),
        grclidOf(app.services.mintId(app.clock.now)),
        'nope',
        '%00',
      ])
        assert.equal((await visit(id)).statusCode, 404);
    });

    it('only the advertiser of the campaign finds the click', async () => {
      const [own, other] = [await app.newAdvertiser(), await app.newAdvertiser()];
      const { campaignId } = await makeClick(app, own.id, {
        billingModel: 'cpa',
        maxCpaMicros: 7_000_000,
      });
      const id = await newLink(campaignId, 7_000_000);
      assert.deepEqual(await findIndexClicks(app.db, own.id, [id], 'capi'), []);
      await visit(id);
      const [click] = await findIndexClicks(app.db, own.id, [id], 'capi');
      assert.equal(click?.campaignId, campaignId);
      assert.equal(click.charge, 'cpa');
      assert.equal(click.priceMicros, 7_000_000);
      assert.deepEqual(await findIndexClicks(app.db, other.id, [id], 'capi'), []);
    });

    it('what a server tells of a link nobody opened is credited to nobody', async () => {
      const [own, other] = [await app.newAdvertiser(), await app.newAdvertiser()];
      const { campaignId } = await makeClick(app, own.id, {
        billingModel: 'cpa',
        maxCpaMicros: 7_000_000,
      });
      const [bought, crawled] = [
        await newLink(campaignId, 7_000_000, 'product'),
        await newLink(campaignId, 7_000_000, 'product'),
      ];
      await visit(crawled, 'Googlebot/2.1 (+http://www.google.com/bot.html)');
      const buy = async (id: string, apiKey: string): Promise<boolean> => {
        const payload = {
          data: [
            {
              event_name: 'Purchase',
              event_id: `order-${id}`,
              event_time: Math.floor(app.clock.now / 1000),
              user_data: { click_id: grclidOf(id) },
              custom_data: { value: 20, currency: 'USD' },
            },
          ],
        };
        return (
          await app.http.inject({
            method: 'POST',
            url: '/gateway/events',
            headers: { authorization: `Bearer ${apiKey}` },
            payload,
          })
        ).json().results[0].attributed;
      };
      assert.deepEqual(
        [
          await buy(bought, other.apiKey),
          await buy(bought, own.apiKey),
          await buy(crawled, own.apiKey),
        ],
        [false, false, false],
      );
      await visit(bought);
      const [spend] = await app.db.query<{ sum: number }>(
        `select sum(spend_micros)::bigint as sum from events where advertiser_id = $1`,
        [own.id],
      );
      assert.equal(spend?.sum, 0);
      // Only the shop itself knows of an order its own checkout took.
      const found = async (source: 'capi' | 'pixel' | 'storefront') =>
        (await findIndexClicks(app.db, own.id, [bought, crawled], source)).length;
      assert.deepEqual(
        [await found('pixel'), await found('capi'), await found('storefront')],
        [1, 1, 2],
      );
    });

    it('a conversion that names the click is attributed to its campaign', async () => {
      const advertiser = await app.newAdvertiser();
      const { campaignId } = await makeClick(app, advertiser.id, {
        billingModel: 'cpa',
        maxCpaMicros: 7_000_000,
      });
      const id = await newLink(campaignId, 7_000_000);
      await visit(id);
      const answer = await app.http.inject({
        method: 'POST',
        url: '/gateway/events',
        headers: { authorization: `Bearer ${advertiser.apiKey}` },
        payload: {
          data: [
            {
              event_name: 'Subscribe',
              event_id: 'e1',
              event_time: Math.floor(app.clock.now / 1000),
              user_data: { click_id: grclidOf(id) },
            },
          ],
        },
      });
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.json().results[0].attributed, true);
      const [row] = await app.db.query<{ campaignId: string; spend: number }>(
        `select campaign_id as "campaignId", spend_micros as spend
         from events
         where kind = 'conversion' and advertiser_id = $1`,
        [advertiser.id],
      );
      assert.deepEqual(row, { campaignId, spend: 7_000_000 });
    });

    it('old links nobody followed go, in as many pages as they are; followed and new ones stay', async () => {
      const { id: publisherId } = await app.newPublisher();
      const day = 86_400_000;
      const until = app.clock.now;
      const link = (at: number) => ({
        id: app.services.mintId(at),
        searchId: app.services.mintId(at),
        publisherId,
        kind: 'tool' as const,
        targetUrl: 'https://tool.example/old',
        ref: 'tool',
        at,
      });
      // All of one moment: pages end between links of the same time.
      const old = Array.from({ length: 2300 }, () => link(until - 5 * day));
      const fresh = [link(until), link(until - day)];
      await insertLinks(app.db, [...old, ...fresh]);
      const followed = [old[3], old[1700]].map((one) => one?.id ?? '');
      await app.db.query(
        `insert into index_clicks (id, at) select id, now() from unnest($1::uuid[]) as f (id)`,
        [followed],
      );
      await deleteUnusedLinks(app.db, new Date(until - 2 * day));
      const left = await app.db.query<{ id: string }>(
        `select id from index_links where publisher_id = $1`,
        [publisherId],
      );
      assert.deepEqual(
        left.map((row) => row.id).sort(),
        [...followed, ...fresh.map((one) => one.id)].sort(),
      );
    });
  });
}
