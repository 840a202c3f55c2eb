import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { createZone } from '../../domain/time/zone.js';
import { makeClick } from '../../../test/support/make-click.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';

const dayMs = 86_400_000;

for (const engine of testEngines()) {
  describe(`conversion reports on the ${engine.name} engine`, () => {
    let app: TestApp;
    before(async () => {
      app = await buildTestApp(await engine.open());
    });
    after(() => app.close());

    const get = (apiKey: string, url: string) =>
      app.http.inject({ url: `/advertiser-dashboard/${url}`, headers: { 'x-api-key': apiKey } });
    const send = (apiKey: string, events: Record<string, unknown>[]) =>
      app.http.inject({
        method: 'POST',
        url: '/gateway/events',
        headers: { authorization: `Bearer ${apiKey}` },
        payload: {
          data: events.map((event) => ({
            event_name: 'Purchase',
            event_time: Math.floor(app.clock.now / 1000),
            ...event,
          })),
        },
      });

    it('lists every field of a conversion', async () => {
      const { apiKey } = await app.newAdvertiser();
      await send(apiKey, [
        {
          event_id: 'a',
          event_source_url: 'https://shop.example/thanks?o=1',
          custom_data: { value: 12.345, currency: 'EUR', order_id: 'o1' },
        },
      ]);
      const { conversions, ...rest } = (await get(apiKey, 'conversions')).json();
      assert.deepEqual(rest, { total_conversions: 1, has_more: false, next_cursor: null });
      const { conversion_id: id, ...only } = conversions[0];
      assert.match(id, /^[0-9a-f-]{36}$/);
      assert.deepEqual(only, {
        event_type: 'Purchase',
        value_cents: 1235,
        currency: 'EUR',
        conversion_timestamp: new Date(Math.floor(app.clock.now / 1000) * 1000)
          .toISOString()
          .slice(0, 19),
        campaign_id: null,
        order_id: 'o1',
        page_url: 'https://shop.example/thanks?o=1',
        source: 'capi',
        is_attributed: false,
        attribution: null,
        ad_group_id: null,
      });
    });

    it('pages by when they happened through every conversion exactly once while more arrive', async () => {
      const { apiKey } = await app.newAdvertiser();
      for (let n = 0; n < 23; n += 1) {
        app.clock.now += 1;
        await send(apiKey, [{ event_id: `p${n}`, custom_data: { order_id: `p${n}` } }]);
      }
      const seen: string[] = [];
      let cursor = '';
      for (let turn = 0; ; turn += 1) {
        const answer = (await get(apiKey, `conversions?limit=5${cursor}`)).json();
        seen.push(...answer.conversions.map((one: { order_id: string }) => one.order_id));
        app.clock.now += 1;
        await send(apiKey, [
          {
            event_id: `late${turn}`,
            event_time: Math.floor(app.clock.now / 1000) - 86_400,
            custom_data: { order_id: `late${turn}` },
          },
        ]);
        if (answer.has_more !== true) break;
        cursor = `&cursor=${answer.next_cursor}`;
      }
      // What happened a day earlier stands after them, however late it arrived.
      assert.deepEqual(
        seen.slice(0, 23),
        Array.from({ length: 23 }, (_, n) => `p${22 - n}`),
      );
      assert.deepEqual(
        seen.slice(23),
        Array.from({ length: seen.length - 23 }, (_, n) => `late${seen.length - 24 - n}`),
      );
      assert.ok(seen.length > 23);
    });

    it('filters by campaign and, ignoring case, by type; hides other accounts; refuses odd parameters', async () => {
      const { apiKey, id } = await app.newAdvertiser();
      const other = await app.newAdvertiser();
      const click = await makeClick(app, id);
      const foreign = await makeClick(app, other.id);
      await send(apiKey, [
        { event_id: '1', user_data: { click_id: click.grclid } },
        { event_id: '2', event_name: 'Lead', user_data: { click_id: click.grclid } },
        { event_id: '3' },
        { event_id: '4', user_data: { click_id: foreign.grclid } },
      ]);
      const count = async (query: string): Promise<[number, number]> => {
        const answer = (await get(apiKey, `conversions?${query}`)).json();
        return [answer.conversions.length, answer.total_conversions];
      };
      assert.deepEqual(await count(''), [4, 4]);
      assert.deepEqual(await count('event_type=PURCHASE'), [3, 3]);
      assert.deepEqual(await count(`campaign_id=${click.campaignId}`), [2, 2]);
      assert.deepEqual(await count(`campaign_id=${click.campaignId}&event_type=lead`), [1, 1]);
      assert.deepEqual(await count('event_type=none'), [0, 0]);
      assert.equal(
        (await get(apiKey, `conversions?campaign_id=${foreign.campaignId}`)).statusCode,
        404,
      );
      assert.equal((await get(apiKey, 'conversions?campaign_id=x')).statusCode, 404);
      for (const limit of ['0', '101', 'x'])
        assert.equal((await get(apiKey, `conversions?limit=${limit}`)).statusCode, 422);
      for (const cursor of ['x', '', 'AAAA', Buffer.from('c1:nothing').toString('base64url')]) {
        const answer = await get(apiKey, `conversions?cursor=${cursor}`);
        assert.equal(answer.statusCode, 400, cursor);
        assert.deepEqual(answer.json(), { detail: 'invalid_cursor' });
      }
      assert.equal((await get('wrong', 'conversions')).statusCode, 401);
    });

    it('refuses odd ranges', async () => {
      const { apiKey } = await app.newAdvertiser();
      for (const report of ['events/analytics', 'events/conversion-stats']) {
        for (const query of [
          'days=0',
          'days=366',
          'days=x',
          'tz=Mars/Base',
          'start_date=2026-01-01',
          'start_date=2026-02-01&end_date=2026-01-01',
          'start_date=2026-02-30&end_date=2026-03-01',
        ]) {
          const answer = await get(apiKey, `${report}?${query}`);
          assert.equal(answer.statusCode, 422, `${report}?${query}`);
          assert.ok(Array.isArray(answer.json().detail));
        }
      }
    });

    it('counts conversions by the days of any zone as a slow count does', async () => {
      const zones = [
        'UTC',
        'America/New_York',
        'Asia/Kolkata',
        'Asia/Kathmandu',
        'Australia/Lord_Howe',
        'Pacific/Apia',
      ];
      // Around changes of the clock in several of these zones.
      for (const now of [
        Date.UTC(2026, 10, 3, 12),
        Date.UTC(2027, 2, 16, 3),
        Date.UTC(2027, 3, 6, 1),
      ]) {
        app.clock.now = now;
        const { apiKey } = await app.newAdvertiser();
        const events = fc
          .sample(
            fc.record({
              ago: fc.integer({ min: 0, max: 6 * dayMs }),
              event_name: fc.constantFrom('Purchase', 'Lead', 'purchase'),
            }),
            60,
          )
          .map(({ ago, event_name }, n) => ({
            event_id: `z${n}`,
            event_name,
            event_time: Math.floor((now - ago) / 1000),
          }));
        await send(apiKey, events);
        for (const tz of zones) {
          const zone = createZone(tz);
          const type = fc.sample(fc.constantFrom(null, 'purchase', 'LEAD'), 1)[0] ?? null;
          const today = Date.parse(`${zone.dateAt(now)}T00:00:00Z`);
          const days = new Set(
            Array.from({ length: 4 }, (_, n) =>
              new Date(today - n * dayMs).toISOString().slice(0, 10),
            ),
          );
          const expected = new Map<string, number>();
          for (const event of events) {
            const date = zone.dateAt(event.event_time * 1000);
            if (
              days.has(date) &&
              (type === null || event.event_name.toLowerCase() === type.toLowerCase())
            )
              expected.set(date, (expected.get(date) ?? 0) + 1);
          }
          const answer = (
            await get(
              apiKey,
              `events/conversion-stats?days=4&tz=${tz}${type === null ? '' : `&event_type=${type}`}`,
            )
          ).json();
          assert.deepEqual(
            answer.time_series,
            [...expected].sort().map(([date, conversions]) => ({ date, conversions })),
            tz,
          );
          assert.equal(
            answer.total,
            [...expected.values()].reduce((sum, count) => sum + count, 0),
          );
          assert.equal(
            answer.by_event_type.reduce(
              (sum: number, row: { total: number }) => sum + row.total,
              0,
            ),
            answer.total,
          );
        }
        const padded = (await get(apiKey, 'events/conversion-stats?days=30&fill=zero')).json();
        assert.equal(padded.time_series.length, 30);
      }
    });
  });
}
