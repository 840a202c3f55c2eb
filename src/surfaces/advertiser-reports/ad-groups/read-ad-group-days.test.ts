import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import {
  insertRandomTraffic,
  type Traffic,
  zones,
} from '../../../../test/support/random-traffic.js';
import { buildTestApp, type TestApp } from '../../../../test/support/test-app.js';
import { testEngines } from '../../../../test/support/test-database.js';
import { dayEdges } from '../../../domain/time/day-edges.js';
import { dayRange } from '../../../domain/time/day-range.js';
import { type AdGroupDays, sumDaysAndEdges, sumQuarters } from './ad-group-queries.js';
import { AdGroupSeries } from './ad-group-series.js';
import { readAdGroupDays } from './read-ad-group-days.js';

const now = Date.parse('2026-11-15T12:00:00Z');

for (const engine of testEngines()) {
  describe(`days of ad groups on the ${engine.name} engine`, () => {
    let app: TestApp;
    let traffic: Traffic;
    before(async () => {
      app = await buildTestApp(await engine.open(), { now });
      traffic = await insertRandomTraffic(app, { seed: 11, events: 900 });
    });
    after(() => app.close());

    function seriesOf(
      days: readonly AdGroupDays[],
      edges: ReturnType<typeof dayEdges> | null,
      id: string,
      length: number,
    ): number[][] {
      const series = new AdGroupSeries(length, false);
      series.clear();
      for (const one of days) if (one.adGroupId === id) series.add(one.rows, edges);
      return [series.impressions, series.clicks, series.conversions, series.spendMicros].map(
        (measure) => [...measure],
      );
    }

    it('UTC days with their edges are what the quarter hours add up to, in any zone and range', async () => {
      const ids = traffic.groups.map((group) => group.id);
      let seen = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...zones),
          fc.constantFrom('2026-01-20', '2026-03-08', '2026-03-29', '2026-10-24', '2026-10-31'),
          fc.constantFrom(1, 2, 3, 30, 260),
          async (tz, start, length) => {
            const end = new Date(Date.parse(`${start}T00:00:00Z`) + (length - 1) * 86_400_000)
              .toISOString()
              .slice(0, 10);
            const range = dayRange({ start, end }, tz, now);
            const edges = dayEdges(range.boundaries);
            const [byEdges, byQuarters] = [
              await sumDaysAndEdges(app.db, traffic.advertiserId, ids, edges),
              await sumQuarters(app.db, traffic.advertiserId, ids, range),
            ];
            for (const id of ids)
              assert.deepEqual(
                seriesOf(byEdges, edges, id, length),
                seriesOf(byQuarters, null, id, length),
              );
            seen += byQuarters.length;
          },
        ),
        { numRuns: 20 },
      );
      assert.ok(seen > 0);
    });

    it('busy groups are read by UTC days and edges, quiet ones by their quarter hours', async () => {
      const [busy, quiet] = [traffic.groups[0]?.id ?? '', traffic.groups[1]?.id ?? ''];
      const advertiserId = (await app.newAdvertiser()).id;
      const from = `timestamptz '2026-09-01 00:00+00'`;
      for (const [table, column, step] of [
        ['ad_group_totals', 'bucket', '15 minutes'],
        ['ad_group_days', 'day', '1 day'],
      ])
        await app.db.query(
          `insert into ${table} (advertiser_id, campaign_id, ad_group_id, ${column}, impressions)
           select $1, $1, $2, at, ${step === '1 day' ? 96 : 1}
           from generate_series(
               ${from}, ${from} + interval '30 days' - interval '${step}', interval '${step}'
             ) at`,
          [advertiserId, busy],
        );
      const range = dayRange({ start: '2026-09-02', end: '2026-09-29' }, 'Asia/Kathmandu', now);
      const { edges, days } = await readAdGroupDays(app.db, advertiserId, [busy], range);
      assert.ok(edges !== null);
      assert.deepEqual(
        seriesOf(days, edges, busy, 28)[0],
        Array.from({ length: 28 }, () => 96),
      );
      assert.equal((await readAdGroupDays(app.db, advertiserId, [quiet], range)).edges, null);
    });
  });
}
