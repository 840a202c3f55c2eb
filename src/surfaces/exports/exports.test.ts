import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { insertRandomTraffic, type Traffic } from '../../../test/support/random-traffic.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { nilUuid } from '../../domain/uuid.js';
import { indexPartitionsBefore } from '../../platform/events/partitions.js';
import { addKey } from '../accounts/open-account.js';

const micros = (dollars: string | number | undefined): number => Math.round(Number(dollars) * 1e6);

for (const engine of testEngines()) {
  describe(`event export on the ${engine.name} engine`, () => {
    let app: TestApp;
    let traffic: Traffic;
    const keys = { advertiser: '', publisher: '' };
    before(async () => {
      app = await buildTestApp(await engine.open(), { now: Date.parse('2026-11-15T12:00:00Z') });
      traffic = await insertRandomTraffic(app, { seed: 5, events: 1500 });
      await insertRandomTraffic(app, { seed: 6, events: 50 });
      const add = (kind: 'advertiser' | 'publisher', id: string) =>
        app.db.transaction((tx) =>
          addKey({ tx, mintId: app.services.mintId, now: app.clock.now }, kind, id, 'test'),
        );
      keys.advertiser = await add('advertiser', traffic.advertiserId);
      keys.publisher = await add('publisher', traffic.publisherIds[0] ?? '');
      await app.services.directory.refresh();
    });
    after(() => app.close());
    const get = (kind: 'advertiser' | 'publisher', path: string) =>
      app.http.inject({ url: `/${kind}-dashboard/${path}`, headers: { 'x-api-key': keys[kind] } });
    const rows = async (
      kind: 'advertiser' | 'publisher',
      query: string,
    ): Promise<Record<string, string>[]> =>
      parse((await get(kind, `exports/events?${query}`)).body, { columns: true });

    it('adds up to the reports of the same days in any zone', async () => {
      for (const tz of ['UTC', 'Asia/Kathmandu', 'America/New_York']) {
        for (const [start, end] of [
          ['2026-01-01', '2026-12-31'],
          ['2026-10-25', '2026-10-25'],
          ['2026-03-08', '2026-03-09'],
        ]) {
          const range = `start_date=${start}&end_date=${end}&tz=${tz}`;
          const spent = await rows('advertiser', range);
          const metrics = (await get('advertiser', `metrics?${range}`)).json();
          assert.equal(
            spent.reduce((total, row) => total + micros(row['spend']), 0),
            micros(metrics.total_spend),
          );
          assert.equal(
            spent.reduce((total, row) => total + micros(row['conversion_value']), 0),
            micros(metrics.total_revenue),
          );
          const earned = await rows('publisher', range);
          const stats = (await get('publisher', `stats?${range}`)).json();
          assert.equal(
            earned.reduce((total, row) => total + micros(row['revenue']), 0),
            micros(stats.totalRevenue),
          );
        }
      }
    });

    it('holds every event of the account once and nobody else’s', async () => {
      const exported = await rows('advertiser', 'start_date=1970-01-01&end_date=2100-01-01');
      const mine = traffic.events.filter(
        (event) => event.advertiserId === traffic.advertiserId && event.test !== true,
      );
      assert.ok(mine.length > 2000);
      assert.deepEqual(
        exported.map((row) => `${row['event_id']} ${row['kind']}`).sort(),
        mine.map((event) => `${event.id} ${event.kind}`).sort(),
      );
      assert.ok(exported.every((row) => !('pub_user_id' in row) && !('revenue' in row)));
    });

    it('days that are over are read by an index of the account, to the same lines', async () => {
      const query = 'start_date=1970-01-01&end_date=2100-01-01';
      const before = await rows('advertiser', query);
      const done = await indexPartitionsBefore(app.db, '2026-11-14');
      assert.ok(done.length > 10 && done.every((name) => name < 'events_20261114'));
      assert.deepEqual(await indexPartitionsBefore(app.db, '2026-11-14'), []);
      assert.deepEqual(await rows('advertiser', query), before);
      const [fullest] = await app.db.query<{ day: string; part: string }>(
        `select day::text as day, 'events_' || to_char(day, 'YYYYMMDD') as part
         from events
         where day < '2026-11-14'
         group by day
         order by count(*) desc, day
         limit 1`,
      );
      const { day = '', part = '' } = fullest ?? {};
      await app.db.script(`analyze ${part}`);
      const plan = await app.db.transaction(async (tx) => {
        // The days of a test are so small that the planner would rather read them whole.
        await tx.script('set local enable_seqscan = off; set local enable_sort = off');
        return tx.query(
          `explain select id from events where day = $1 and (id, kind) > ($2::uuid, '') and advertiser_id = $3 order by id, kind limit 10`,
          [day, nilUuid, traffic.advertiserId],
        );
      });
      assert.match(JSON.stringify(plan), new RegExp(`${part}_advertiser`));
    });

    it('any text stays in its cell and no spreadsheet runs it', async () => {
      const names = [
        'plain',
        'a,b',
        'say "hi"',
        'line\r\nbreak',
        '=1+1',
        '-5',
        '@cmd',
        "o'clock",
        'ünïcode',
        '550e8400-e29b',
        ' "= ',
      ];
      const { mintId, eventLog } = app.services;
      const kept = names.map((userId) => ({ id: mintId(app.clock.now), userId }));
      await eventLog.append(
        kept.map(({ id, userId }) => ({
          id,
          kind: 'request',
          at: app.clock.now,
          publisherId: traffic.publisherIds[0] ?? null,
          userId,
        })),
      );
      const exported = new Map(
        (await rows('publisher', 'start_date=2026-11-15&end_date=2026-11-15&kind=request')).map(
          (row) => [row['event_id'], row],
        ),
      );
      for (const { id, userId } of kept)
        assert.equal(
          exported.get(id)?.['pub_user_id'],
          /^[=+\-@\t\r\n]/.test(userId) ? `'${userId}` : userId,
        );
      assert.deepEqual(
        [...new Set(kept.map(({ id }) => exported.get(id)?.['at']))],
        ['2026-11-15T12:00:00.000'],
      );
    });

    it('filters by kind and refuses what makes no sense', async () => {
      assert.ok(
        (await rows('publisher', 'start_date=2026-01-01&end_date=2026-12-31&kind=click')).every(
          (row) => row['kind'] === 'click',
        ),
      );
      assert.equal((await get('advertiser', 'exports/events')).statusCode, 422);
      assert.equal(
        (await get('advertiser', 'exports/events?start_date=2026-02-01&end_date=2026-01-01'))
          .statusCode,
        422,
      );
      assert.equal(
        (await get('publisher', 'exports/events?start_date=2026-01-01&end_date=2026-01-01&tz=X'))
          .statusCode,
        400,
      );
      assert.equal(
        (await app.http.inject({ url: '/advertiser-dashboard/exports/events' })).statusCode,
        401,
      );
    });
  });
}
