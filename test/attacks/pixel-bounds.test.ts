import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildTestApp, type TestApp } from '../support/test-app.js';
import { testEngines } from '../support/test-database.js';

for (const engine of testEngines()) {
  describe(`a pixel anyone can call (${engine.name})`, () => {
    let app: TestApp;
    let advertiserId: string;
    const pixelOf = async (advertiser: string): Promise<string> => {
      const id = app.services.mintId(app.clock.now);
      await app.db.query(
        `insert into pixels (id, advertiser_id, name, url, url_key)
         values ($1, $2, 'Shop', 'https://shop.example', $3)`,
        [id, advertiser, id],
      );
      return id;
    };
    before(async () => {
      app = await buildTestApp(await engine.open(), {
        environment: { PIXEL_EVENTS_PER_DAY: '400' },
      });
      advertiserId = (await app.newAdvertiser()).id;
    });
    after(() => app.close());

    const send = (pixel: string, names: readonly string[], from = '127.0.0.1') =>
      app.http.inject({
        method: 'POST',
        url: '/track/gr-events',
        headers: { 'x-forwarded-for': from },
        payload: {
          pixel_id: pixel,
          visitor_id: 'v',
          session_id: 's',
          events: names.map((name, at) => ({
            event_type: name,
            event_id: `${name}-${at}`,
            url: `https://${name}.example/`,
          })),
        },
      });

    it('makes a hundred names of events and sites, and counts the rest as other', async () => {
      const pixel = await pixelOf(advertiserId);
      const names = Array.from({ length: 250 }, (_, at) => `made-up-${at}`);
      for (let at = 0; at < names.length; at += 50)
        assert.equal((await send(pixel, names.slice(at, at + 50))).statusCode, 202);
      await app.services.eventLog.drain();
      const rows = await app.db.query<{ domain: string; type: string; events: number }>(
        `select domain, event_type as type, sum(events)::int as events
         from pixel_totals
         where advertiser_id = $1
         group by 1, 2`,
        [advertiserId],
      );
      assert.equal(new Set(rows.map(({ type }) => type)).size, 101);
      assert.equal(new Set(rows.map(({ domain }) => domain)).size, 101);
      assert.equal(rows.find(({ type }) => type === 'other')?.events, 150);
    });

    it('a stranger cannot use up the day of somebody else’s pixel', async () => {
      const pixel = await pixelOf(advertiserId);
      const batch = Array<string>(100).fill('page_view');
      assert.equal((await send(pixel, batch, '2a00:1450:4001:830::1')).statusCode, 202);
      const more = await send(pixel, ['page_view'], '2a00:1450:4001:830:7::2');
      assert.equal(more.statusCode, 429);
      assert.ok(Number(more.headers['retry-after']) > 0);
      assert.equal((await send(pixel, batch, '2a00:1450:4001:831::1')).statusCode, 202);
    });

    it('has a quota a day, and another pixel has its own', async () => {
      const [busy, quiet] = [await pixelOf(advertiserId), await pixelOf(advertiserId)];
      const batch = Array<string>(100).fill('page_view');
      for (let at = 0; at < 4; at += 1) assert.equal((await send(busy, batch)).statusCode, 202);
      const refused = await send(busy, ['page_view']);
      assert.equal(refused.statusCode, 429);
      assert.ok(Number(refused.headers['retry-after']) > 0);
      assert.equal((await send(quiet, batch)).statusCode, 202);
      app.clock.now += 86_400_000;
      assert.equal((await send(busy, batch)).statusCode, 202);
    });
  });
}
