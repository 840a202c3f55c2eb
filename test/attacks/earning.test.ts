import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { verifyTotals } from '../../src/platform/events/verify-totals.js';
import { insertLiveCampaign, type LiveCampaignOptions } from '../support/live-campaign.js';
import { managing } from '../support/managed-campaign.js';
import { signInOperator } from '../support/sign-in-operator.js';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';

const browser =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const words = [
  'kayak telescope harpsichord greenhouse espresso trampoline aquarium sauna accordion surfboard',
  'chandelier hammock unicycle periscope barometer snowplough xylophone wheelbarrow bagpipe loom',
]
  .join(' ')
  .split(' ');

interface Ad {
  impUrl: string;
  clickUrl: string;
}

for (const engine of testEngines()) {
  describe(`being paid for nothing, paying nothing (${engine.name})`, () => {
    let app: TestApp;
    let left = [...words];
    before(async () => {
      left = [...words];
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    const open = (url: string, headers: Record<string, string> = {}) => {
      const { pathname, search } = new URL(url);
      return app.http.inject({
        url: pathname + search,
        headers: { 'user-agent': browser, ...headers },
      });
    };
    let sessions = 0;
    async function ask(apiKey: string, content: string, extra = {}): Promise<Ad> {
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
      assert.equal(answer.statusCode, 200, content);
      return answer.json()[0];
    }

    /** A campaign of an advertiser and a publisher of its own. */
    async function market(options: Partial<LiveCampaignOptions> = {}) {
      const word = left.pop();
      assert.ok(word !== undefined, 'more words are needed');
      const advertiser = await app.newAdvertiser();
      const publisher = await app.newPublisher();
      const ids = await insertLiveCampaign(app, advertiser.id, {
        context: `buying a ${word}`,
        billingModel: 'cpa',
        maxCpaMicros: 5_000_000,
        ...options,
      });
      const manage = managing(app, advertiser);
      const tell = async (grclid: string, more = {}, apiKey = advertiser.apiKey) =>
        app.http.inject({
          method: 'POST',
          url: '/gateway/events',
          headers: { authorization: `Bearer ${apiKey}` },
          payload: {
            data: [
              {
                event_name: 'Purchase',
                event_id: `e${(sessions += 1)}`,
                event_time: Math.floor(app.clock.now / 1000),
                user_data: { click_id: grclid },
                ...more,
              },
            ],
          },
        });
      return {
        advertiser,
        publisher,
        ids,
        manage,
        tell,
        serve: (extra = {}) => ask(publisher.apiKey, `Which ${word} should I buy?`, extra),
        /** Seen and clicked by a person; the id of the click. */
        async click(extra = {}): Promise<string> {
          const ad = await ask(publisher.apiKey, `Which ${word} should I buy?`, extra);
          await open(ad.impUrl);
          app.clock.now += 60_000;
          const { location } = (await open(ad.clickUrl)).headers;
          return new URL(String(location)).searchParams.get('grclid') ?? '';
        },
        async spend(): Promise<number> {
          return (await manage('GET', 'metrics')).body.total_spend;
        },
        async earned(): Promise<number> {
          const answer = await app.http.inject({
            url: '/publisher-dashboard/earnings',
            headers: { 'x-api-key': publisher.apiKey },
          });
          return answer.json().earned;
        },
      };
    }

    it('whatever an advertiser changes after the click, its conversion is paid as agreed', async () => {
      type Market = Awaited<ReturnType<typeof market>>;
      const ways: Record<string, (one: Market) => Promise<{ status: number }>> = {
        paused: ({ manage, ids }) =>
          manage('PATCH', `campaigns/${ids.campaignId}`, { status: 'paused' }),
        draft: ({ manage, ids }) =>
          manage('PATCH', `campaigns/${ids.campaignId}`, { status: 'draft' }),
        archived: ({ manage, ids }) => manage('PATCH', `campaigns/${ids.campaignId}/archive`),
        ended: ({ manage, ids }) =>
          manage('PATCH', `campaigns/${ids.campaignId}`, {
            start_time: '2020-01-01T00:00:00',
            end_time: '2020-01-02T00:00:00',
          }),
        'group deleted': ({ manage, ids }) => manage('DELETE', `ad-groups/${ids.adGroupId}`),
        'ad deleted': ({ manage, ids }) => manage('DELETE', `ads/${ids.adId}`),
        'budget lowered, then the group': async ({ manage, ids }) => {
          await manage('PATCH', `campaigns/${ids.campaignId}`, { daily_budget: 0.01 });
          return manage('PATCH', `ad-groups/${ids.adGroupId}`, { daily_budget: 1 });
        },
        'paid for something else': ({ manage, ids }) =>
          manage('PATCH', `campaigns/${ids.campaignId}`, {
            conversion_type: 'Lead',
            max_cpa: 0.01,
            billing_model: 'cpm',
          }),
      };
      for (const [way, change] of Object.entries(ways)) {
        const one = await market();
        const grclid = await one.click();
        app.clock.now += 60_000;
        const { status } = await change(one);
        assert.ok(status === 200 || status === 204, `${way}: ${status}`);
        await app.serving.inventory.refresh([one.ids.campaignId]);
        app.clock.now += 60_000;
        const [result] = (await one.tell(grclid)).json().results;
        assert.deepEqual([result.status, result.attributed], ['ok', true], way);
        assert.ok((await one.spend()) > 0 && (await one.earned()) > 0, way);
      }
    });

    it('nobody but the click’s own advertiser makes a conversion of it', async () => {
      const [own, other] = [await market(), await market()];
      const grclid = await own.click();
      const byOther = (await own.tell(grclid, {}, other.advertiser.apiKey)).json();
      assert.equal(byOther.results[0].attributed, false);
      assert.ok([401, 403].includes((await own.tell(grclid, {}, own.publisher.apiKey)).statusCode));
      assert.equal((await own.tell(grclid, {}, 'nobody')).statusCode, 401);
      assert.deepEqual([await own.spend(), await other.spend(), await own.earned()], [0, 0, 0]);
    });

    it('test ads, test codes and tokens that were touched are worth nothing', async () => {
      const one = await market({ billingModel: 'cpc', maxCpcMicros: 1_000_000 });
      const test = await one.serve({ testAd: true });
      await open(test.impUrl);
      app.clock.now += 60_000;
      assert.equal((await open(test.clickUrl)).statusCode, 302);
      const ad = await one.serve();
      const url = new URL(ad.impUrl);
      const p = url.searchParams.get('p') ?? '';
      for (const at of [0, 1, 5, Math.floor(p.length / 2), p.length - 2]) {
        const changed = p.charAt(at) === 'A' ? 'B' : 'A';
        url.searchParams.set('p', p.slice(0, at) + changed + p.slice(at + 1));
        assert.equal((await open(url.href)).statusCode, 400, String(at));
      }
      for (const wrong of ['', p.slice(0, -4), `${p}${p}`, p.toUpperCase(), '%00', '[]'])
        assert.equal((await open(`http://x/ack?p=${wrong}`)).statusCode, 400, wrong);
      assert.deepEqual([await one.spend(), await one.earned()], [0, 0]);
    });

    it('a click URL opened again and again, now and much later, is paid once', async () => {
      const one = await market({ billingModel: 'cpc', maxCpcMicros: 1_000_000 });
      const ad = await one.serve();
      await open(ad.impUrl);
      app.clock.now += 60_000;
      await Promise.all(Array.from({ length: 5 }, () => open(ad.clickUrl)));
      const paid = await one.spend();
      assert.ok(paid > 0);
      for (const days of [1, 6, 15]) {
        app.clock.now += days * 86_400_000;
        await open(ad.impUrl);
        assert.equal((await open(ad.clickUrl)).statusCode, 302);
      }
      assert.equal(await one.spend(), paid);
    });

    it('a floor changes neither what a click nor what a conversion costs', async () => {
      for (const billing of [
        { billingModel: 'cpc', maxCpcMicros: 2_000_000 },
        { billingModel: 'cpa', maxCpaMicros: 9_000_000 },
      ] as const) {
        const one = await market(billing);
        const price = async (): Promise<number> => {
          const before = await one.spend();
          const grclid = await one.click();
          if (billing.billingModel === 'cpa') await one.tell(grclid);
          return (await one.spend()) - before;
        };
        const alone = await price();
        assert.ok(alone > 0);
        for (const floor of [0.2, 2]) {
          await app.db.query(`update publishers set floor_cpm_micros = $2 where id = $1`, [
            one.publisher.id,
            floor * 1_000_000,
          ]);
          await app.services.directory.refresh();
          assert.ok((await price()) <= alone * 1.05 + 1e-6, `${billing.billingModel} at ${floor}`);
        }
      }
    });

    it('numbers that are none, too large or below zero are refused and move no money', async () => {
      const one = await market();
      const grclid = await one.click();
      for (const value of ['1e999', '-1e999', '-1', '1e300', '"NaN"', 'null', '{}', '[]', '0x10']) {
        const body = (name: string, more = '') =>
          `{"data":[{"event_name":"Purchase","event_id":"n${value.length}${sessions}","event_time":${Math.floor(app.clock.now / 1000)},"user_data":{"click_id":"nobody"},"custom_data":{"${name}":${value}}${more}}]}`;
        for (const name of ['value', 'predicted_ltv']) {
          const answer = await app.http.inject({
            method: 'POST',
            url: '/gateway/events',
            headers: {
              authorization: `Bearer ${one.advertiser.apiKey}`,
              'content-type': 'application/json',
            },
            payload: body(name),
          });
          assert.ok(answer.statusCode < 500, `${name} ${value}: ${answer.body}`);
        }
        for (const field of ['daily_budget', 'max_cpc']) {
          const answer = await app.http.inject({
            method: 'PATCH',
            url: `/advertiser-dashboard/campaigns/${one.ids.campaignId}`,
            headers: { 'x-api-key': one.advertiser.apiKey, 'content-type': 'application/json' },
            payload: `{"${field}":${value}}`,
          });
          const isClearing = value === 'null';
          assert.ok(
            answer.statusCode === 422 ||
              answer.statusCode === 400 ||
              (isClearing && answer.statusCode === 200),
            `${field} ${value}: ${answer.statusCode} ${answer.body}`,
          );
        }
      }
      const { total_conversions: conversions } = (await one.manage('GET', 'conversions')).body;
      const values = (await one.manage('GET', 'metrics')).body.total_revenue;
      assert.ok(Number.isFinite(values) && values >= 0, `${values} of ${conversions}`);
      // Still paid as agreed.
      await one.tell(grclid);
      assert.ok((await one.spend()) > 0);
    });

    it('names such as __proto__ and keys sent twice change nothing for others', async () => {
      const one = await market();
      const send = (url: string, headers: Record<string, string>, payload: string) =>
        app.http.inject({
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json', 'user-agent': browser, ...headers },
          payload,
        });
      const strange =
        '"__proto__":{"testAd":true,"is_admin":true,"relevancy":0},"constructor":{"prototype":{"polluted":1}}';
      const answers = [
        await send(
          '/api/v1/ad',
          { authorization: `Bearer ${one.publisher.apiKey}` },
          `{${strange},"messages":[{"role":"user","content":"hello",${strange}}],"sessionId":"a","sessionId":"b","placements":[{"placement":"below_response","placement_id":"x"}],"user":{${strange}},"device":{${strange}}}`,
        ),
        await send(
          '/gateway/events',
          { authorization: `Bearer ${one.advertiser.apiKey}` },
          `{"data":[{${strange},"event_name":"Purchase","event_name":"Lead","event_id":"x","event_time":${Math.floor(app.clock.now / 1000)},"user_data":{${strange}},"custom_data":{${strange}},"client_context":{${strange}}}]}`,
        ),
        await send(
          '/shop/search',
          { 'x-api-key': one.publisher.apiKey },
          `{${strange},"query":"x"}`,
        ),
        await send(
          '/search',
          { 'x-api-key': one.publisher.apiKey },
          `{${strange},"query":"email"}`,
        ),
        await send(
          '/advertiser-dashboard/campaigns',
          { 'x-api-key': one.advertiser.apiKey },
          `{${strange},"name":"a","landing_page":"https://shop.example","daily_budget":5,"ad_groups":[{${strange},"name":"g"}]}`,
        ),
      ];
      for (const answer of answers) assert.ok(answer.statusCode < 500, answer.body);
      const { polluted, is_admin: admin } = {} as Record<string, unknown>;
      assert.deepEqual([polluted, admin], [undefined, undefined]);
      assert.equal((await one.serve()).impUrl.includes('/ack?p='), true);
    });

    it('bodies that are packed, endless or no text are refused', async () => {
      const one = await market();
      const { gzipSync } = await import('node:zlib');
      const bomb = gzipSync(Buffer.alloc(20_000_000, 32));
      for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip'])
        for (const url of [
          '/api/v1/ad',
          '/gateway/events',
          '/track/gr-events',
          '/mcp',
          '/search',
        ]) {
          const answer = await app.http.inject({
            method: 'POST',
            url,
            headers: {
              'content-type': 'application/json',
              'content-encoding': encoding,
              'x-api-key': one.publisher.apiKey,
              authorization: `Bearer ${url === '/gateway/events' ? one.advertiser.apiKey : one.publisher.apiKey}`,
            },
            payload: bomb,
          });
          assert.ok(
            answer.statusCode >= 400 && answer.statusCode < 500,
            `${url} ${encoding}: ${answer.statusCode}`,
          );
        }
    });

    it('an operator’s refund takes both sides’ money back once, however often it is asked for', async () => {
      const one = await market({ billingModel: 'cpc', maxCpcMicros: 1_000_000 });
      await one.click();
      const operator = await signInOperator(app);
      const refund = () =>
        operator('POST', '/operator/refunds', {
          publisher_id: one.publisher.id,
          from: new Date(app.clock.now - 3_600_000).toISOString(),
          to: new Date(app.clock.now + 3_600_000).toISOString(),
          reason: 'bots',
        });
      const first = (await refund()).body;
      assert.ok(first.spend > 0);
      assert.equal((await refund()).body.spend, 0);
      assert.deepEqual([await one.spend(), await one.earned()], [0, 0]);
    });

    it('a blocked publisher sends neither leads nor votes', async () => {
      const one = await market();
      const { impUrl } = await one.serve();
      const operator = await signInOperator(app);
      await operator('PATCH', `/operator/publishers/${one.publisher.id}`, { status: 'blocked' });
      const send = (url: string, payload: object) =>
        app.http.inject({
          method: 'POST',
          url,
          headers: {
            'x-api-key': one.publisher.apiKey,
            authorization: `Bearer ${one.publisher.apiKey}`,
          },
          payload,
        });
      const vote = { sessionId: 's', impUrl, sentiment: 'thumbs_down' };
      assert.equal((await send('/ad-feedback', vote)).statusCode, 403);
      const lead = { sessionId: 's', impUrl, fields: { email: 'a@b.example' } };
      assert.equal((await send('/api/v1/lead', lead)).statusCode, 403);
    });

    it('leaves every total equal to the raw events', async () => {
      const report = await verifyTotals(app.db);
      assert.equal(report.isClean, true, JSON.stringify(report));
    });
  });
}
