import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { verifyTotals } from '../../platform/events/verify-totals.js';
import { makeClick } from '../../../test/support/make-click.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';

for (const engine of testEngines()) {
  describe(`pixel on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    async function newPixel(): Promise<{ id: string; advertiserId: string; apiKey: string }> {
      const { id: advertiserId, apiKey } = await app.newAdvertiser();
      const pixel = (
        await app.http.inject({
          method: 'POST',
          url: '/advertiser-dashboard/pixels',
          headers: { 'x-api-key': apiKey },
          payload: { url: 'shop.example' },
        })
      ).json();
      return { id: pixel.id, advertiserId, apiKey };
    }
    const send = (body: unknown, headers: Record<string, string> = {}) =>
      app.http.inject({
        method: 'POST',
        url: '/track/gr-events',
        headers: {
          'content-type': 'text/plain;charset=UTF-8',
          origin: 'https://shop.example',
          ...headers,
        },
        payload: JSON.stringify(body),
      });
    const view = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
      event_type: 'page_view',
      event_id: 'pv1',
      url: 'https://shop.example/a',
      timestamp: app.clock.now,
      ...more,
    });
    const analytics = async (apiKey: string, query = '') =>
      (
        await app.http.inject({
          url: `/advertiser-dashboard/events/analytics${query}`,
          headers: { 'x-api-key': apiKey },
        })
      ).json();
    const listed = async (apiKey: string) =>
      (
        await app.http.inject({
          url: '/advertiser-dashboard/conversions',
          headers: { 'x-api-key': apiKey },
        })
      ).json().conversions;

    it('serves the script under both names, cached, with an ETag that is honoured', async () => {
      for (const url of ['/pixel.js', '/gr-pix.js']) {
        const first = await app.http.inject({ url });
        assert.equal(first.statusCode, 200);
        assert.match(String(first.headers['content-type']), /javascript/);
        assert.equal(first.headers['cache-control'], 'public, max-age=3600');
        const etag = String(first.headers.etag);
        assert.equal(
          (await app.http.inject({ url, headers: { 'if-none-match': etag } })).statusCode,
          304,
        );
        assert.equal(
          (await app.http.inject({ url, headers: { 'if-none-match': `"x", W/${etag}` } }))
            .statusCode,
          304,
        );
        assert.equal(
          (await app.http.inject({ url, headers: { 'if-none-match': '"x"' } })).statusCode,
          200,
        );
        const packed = await app.http.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
        assert.ok(packed.rawPayload.length <= 4096);
        assert.equal(gunzipSync(packed.rawPayload).toString(), first.body);
      }
    });

    it('is open to every origin, also when it refuses', async () => {
      for (const url of ['/track/gr-events', '/track/gr-session', '/privacy/opt-out']) {
        const preflight = await app.http.inject({
          method: 'OPTIONS',
          url,
          headers: {
            origin: 'https://a.example',
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'content-type',
          },
        });
        assert.equal(preflight.statusCode, 204);
        assert.equal(preflight.headers['access-control-allow-origin'], '*');
        const refused = await app.http.inject({ method: 'POST', url, payload: {} });
        assert.equal(refused.statusCode, 422);
        assert.equal(refused.headers['access-control-allow-origin'], '*');
      }
      assert.equal(
        (await send({ pixel_id: 'nobody', visitor_id: 'v', events: [view()] })).statusCode,
        404,
      );
    });

    it('counts each event once by domain, day and type, however often the page sends it', async () => {
      const pixel = await newPixel();
      const batch = {
        pixel_id: pixel.id,
        visitor_id: 'v1',
        session_id: 's1',
        events: [
          view(),
          view({ event_id: 'f1', event_type: 'form_submit' }),
          view({ event_id: 'pv2', url: 'https://www.other.example/?email=ada@example.com' }),
          'junk',
          { event_type: '' },
        ],
      };
      for (let time = 0; time < 3; time += 1) assert.equal((await send(batch)).statusCode, 202);
      const report = await analytics(pixel.apiKey);
      const today = new Date(app.clock.now).toISOString();
      assert.deepEqual(report, {
        domains: [
          { domain: 'shop.example', events: 2 },
          { domain: 'www.other.example', events: 1 },
        ],
        time_series: [{ date: today.slice(0, 10), events: 3 }],
        event_types: [
          { event_type: 'page_view', total: 2, last_received: today.slice(0, 19) },
          { event_type: 'form_submit', total: 1, last_received: today.slice(0, 19) },
        ],
        has_historical_data: true,
      });
      assert.deepEqual((await analytics(pixel.apiKey, '?domain=OTHER')).domains, [
        { domain: 'www.other.example', events: 1 },
      ]);
      assert.deepEqual(
        (await analytics(pixel.apiKey, '?event_type=Form_Submit')).event_types.map(
          (row: { total: number }) => row.total,
        ),
        [1],
      );
      assert.equal((await verifyTotals(app.db)).isClean, true);
      const other = await app.newAdvertiser();
      assert.deepEqual(await analytics(other.apiKey), {
        domains: [],
        time_series: [],
        event_types: [],
        has_historical_data: false,
      });
    });

    it('turns standard names into conversions that share repeats with the server-side intake', async () => {
      const pixel = await newPixel();
      const click = await makeClick(app, pixel.advertiserId);
      await send({
        pixel_id: pixel.id,
        visitor_id: 'v2',
        session_id: 's2',
        events: [view({ event_id: 'pv', click_id: click.grclid })],
      });
      await send({
        pixel_id: pixel.id,
        visitor_id: 'v2',
        session_id: 's9',
        events: [
          view({
            event_type: 'purchase',
            event_id: 'order-1',
            properties: { value: '19.99', currency: 'usd', order_id: 77 },
          }),
          view({ event_type: 'Scrolled', event_id: 'x' }),
        ],
      });
      const [only, ...rest] = await listed(pixel.apiKey);
      assert.equal(rest.length, 0);
      assert.deepEqual(
        [
          only.event_type,
          only.value_cents,
          only.currency,
          only.order_id,
          only.source,
          only.campaign_id,
          only.is_attributed,
        ],
        ['Purchase', 1999, 'USD', '77', 'pixel', click.campaignId, true],
      );
      const capi = await app.http.inject({
        method: 'POST',
        url: '/gateway/events',
        headers: { authorization: `Bearer ${pixel.apiKey}` },
        payload: {
          data: [
            {
              event_name: 'Purchase',
              event_id: 'order-1',
              event_time: Math.floor(app.clock.now / 1000),
            },
          ],
        },
      });
      assert.equal(capi.json().results[0].status, 'ok');
      const [told, ...others] = await listed(pixel.apiKey);
      assert.deepEqual([told.source, others.length], ['capi', 0]);
      assert.equal(
        (await analytics(pixel.apiKey)).event_types.find(
          (row: { event_type: string }) => row.event_type === 'purchase',
        ).total,
        1,
      );
    });

    it('keeps a session for 30 idle minutes and a day at most', async () => {
      const pixel = await newPixel();
      const session = async (given?: string): Promise<string> => {
        const answer = await app.http.inject({
          method: 'POST',
          url: '/track/gr-session',
          payload: {
            pixel_id: pixel.id,
            visitor_id: 'v3',
            ...(given === undefined ? {} : { session_id: given }),
          },
        });
        assert.equal(answer.statusCode, 200, answer.body);
        return answer.json().session_id;
      };
      const first = await session();
      assert.match(first, /^gr_sess_/);
      app.clock.now += 29 * 60_000;
      assert.equal(await session(first), first);
      app.clock.now += 29 * 60_000;
      await send({ pixel_id: pixel.id, visitor_id: 'v3', session_id: first, events: [view()] });
      app.clock.now += 29 * 60_000;
      assert.equal(await session(), first);
      app.clock.now += 30 * 60_000;
      const second = await session(first);
      assert.notEqual(second, first);
      assert.equal(await session('gr_sess_started-by-the-page'), 'gr_sess_started-by-the-page');
      assert.match(await session('<script>'), /^gr_sess_/);
      for (let hour = 0; hour < 50; hour += 1) {
        app.clock.now += 29 * 60_000;
        await session();
      }
      assert.notEqual(await session(), 'gr_sess_started-by-the-page');
    });

    it('stores nothing for a visitor who refuses tracking, and skips their conversions from then on', async () => {
      const pixel = await newPixel();
      const refused = {
        pixel_id: pixel.id,
        visitor_id: 'v-gpc',
        session_id: 's',
        events: [view({ event_id: 'g1' }), view({ event_id: 'g2', event_type: 'Purchase' })],
      };
      assert.equal((await send(refused, { 'sec-gpc': '1' })).statusCode, 202);
      assert.equal(
        (
          await app.http.inject({
            method: 'POST',
            url: '/privacy/opt-out',
            headers: { 'content-type': 'text/plain' },
            payload: JSON.stringify({ pixel_id: pixel.id, visitor_id: 'v-out' }),
          })
        ).statusCode,
        200,
      );
      assert.equal((await send({ ...refused, visitor_id: 'v-out' })).statusCode, 202);
      const data = ['v-gpc', 'v-out', 'v-fine'].map((visitor_id, n) => ({
        event_name: 'Lead',
        event_id: `l${n}`,
        event_time: Math.floor(app.clock.now / 1000),
        user_data: { visitor_id },
      }));
      const answer = (
        await app.http.inject({
          method: 'POST',
          url: '/gateway/events',
          headers: { authorization: `Bearer ${pixel.apiKey}` },
          payload: { data },
        })
      ).json();
      assert.deepEqual(
        answer.results.map((result: { status: string }) => result.status),
        ['skipped', 'skipped', 'ok'],
      );
      assert.equal(answer.events_processed, 3);
      assert.equal((await listed(pixel.apiKey)).length, 1);
      assert.equal((await analytics(pixel.apiKey)).has_historical_data, false);
    });
  });
}
