import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { nilUuid } from '../../domain/uuid.js';
import type { EventRecord } from '../../platform/events/event.js';
import type { TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { micros, openReportedTraffic, ranges } from '../../../test/support/reported-traffic.js';
import { zones } from '../../../test/support/random-traffic.js';
import { countByDay } from '../../../test/support/slow-report.js';

/** Long enough that more than a hundred campaigns did something in it. */
const wide = 299;
const wideRanges = fc.record({
  tz: fc.constantFrom(...zones),
  start: fc.constant('2026-01-20'),
  length: fc.constant(wide),
});

type Reported = Awaited<ReturnType<typeof openReportedTraffic>>;

/** Few campaigns are looked up one by one, many are read day by day: both add up to the same. */
const accounts = [
  { size: 'a small advertiser', moreCampaigns: 0, isLarge: false },
  { size: 'an advertiser of many campaigns', moreCampaigns: 160, isLarge: true },
];

for (const engine of testEngines()) {
  for (const { size, moreCampaigns, isLarge } of accounts)
    describeReports(engine, size, moreCampaigns, isLarge);
}

function describeReports(
  engine: ReturnType<typeof testEngines>[number],
  size: string,
  moreCampaigns: number,
  isLarge: boolean,
): void {
  describe(`the report of ${size} by anything on the ${engine.name} engine`, () => {
    let app: TestApp;
    let traffic: Reported['traffic'];
    let get: Reported['get'];
    let slow: Reported['slow'];
    let query: Reported['query'];
    before(async () => {
      ({ app, traffic, get, slow, query } = await openReportedTraffic(await engine.open(), {
        moreCampaigns,
      }));
    });
    after(() => app.close());

    const keysOf: Record<string, (event: EventRecord) => string> = {
      campaign: (event) => event.campaignId ?? '',
      ad_group: (event) => event.adGroupId ?? nilUuid,
      ad: (event) => event.adId ?? nilUuid,
      publisher: (event) => event.publisherId ?? nilUuid,
      country: (event) => event.country ?? '',
      device: (event) => event.device ?? '',
      placement: (event) => event.placement ?? '',
    };

    it('a report by anything equals a count of the raw events, and adds up to the metrics', async () => {
      await fc.assert(
        fc.asyncProperty(
          isLarge ? fc.oneof(ranges, wideRanges) : ranges,
          fc.constantFrom(...Object.keys(keysOf)),
          fc.boolean(),
          async (range, by, one) => {
            const device = one ? 'mobile' : undefined;
            const answer = await get(
              `report?by=${by}&limit=10000&${query(range)}${one ? `&device=${device}` : ''}`,
            );
            assert.equal(answer.statusCode, 200, answer.body);
            const body = answer.json();
            const isWanted = (event: EventRecord): boolean =>
              event.kind !== 'request' &&
              event.campaignId != null &&
              (device === undefined || event.device === device);
            const expected = new Map<string, number[]>();
            const own = new Map<string, EventRecord[]>();
            slow(range, (event) => {
              const key = keysOf[by]?.(event) ?? '';
              if (isWanted(event)) own.set(key, [...(own.get(key) ?? []), event]);
              return false;
            });
            for (const [key, events] of own) {
              const sums = [0, 0, 0, 0, 0];
              for (const day of countByDay(events, range.tz, () => true).values())
                [
                  day.impressions,
                  day.clicks,
                  day.spendMicros,
                  day.conversions,
                  day.valueMicros,
                ].forEach((value, index) => (sums[index] = (sums[index] ?? 0) + value));
              if (sums.some((value) => value !== 0)) expected.set(key, sums);
            }
            const found = new Map<string, number[]>(
              body.rows
                .map((row: Record<string, number> & { key: string }) => [
                  row.key,
                  [
                    row['impressions'],
                    row['clicks'],
                    micros(row['spend'] ?? 0),
                    row['conversions'],
                    micros(row['revenue'] ?? 0),
                  ],
                ])
                .filter(([, sums]: [string, number[]]) => sums.some((value) => value !== 0)),
            );
            assert.deepEqual([...found].sort(), [...expected].sort());
            if (isLarge && by === 'campaign' && !one && range.length === wide)
              assert.ok(found.size > 100, `${found.size} campaigns`);
            if (one) return;
            const metrics = (await get(`metrics?${query(range)}`)).json();
            assert.deepEqual(
              [
                body.total.impressions,
                body.total.clicks,
                micros(body.total.spend),
                body.total.conversions,
              ],
              [
                metrics.total_impressions,
                metrics.total_clicks,
                micros(metrics.total_spend),
                metrics.total_conversions,
              ],
            );
          },
        ),
        { numRuns: 25 },
      );
    });

    it('a report by day lists every day beside that of the period before', async () => {
      const range = { tz: 'Asia/Kathmandu', start: '2026-03-08', length: 30 };
      const body = (await get(`report?by=day&compare=previous&${query(range)}`)).json();
      const metrics = (await get(`metrics?compare=previous&fill=zero&${query(range)}`)).json();
      const brief = (row: Record<string, unknown>) => [
        row['impressions'],
        row['clicks'],
        row['spend'],
        row['roas'],
      ];
      assert.deepEqual(body.rows.map(brief), metrics.data.map(brief));
      assert.deepEqual(
        body.rows.map((row: { key: string; before: Record<string, unknown> }) => [
          row.key,
          ...brief(row.before),
        ]),
        metrics.data.map((row: { date: string }, day: number) => [
          row.date,
          ...brief(metrics.previous.data[day]),
        ]),
      );
      assert.equal(body.total_before.spend, metrics.previous.total_spend);
      assert.deepEqual(body.previous, {
        start_date: metrics.previous.start_date,
        end_date: metrics.previous.end_date,
      });
    });

    it('a report is sorted, cut and narrowed as asked, and what is not there is refused', async () => {
      const base = 'report?by=ad&start_date=2026-01-20&end_date=2026-11-14';
      const all = (await get(`${base}&sort=clicks&order=asc&limit=10000`)).json();
      const clicks = all.rows.map((row: { clicks: number }) => row.clicks);
      assert.deepEqual(
        clicks,
        [...clicks].sort((a, b) => a - b),
      );
      const cut = (await get(`${base}&sort=clicks&order=asc&limit=2`)).json();
      assert.deepEqual([cut.rows.length, cut.row_count, cut.total], [2, all.row_count, all.total]);
      const campaignId = traffic.campaignIds[0] ?? '';
      const narrow = (await get(`${base}&campaign_id=${campaignId}`)).json();
      assert.ok(narrow.row_count > 0 && narrow.row_count < all.row_count);
      assert.equal(narrow.filters[0].field, 'campaign_id');
      const csv = await get(`${base}&limit=2`, { accept: 'text/csv' });
      assert.match(csv.body, /^key,name,impressions,/);
      for (const wrong of [
        'report?by=zodiac',
        'report?sort=zodiac&by=ad',
        'report?days=0',
        'report?tz=Mars',
      ])
        assert.equal((await get(wrong)).statusCode, 422, wrong);
      assert.equal((await get('report?campaign_id=nope')).statusCode, 404);
      const other = await app.newAdvertiser();
      const theirs = await app.http.inject({
        url: `/advertiser-dashboard/${base}&campaign_id=${campaignId}`,
        headers: { 'x-api-key': other.apiKey },
      });
      assert.deepEqual(
        [theirs.json().rows, theirs.json().filters],
        [[], [{ field: 'campaign_id', name: 'Gone' }]],
      );
    });
  });
}
