import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { EventRecord } from '../../platform/events/event.js';
import { insertRandomTraffic, type Traffic, zones } from '../../../test/support/random-traffic.js';
import { countByDay, rounded, type SlowSums } from '../../../test/support/slow-report.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { addKey } from '../accounts/open-account.js';
import { listUsers } from './user-queries.js';

const starts = fc.constantFrom(
  '2026-01-20',
  '2026-03-08',
  '2026-03-29',
  '2026-10-04',
  '2026-10-24',
  '2026-10-31',
);
const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
const micros = (dollars: number): number => Math.round(dollars * 1e6);

for (const engine of testEngines()) {
  describe(`publisher reports on the ${engine.name} engine`, () => {
    let app: TestApp;
    let traffic: Traffic;
    let publisherId = '';
    let key = '';
    before(async () => {
      app = await buildTestApp(await engine.open(), { now: Date.parse('2026-11-15T12:00:00Z') });
      traffic = await insertRandomTraffic(app, { seed: 11, events: 700 });
      publisherId = traffic.publisherIds[0] ?? '';
      key = await app.db.transaction((tx) =>
        addKey(
          { tx, mintId: app.services.mintId, now: app.clock.now },
          'publisher',
          publisherId,
          'test',
        ),
      );
      await app.services.directory.refresh();
    });
    after(() => app.close());

    const get = (path: string, headers: Record<string, string> = {}) =>
      app.http.inject({
        url: `/publisher-dashboard/${path}`,
        headers: { 'x-api-key': key, ...headers },
      });
    const mine = (): EventRecord[] =>
      traffic.events.filter((event) => event.publisherId === publisherId);
    const slow = (
      tz: string,
      start: string,
      end: string,
      isWanted: (event: EventRecord) => boolean = () => true,
    ) => countByDay(mine(), tz, (event, date) => date >= start && date <= end && isWanted(event));

    it('a report by day, placement, country or advertiser adds up to stats and activity', async () => {
      for (const tz of ['UTC', 'Asia/Kathmandu']) {
        const range = `start_date=2026-10-04&end_date=2026-10-31&tz=${encodeURIComponent(tz)}`;
        const stats = (await get(`stats?${range}`)).json();
        const activity = (await get(`activity?${range}`)).json();
        for (const by of ['day', 'advertiser', 'placement', 'country', 'device']) {
          const answer = await get(`report?by=${by}&${range}`);
          assert.equal(answer.statusCode, 200, answer.body);
          const { total, rows, note } = answer.json();
          assert.deepEqual(
            [total.impressions, total.clicks, total.revenue],
            [stats.totalImpressions, stats.totalClicks, stats.totalRevenue],
            by,
          );
          assert.equal(
            rows.reduce((all: number, row: { impressions: number }) => all + row.impressions, 0),
            total.impressions,
          );
          assert.equal(total.requests, by === 'day' ? activity.total_requests : null);
          assert.equal(total.wins, activity.total_wins);
          assert.equal(note === null, by === 'day');
        }
      }
    });

    it('a report by reason says what became of requests', async () => {
      await app.db.query(
        `insert into reading_days (publisher_id, day, outcome, requests)
         values ($1, '2026-10-05', 'served', 3), ($1, '2026-10-06', 'no_fit', 7),
           ($1, '2026-10-06', 'served', 1), ($1, '2026-12-01', 'capped', 5)`,
        [publisherId],
      );
      const answer = await get('report?by=no_ad_reason&start_date=2026-10-05&end_date=2026-10-06');
      assert.deepEqual(
        answer.json().rows.map((row: { key: string; requests: number }) => [row.key, row.requests]),
        [
          ['no_fit', 7],
          ['served', 4],
        ],
      );
    });

    it('stats, activity and funnel equal a count of the raw events in any zone and range', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...zones),
          starts,
          fc.constantFrom(1, 2, 3, 30, 290, 3000),
          async (tz, start, length) => {
            const end = addDays(start, length - 1);
            const days = [...slow(tz, start, end)];
            const query = `start_date=${start}&end_date=${end}&tz=${encodeURIComponent(tz)}`;
            const stats = (await get(`stats?${query}`)).json();
            const shown = days.filter(
              ([, day]) => day.impressions !== 0 || day.clicks !== 0 || day.revenueMicros !== 0,
            );
            assert.deepEqual(
              stats.timeSeries.map((row: Record<string, number>) => [
                row['date'],
                row['impressions'],
                row['clicks'],
                micros(row['revenue'] ?? 0),
              ]),
              shown.map(([date, day]) => [date, day.impressions, day.clicks, day.revenueMicros]),
            );
            const revenue = days.reduce((total, [, day]) => total + day.revenueMicros, 0);
            const impressions = days.reduce((total, [, day]) => total + day.impressions, 0);
            assert.equal(micros(stats.totalRevenue), revenue);
            assert.ok(
              Math.abs(stats.avgCpm - rounded((revenue / impressions / 1e6) * 1000)) <= 1.5e-6,
            );
            if (length <= 30) {
              const activity = (await get(`activity?${query}`)).json();
              assert.deepEqual(
                activity.data.map((row: Record<string, number>) => [
                  row['date'],
                  row['requests'],
                  row['wins'],
                  row['impressions'],
                  micros(row['revenue'] ?? 0),
                ]),
                days
                  .filter(
                    ([, day]) =>
                      day.requests !== 0 ||
                      day.wins !== 0 ||
                      day.impressions !== 0 ||
                      day.revenueMicros !== 0,
                  )
                  .map(([date, day]) => [
                    date,
                    day.requests,
                    day.wins,
                    day.impressions,
                    day.revenueMicros,
                  ]),
              );
              assert.ok(activity.fill_rate <= 1);
            }
            if (length <= 365) {
              const funnel = (await get(`funnel?${query}`)).json();
              const sum = (
                step:
                  | 'requests'
                  | 'wins'
                  | 'impressions'
                  | 'viewable'
                  | 'disclosed'
                  | 'clicks'
                  | 'conversions',
              ): number => days.reduce((total, [, day]) => total + day[step], 0);
              assert.deepEqual(
                funnel.steps.map((step: { step: string; count: number }) => [
                  step.step,
                  step.count,
                ]),
                (
                  ['requests', 'wins', 'impressions', 'viewable', 'clicks', 'conversions'] as const
                ).map((step) => [step, sum(step)]),
              );
              assert.equal(funnel.total_disclosed, sum('disclosed'));
              assert.equal(
                funnel.data.reduce((all: number, day: SlowSums) => all + day.disclosed, 0),
                sum('disclosed'),
              );
            }
          },
        ),
        { numRuns: 25 },
      );
    });

    it('placements, devices and geography add up to the stats of the same UTC days', async () => {
      await fc.assert(
        fc.asyncProperty(starts, fc.constantFrom(1, 3, 300), async (start, length) => {
          const end = addDays(start, length - 1);
          const query = `start_date=${start}&end_date=${end}`;
          const stats = (await get(`stats?${query}`)).json();
          for (const [path, list, name, member] of [
            ['placements', 'placements', 'placement', 'placement'],
            ['devices', 'devices', 'device_type', 'device'],
            ['geography', 'countries', 'country_code', 'country'],
          ] as const) {
            const body = (await get(`${path}?${query}`)).json();
            assert.equal(body.period_days, length);
            const slices: Record<string, never>[] = body[list];
            assert.equal(
              slices.reduce((total, slice) => total + micros(slice['revenue'] ?? 0), 0),
              micros(stats.totalRevenue),
            );
            assert.equal(
              slices.reduce((total, slice) => total + (slice['impressions'] ?? 0), 0),
              stats.totalImpressions,
            );
            for (const slice of slices) {
              const value = slice[name] === 'unknown' || slice[name] === 'ZZ' ? null : slice[name];
              const days = [...slow('UTC', start, end, (event) => event[member] === value)];
              assert.equal(
                slice['impressions'],
                days.reduce((total, [, day]) => total + day.impressions, 0),
              );
              const daily: Record<string, number>[] = slice['daily'] ?? [];
              if (path !== 'geography')
                assert.equal(
                  daily.reduce((total, day) => total + micros(day['revenue'] ?? 0), 0),
                  micros(slice['revenue'] ?? 0),
                );
            }
          }
        }),
        { numRuns: 8 },
      );
    });

    it('users and countries equal a count of the raw events', async () => {
      const body = (await get('users?sort=first_seen&order=asc')).json();
      const seen = new Map<string, EventRecord[]>();
      for (const event of mine().filter(
        (one) =>
          one.test !== true &&
          (['request', 'win', 'impression', 'click', 'impression_reversal'].includes(one.kind) ||
            (/^viewable(?:_reversal)?$/.test(one.kind) && (one.revenueMicros ?? 0) !== 0)),
      ))
        seen.set(event.userId ?? 'anonymous', [
          ...(seen.get(event.userId ?? 'anonymous') ?? []),
          event,
        ]);
      assert.equal(body.total, seen.size);
      for (const user of body.users) {
        const events = seen.get(user.pub_user_id) ?? [];
        assert.equal(user.requests, events.filter((event) => event.kind === 'request').length);
        assert.equal(user.ads_served, events.filter((event) => event.kind === 'win').length);
        assert.equal(
          user.revenue_microdollars,
          events.reduce((total, event) => total + (event.revenueMicros ?? 0), 0),
        );
        assert.equal(
          user.first_seen,
          new Date(Math.min(...events.map((event) => event.at))).toISOString().slice(0, 19),
        );
      }
      const { countries } = (await get('countries')).json();
      assert.ok(
        Math.abs(
          countries.reduce(
            (total: number, country: { pct_requests: number }) => total + country.pct_requests,
            0,
          ) - 100,
        ) < 0.001,
      );
      for (const country of countries) {
        const events = mine().filter(
          (event) =>
            event.test !== true &&
            (event.kind === 'request' || event.kind === 'win') &&
            (event.country ?? 'ZZ') === country.country_code,
        );
        assert.equal(country.requests, events.filter((event) => event.kind === 'request').length);
        assert.equal(
          country.unique_users,
          new Set(events.map((event) => event.userId ?? 'anonymous')).size,
        );
      }
      assert.equal((await get('countries?limit=1')).json().countries.length, 1);
    });

    it('pages users by any column in both directions without missing or doubling one', async () => {
      const other = await app.newPublisher();
      await app.db.query(
        `insert into publisher_users (
             publisher_id, user_id, requests, ads_served, impressions, clicks, revenue_micros,
             first_seen, last_seen
           )
         select $1, 'user_' || n, n % 5, n % 3, n % 7, n % 2, n % 11,
           timestamptz '2026-01-01' + n % 4 * interval '1 hour',
           timestamptz '2026-02-01' + n % 6 * interval '1 hour'
         from generate_series(1, 57) n`,
        [other.id],
      );
      for (const sort of [
        'requests',
        'ads_served',
        'impressions',
        'clicks',
        'revenue_microdollars',
        'first_seen',
        'last_seen',
      ]) {
        for (const [order, search] of [
          ['asc', ''],
          ['desc', ''],
          ['asc', '&search=SER_'],
          ['desc', '&search=ser_'],
        ] as const) {
          const pages = [];
          for (let page = 1; page <= 7; page += 1)
            pages.push(
              (
                await app.http.inject({
                  url: `/publisher-dashboard/users?sort=${sort}&order=${order}&per_page=10&page=${page}${search}`,
                  headers: { 'x-api-key': other.apiKey },
                })
              ).json(),
            );
          assert.deepEqual(
            pages.map((page) => page.users.length),
            [10, 10, 10, 10, 10, 7, 0],
          );
          assert.deepEqual(
            pages.map((page) => page.total),
            [57, 57, 57, 57, 57, 57, 57],
          );
          assert.deepEqual(
            pages.map((page) => page.has_more),
            [true, true, true, true, true, false, false],
          );
          const users = pages.flatMap((page) => page.users);
          assert.equal(new Set(users.map((user) => user.pub_user_id)).size, 57);
          const values = users.map((user) => user[sort]);
          assert.deepEqual(
            values,
            values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0) * (order === 'asc' ? 1 : -1)),
          );
        }
      }
      // However many users a statement reads, the page is the same.
      for (const order of ['asc', 'desc'] as const)
        for (const offset of [0, 9, 20]) {
          const page = { sort: 'clicks', order, offset, limit: 10 } as const;
          assert.deepEqual(
            await listUsers(app.db, other.id, page, { usersAtOnce: 7, deepest: 30 }),
            await listUsers(app.db, other.id, page, { usersAtOnce: 7, deepest: 0 }),
          );
        }
    });

    it('finds users by a part of their id, whatever characters it has', async () => {
      const search = async (text: string): Promise<string[]> =>
        (await get(`users?search=${encodeURIComponent(text)}&sort=first_seen`))
          .json()
          .users.map((user: { pub_user_id: string }) => user.pub_user_id);
      assert.deepEqual(await search('%'), ['u%3']);
      assert.deepEqual(await search('_'), ['U_2']);
      assert.deepEqual((await search('u')).sort(), ['U_2', 'anonymous', 'u%3', 'u1']);
      assert.deepEqual(await search('nobody'), []);
      assert.deepEqual(await search('\\'), []);
    });

    it('reports without a zone ignore one, right or wrong', async () => {
      for (const report of ['placements', 'devices', 'geography']) {
        const plain = await get(report);
        for (const tz of ['Pacific/Kiritimati', 'Nowhere'])
          assert.deepEqual((await get(`${report}?tz=${tz}`)).json(), plain.json());
      }
    });

    it('answers wrong parameters with 400, missing keys with 401 and advertisers with 403', async () => {
      const bad: [string, string[]][] = [
        [
          'stats',
          [
            'days=0',
            'days=3651',
            'days=abc',
            'tz=Mars/Base',
            'start_date=2026-01-01',
            'start_date=2026-02-02&end_date=2026-02-01',
            'start_date=2001-01-01&end_date=2026-01-01',
          ],
        ],
        ['activity', ['days=31', 'tz=', 'start_date=2026-01-01&end_date=2026-02-01']],
        ['placements', ['days=366', 'end_date=2026-01-01']],
        ['devices', ['days=366']],
        ['geography', ['days=-1']],
        ['users', ['page=0', 'per_page=201', 'sort=name', 'order=up']],
        ['countries', ['limit=0', 'limit=101']],
      ];
      const advertiser = await app.newAdvertiser();
      for (const [path, queries] of bad) {
        for (const query of queries)
          assert.equal((await get(`${path}?${query}`)).statusCode, 400, `${path}?${query}`);
        assert.equal(
          (await app.http.inject({ url: `/publisher-dashboard/${path}?days=0` })).statusCode,
          401,
        );
        assert.equal(
          (
            await app.http.inject({
              url: `/publisher-dashboard/${path}`,
              headers: { 'x-api-key': advertiser.apiKey },
            })
          ).statusCode,
          403,
        );
        const csv = await get(path, { accept: 'text/csv' });
        assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8', path);
        assert.ok((parse(csv.body)[0]?.length ?? 0) > 2);
      }
      assert.equal(
        (await get('activity?start_date=2026-10-01&end_date=2026-10-31')).statusCode,
        200,
      );
      assert.equal((await get('stats?days=3650')).statusCode, 200);
    });

    it('a refund restates every report of that day', async () => {
      const info = (await get('info')).json();
      assert.deepEqual([info.publisher_id, info.payout_model], [publisherId, 'CPM']);
      assert.equal(
        info.total_impressions,
        [...slow('UTC', '2000-01-01', '2099-01-01')].reduce(
          (total, [, day]) => total + day.impressions,
          0,
        ),
      );
      const { refundTraffic } = await import('../operators/refund-traffic.js');
      const filter = {
        advertiserId: null,
        campaignId: null,
        publisherId,
        from: new Date('2026-06-15T00:00:00Z'),
        to: new Date('2026-06-16T00:00:00Z'),
      };
      const before = (await get('stats?start_date=2026-06-15&end_date=2026-06-15')).json();
      const refunded = await refundTraffic(app.db, filter, 'bots', {
        onReversed: async () => new Set(),
        unlearn: async () => undefined,
      });
      assert.ok(before.totalImpressions > 0 && refunded.spendMicros > 0);
      for (const path of ['stats', 'activity', 'placements', 'devices', 'geography']) {
        const body = (await get(`${path}?start_date=2026-06-15&end_date=2026-06-15`)).json();
        assert.equal(
          body.totalRevenue ??
            body.total_revenue ??
            [body.placements, body.devices, body.countries]
              .flat()
              .reduce(
                (total: number, slice?: { revenue: number }) => total + micros(slice?.revenue ?? 0),
                0,
              ),
          0,
          path,
        );
      }
    });
  });
}
