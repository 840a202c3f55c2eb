import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import {
  isActive,
  metricsRow,
  micros,
  openReportedTraffic,
  ranges,
  sum,
  withinRounding,
} from '../../../test/support/reported-traffic.js';

type Reported = Awaited<ReturnType<typeof openReportedTraffic>>;

for (const engine of testEngines()) {
  describe(`advertiser reports on the ${engine.name} engine`, () => {
    let app: TestApp;
    let traffic: Reported['traffic'];
    let get: Reported['get'];
    let slow: Reported['slow'];
    let query: Reported['query'];
    before(async () => {
      ({ app, traffic, get, slow, query } = await openReportedTraffic(await engine.open()));
    });
    after(() => app.close());

    it('metrics equal a count of the raw events in any zone and range', async () => {
      await fc.assert(
        fc.asyncProperty(ranges, fc.boolean(), async (range, one) => {
          const campaign = one ? traffic.campaignIds[0] : undefined;
          const answer = await get(
            `metrics?${query(range)}${campaign === undefined ? '' : `&campaign_id=${campaign}`}`,
          );
          assert.equal(answer.statusCode, 200, answer.body);
          const body = answer.json();
          const expected = [
            ...slow(
              range,
              (event) =>
                event.kind !== 'request' &&
                (campaign === undefined || event.campaignId === campaign),
            ),
          ]
            .filter(([, day]) => isActive(day))
            .map(([date, day]) => metricsRow(date, day));
          assert.deepEqual(withinRounding(body.data, expected), expected);
          assert.equal(micros(body.total_spend), sum(body.data, 'spend'));
          assert.equal(micros(body.total_revenue), sum(body.data, 'revenue'));
          for (const name of ['conversions', 'viewable_impressions', 'disclosed_impressions'])
            assert.equal(micros(body[`total_${name}`]), sum(body.data, name));
        }),
        { numRuns: 25 },
      );
    });

    it('ad-group series equal a count of the raw events, archived groups only when asked', async () => {
      await fc.assert(
        fc.asyncProperty(ranges, fc.boolean(), async (range, archived) => {
          const answer = await get(`ad-group-metrics?${query(range)}&include_archived=${archived}`);
          assert.equal(answer.statusCode, 200, answer.body);
          const body = answer.json();
          const groups = traffic.groups.filter((group) => archived || !group.archived);
          assert.equal(body.total_ad_groups, groups.length);
          for (const [index, group] of groups.entries()) {
            const days = [...slow(range, (event) => event.adGroupId === group.id)].filter(
              ([, day]) =>
                day.impressions !== 0 ||
                day.clicks !== 0 ||
                day.conversions !== 0 ||
                day.spendMicros !== 0,
            );
            const series = body.ad_groups[index];
            assert.equal(series.ad_group_id, group.id);
            const expected = days.map(([date, day]) => {
              const {
                revenue: _revenue,
                roas: _roas,
                view_through_conversions: _views,
                viewable_impressions: _viewable,
                disclosed_impressions: _disclosed,
                ...row
              } = metricsRow(date, day);
              return row;
            });
            assert.deepEqual(withinRounding(series.data, expected), expected);
            assert.equal(micros(series.total_spend), sum(series.data, 'spend'));
          }
        }),
        { numRuns: 15 },
      );
    });

    it('content categories of conversations add up to the impressions and spend of the same ads', async () => {
      const id = traffic.campaignIds[0] ?? '';
      await app.db.query(
        `update events set data = coalesce(data, '{}') || '{"category": "286"}'
         where kind = 'win' and campaign_id = $1`,
        [id],
      );
      const { categories } = (await get('content-categories?days=90')).json();
      const since = app.clock.now - 90 * 86_400_000;
      const wins = new Map(
        traffic.events
          .filter((event) => event.kind === 'win' && event.test !== true && event.at >= since)
          .map((event) => [event.id, event.campaignId === id ? 'Medical Health' : 'unknown']),
      );
      for (const name of ['Medical Health', 'unknown']) {
        const own = traffic.events.filter(
          (event) => wins.get(event.id) === name && event.invalid == null,
        );
        const times = (kind: string): number => own.filter((event) => event.kind === kind).length;
        const row = categories.find((one: { category: string }) => one.category === name);
        assert.deepEqual(
          [row?.impressions ?? 0, row?.clicks ?? 0, micros(row?.spend ?? 0)],
          [
            times('impression') - times('impression_reversal'),
            times('click'),
            own
              .filter(({ kind }) => /^(?:impression|viewable)(?:_reversal)?$/.test(kind))
              .reduce((sum, event) => sum + (event.spendMicros ?? 0), 0),
          ],
        );
      }
      assert.equal((await get('content-categories?days=90&campaign_id=nobody')).statusCode, 404);
    });

    it('ad-unit series equal a count of the raw events, and a lonely unit without rows shows its campaign', async () => {
      await fc.assert(
        fc.asyncProperty(ranges, async (range) => {
          const { ad_units: series } = (await get(`ad-unit-metrics?${query(range)}`)).json();
          assert.deepEqual(
            series.map((one: { ad_unit_id: string }) => one.ad_unit_id),
            [...traffic.unitIds, traffic.lonelyUnit.id],
          );
          for (const one of series) {
            const isLonely = one.ad_unit_id === traffic.lonelyUnit.id;
            const days = [
              ...slow(range, (event) =>
                isLonely
                  ? event.campaignId === traffic.lonelyUnit.campaignId
                  : event.adId === one.ad_unit_id,
              ),
            ].filter(
              ([, day]) => day.impressions !== 0 || day.clicks !== 0 || day.spendMicros !== 0,
            );
            assert.equal(one.data_source, isLonely ? 'campaign_fallback' : 'ad_unit_stats');
            assert.deepEqual(
              one.data.map((row: { date: string; impressions: number; spend: number }) => [
                row.date,
                row.impressions,
                micros(row.spend),
              ]),
              days.map(([date, day]) => [date, day.impressions, day.spendMicros]),
            );
          }
        }),
        { numRuns: 10 },
      );
    });

    it('every report has the same rows as CSV, and names cannot run as formulas', async () => {
      const range = query({ tz: 'Asia/Kathmandu', start: '2026-03-01', length: 60 });
      const lists: [string, (body: Record<string, never>) => Record<string, unknown>[]][] = [
        ['metrics', (body) => body['data'] ?? []],
        ['ad-group-metrics', (body) => flatten(body['ad_groups'] ?? [])],
        ['ad-unit-metrics', (body) => flatten(body['ad_units'] ?? [])],
      ];
      for (const [path, rowsOf] of lists) {
        const csv = await get(`${path}?${range}`, { accept: 'text/csv' });
        assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8');
        const read: Record<string, string>[] = parse(csv.body, { columns: true });
        const expected = rowsOf((await get(`${path}?${range}`)).json());
        assert.ok(read.length > 0);
        assert.deepEqual(
          read.map((row) => [row['date'], Number(row['spend'])]),
          expected.map((row) => [row['date'], row['spend']]),
        );
        if (path === 'ad-group-metrics') assert.equal(read[0]?.['name'], `'=G "1"`);
      }
    });

    it('compares with the equally long period before', async () => {
      const body = (
        await get(
          'metrics?start_date=2026-10-20&end_date=2026-10-29&compare=previous&tz=Europe/Berlin',
        )
      ).json();
      assert.deepEqual(
        [body.previous.start_date, body.previous.end_date],
        ['2026-10-10', '2026-10-19'],
      );
      const before = (
        await get('metrics?start_date=2026-10-10&end_date=2026-10-19&tz=Europe/Berlin')
      ).json();
      assert.deepEqual(body.previous.data, before.data);
    });

    it('pads with zeros when asked', async () => {
      const body = (await get('metrics?days=5&fill=zero')).json();
      assert.deepEqual(
        body.data.map((row: { date: string }) => row.date),
        ['2026-11-11', '2026-11-12', '2026-11-13', '2026-11-14', '2026-11-15'],
      );
      const groups = (
        await get('ad-group-metrics?start_date=2026-10-23&end_date=2026-11-04&fill=zero')
      ).json();
      assert.deepEqual(
        new Set(groups.ad_groups.map((group: { data: unknown[] }) => group.data.length)),
        new Set([13]),
      );
    });

    it('refuses wrong parameters with 422 and ids of others with 404', async () => {
      const other = await app.newAdvertiser();
      const campaign = traffic.campaignIds[0] ?? '';
      for (const path of ['metrics', 'ad-unit-metrics', 'ad-group-metrics']) {
        for (const bad of [
          'days=0',
          'days=366',
          'days=x',
          'tz=Nowhere',
          'tz=',
          'start_date=2026-01-01',
          'end_date=2026-01-01',
          'start_date=2026-02-02&end_date=2026-02-01',
          'start_date=2026-02-30&end_date=2026-03-01',
          'start_date=2025-01-01&end_date=2026-11-01',
          'fill=one',
        ]) {
          assert.equal((await get(`${path}?${bad}`)).statusCode, 422, `${path}?${bad}`);
        }
        assert.equal(
          (
            await app.http.inject({
              url: `/advertiser-dashboard/${path}?campaign_id=${campaign}`,
              headers: { 'x-api-key': other.apiKey },
            })
          ).statusCode,
          404,
        );
        assert.equal((await get(`${path}?campaign_id=nonsense`)).statusCode, 404);
        assert.equal(
          (await app.http.inject({ url: `/advertiser-dashboard/${path}?days=0` })).statusCode,
          401,
        );
      }
      assert.equal((await get(`ad-unit-metrics?ad_unit_id=${campaign}`)).statusCode, 404);
      assert.equal((await get(`ad-group-metrics?ad_group_id=${campaign}`)).statusCode, 404);
      assert.equal((await get('ad-group-metrics?offset=-1')).statusCode, 422);
      assert.equal(
        (await get('metrics?start_date=2024-01-01&end_date=2024-12-31')).statusCode,
        200,
      );
    });

    it('lists groups without delivery, and pages them by offset', async () => {
      const account = await app.newAdvertiser();
      const campaign = app.services.mintId(app.clock.now);
      await app.db.query(
        `insert into campaigns (id, advertiser_id, name, landing_page, daily_budget_micros)
         values ($1, $2, 'C', 'https://c.example', 1)`,
        [campaign, account.id],
      );
      await app.db.query(
        `insert into ad_groups (id, campaign_id, advertiser_id, name)
         select gen_random_uuid(), $1, $2, 'G' || n
         from generate_series(1, 2003) n`,
        [campaign, account.id],
      );
      const read = async (offset: number) =>
        app.http.inject({
          url: `/advertiser-dashboard/ad-group-metrics?offset=${offset}`,
          headers: { 'x-api-key': account.apiKey },
        });
      const answers = [await read(0), await read(2000)];
      assert.deepEqual(
        answers.map((answer) => answer.headers['link']),
        ['</advertiser-dashboard/ad-group-metrics?offset=2000>; rel="next"', undefined],
      );
      const [one, two] = answers.map((answer) => answer.json());
      assert.deepEqual(
        [
          one.ad_groups.length,
          one.total_ad_groups,
          one.truncated,
          two.ad_groups.length,
          two.truncated,
          two.offset,
        ],
        [2000, 2003, true, 3, false, 2000],
      );
      assert.deepEqual([one.ad_groups[0].data, one.ad_groups[0].total_spend], [[], 0]);
      const ids = new Set(
        [...one.ad_groups, ...two.ad_groups].map(
          (group: { ad_group_id: string }) => group.ad_group_id,
        ),
      );
      assert.equal(ids.size, 2003);
    });

    it('says who the key belongs to', async () => {
      const account = await app.newAdvertiser();
      const answer = await app.http.inject({
        url: '/advertiser-dashboard/info',
        headers: { 'x-api-key': account.apiKey },
      });
      assert.equal(answer.json().advertiser_id, account.id);
      const publisher = await app.newPublisher();
      assert.equal(
        (
          await app.http.inject({
            url: '/advertiser-dashboard/info',
            headers: { 'x-api-key': publisher.apiKey },
          })
        ).statusCode,
        403,
      );
    });
  });
}

function flatten(series: { data: Record<string, unknown>[] }[]): Record<string, unknown>[] {
  return series.flatMap((one) => one.data);
}
