import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { insertRandomTraffic, type Traffic, zones } from '../../../test/support/random-traffic.js';
import { signInOperator } from '../../../test/support/sign-in-operator.js';
import { countByDay, type SlowSums } from '../../../test/support/slow-report.js';
import { buildTestApp, type TestApp } from '../../../test/support/test-app.js';
import { testEngines } from '../../../test/support/test-database.js';
import { nilUuid } from '../../domain/uuid.js';
import type { EventRecord } from '../../platform/events/event.js';
import { addKey } from '../accounts/open-account.js';

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
const micros = (dollars: unknown): number => Math.round(Number(dollars) * 1e6);

const ranges = fc.record({
  tz: fc.constantFrom(...zones),
  start: fc.constantFrom('2026-02-20', '2026-03-08', '2026-03-30', '2026-10-24', '2026-11-01'),
  length: fc.constantFrom(1, 2, 7, 30, 200),
});
type Range = { tz: string; start: string; length: number };

const keysOf: Record<string, (event: EventRecord, date: string) => string> = {
  day: (_, date) => date,
  advertiser: (event) => event.advertiserId ?? '',
  campaign: (event) => event.campaignId ?? '',
  ad_group: (event) => event.adGroupId ?? nilUuid,
  ad: (event) => event.adId ?? nilUuid,
  publisher: (event) => event.publisherId ?? nilUuid,
  country: (event) => event.country ?? '',
  device: (event) => event.device ?? '',
  placement: (event) => event.placement ?? '',
};
type Row = Record<string, unknown> & { key: string; before: Record<string, unknown> };

for (const engine of testEngines()) {
  describe(`reports of the network on the ${engine.name} engine`, () => {
    let app: TestApp;
    let headers: Record<string, string>;
    let traffic: Traffic[];
    let events: readonly EventRecord[];
    let publisherKey = '';
    before(async () => {
      app = await buildTestApp(await engine.open(), { now: Date.parse('2026-11-15T12:00:00Z') });
      traffic = [
        await insertRandomTraffic(app, { seed: 3, events: 400 }),
        await insertRandomTraffic(app, { seed: 4, events: 400 }),
      ];
      events = traffic.flatMap((one) => one.events);
      headers = (await signInOperator(app)).signedIn;
      publisherKey = await app.db.transaction((tx) =>
        addKey(
          { tx, mintId: app.services.mintId, now: app.clock.now },
          'publisher',
          traffic[0]?.publisherIds[0] ?? '',
          'test',
        ),
      );
      await app.services.directory.refresh();
    });
    after(() => app.close());

    const query = ({ tz, start, length }: Range): string =>
      `start_date=${start}&end_date=${addDays(start, length - 1)}&tz=${encodeURIComponent(tz)}`;

    /** Event by event; what came to nothing is left out. */
    function slow(
      range: Range,
      by: string,
      isWanted: (event: EventRecord) => boolean,
      show: (sums: SlowSums) => number[],
    ): Map<string, number[]> {
      const found = new Map<string, number[]>();
      const last = addDays(range.start, range.length - 1);
      const dates = new Map<string, EventRecord[]>();
      countByDay(events, range.tz, (event, date) => {
        if (date < range.start || date > last || !isWanted(event)) return false;
        const key = keysOf[by]?.(event, date) ?? '';
        dates.set(key, [...(dates.get(key) ?? []), event]);
        return false;
      });
      for (const [key, own] of dates) {
        const sums: number[] = [];
        for (const day of countByDay(own, range.tz, () => true).values())
          show(day).forEach((value, at) => (sums[at] = (sums[at] ?? 0) + value));
        if (sums.some((value) => value !== 0)) found.set(key, sums);
      }
      return found;
    }
    const listed = (
      rows: readonly Row[],
      show: (row: Record<string, unknown>) => number[],
    ): Map<string, number[]> =>
      new Map(
        rows
          .map((row) => [row.key, show(row)] as const)
          .filter(([, sums]) => sums.some((value) => value !== 0)),
      );
    const same = (found: Map<string, number[]>, expected: Map<string, number[]>, why: string) =>
      assert.deepEqual([...found].sort(), [...expected].sort(), why);

    it('an operator’s by anything, with and without what takes long, equals a count of the events', async () => {
      await fc.assert(
        fc.asyncProperty(
          ranges,
          fc.constantFrom(...Object.keys(keysOf)),
          fc.constantFrom(
            '',
            '&columns=spend',
            '&columns=spend,wins',
            '&columns=payout&sort=payout',
          ),
          fc.constantFrom('', 'advertiser', 'device'),
          async (range, by, columns, narrowed) => {
            const advertiserId = traffic[0]?.advertiserId ?? '';
            const narrowing: Record<string, string> = {
              advertiser: `&advertiser_id=${advertiserId}`,
              device: '&device=mobile',
            };
            const url = `/operator/report?by=${by}&limit=10000&compare=previous&${query(range)}${columns}${narrowing[narrowed] ?? ''}`;
            const answer = await app.http.inject({ url, headers });
            assert.equal(answer.statusCode, 200, answer.body);
            const body = answer.json();
            const isWanted = (event: EventRecord): boolean =>
              event.kind !== 'request' &&
              event.campaignId != null &&
              (narrowed !== 'advertiser' || event.advertiserId === advertiserId) &&
              (narrowed !== 'device' || event.device === 'mobile');
            // Ads returned by country and kind of device are counted where requests are read.
            const hasWins = body.total.wins !== null && by !== 'country' && by !== 'device';
            const hasSpend = body.total.spend !== null;
            if (!columns.includes('payout')) assert.ok(hasSpend, url);
            const shown = (row: Record<string, unknown>): number[] => [
              Number(row['impressions']),
              Number(row['clicks']),
              Number(row['conversions']),
              hasSpend ? micros(row['spend']) : 0,
              micros(row['payout']),
              hasSpend ? micros(row['conversion_value']) : 0,
              hasWins ? Number(row['wins']) : 0,
            ];
            const counted = (day: SlowSums): number[] => [
              day.impressions,
              day.clicks,
              day.conversions,
              hasSpend ? day.spendMicros : 0,
              day.revenueMicros,
              hasSpend ? day.valueMicros : 0,
              hasWins ? day.wins : 0,
            ];
            if (columns === '' || columns.includes('wins'))
              assert.notEqual(body.total.wins, null, url);
            same(listed(body.rows, shown), slow(range, by, isWanted, counted), url);
            const before = { ...range, start: addDays(range.start, -range.length) };
            const past = listed(
              body.rows.map((row: Row) => ({
                ...row.before,
                key: by === 'day' ? addDays(row.key, -range.length) : row.key,
              })),
              shown,
            );
            same(past, slow(before, by, isWanted, counted), `${url}, before`);
          },
        ),
        { numRuns: 40 },
      );
    });

    it('an advertiser’s by anything, of UTC days and others, equals a count of the events', async () => {
      const { advertiserId = '' } = traffic[0] ?? {};
      const key = await app.db.transaction((tx) =>
        addKey(
          { tx, mintId: app.services.mintId, now: app.clock.now },
          'advertiser',
          advertiserId,
          'test',
        ),
      );
      await app.services.directory.refresh();
      const groupId = traffic[0]?.groups[0]?.id ?? '';
      const shown = (row: Record<string, unknown>): number[] => [
        Number(row['impressions']),
        Number(row['clicks']),
        Number(row['conversions']),
        Number(row['view_through_conversions']),
        micros(row['spend']),
        micros(row['revenue']),
      ];
      const counted = (day: SlowSums): number[] => [
        day.impressions,
        day.clicks,
        day.conversions,
        day.viewConversions,
        day.spendMicros,
        day.valueMicros,
      ];
      await fc.assert(
        fc.asyncProperty(
          ranges,
          fc.constantFrom('UTC', null),
          fc.constantFrom('ad_group', 'ad_group', 'campaign', 'ad', 'day', 'country'),
          fc.constantFrom('', '', `&ad_group_id=${groupId}`, '&device=mobile'),
          async (given, zone, by, narrowed) => {
            const range = { ...given, tz: zone ?? given.tz };
            const url = `/advertiser-dashboard/report?by=${by}&limit=10000&compare=previous&${query(range)}${narrowed}`;
            const answer = await app.http.inject({ url, headers: { 'x-api-key': key } });
            assert.equal(answer.statusCode, 200, answer.body);
            const { rows, total } = answer.json<{ rows: Row[]; total: Record<string, unknown> }>();
            const isWanted = (event: EventRecord): boolean =>
              event.advertiserId === advertiserId &&
              (!narrowed.includes('group') || event.adGroupId === groupId) &&
              (!narrowed.includes('device') || event.device === 'mobile');
            const expected = slow(range, by, isWanted, counted);
            same(listed(rows, shown), expected, url);
            const all = [...expected.values()].reduce(
              (sums, row) => sums.map((value, at) => value + (row[at] ?? 0)),
              [0, 0, 0, 0, 0, 0],
            );
            assert.deepEqual(shown(total), all, `${url}, in all`);
            const before = { ...range, start: addDays(range.start, -range.length) };
            const past = rows.map((row) => ({
              ...row,
              ...row.before,
              key: by === 'day' ? addDays(row.key, -range.length) : row.key,
            }));
            same(listed(past, shown), slow(before, by, isWanted, counted), `${url}, before`);
          },
        ),
        { numRuns: 40 },
      );
    });

    it('a publisher’s equal a count of its events, and its days what its other reports say', async () => {
      const publisherId = traffic[0]?.publisherIds[0] ?? '';
      const own = { 'x-api-key': publisherKey };
      await fc.assert(
        fc.asyncProperty(
          ranges,
          fc.constantFrom('day', 'advertiser', 'placement'),
          async (range, by) => {
            const url = `/publisher-dashboard/report?by=${by}&limit=10000&compare=previous&${query(range)}`;
            const body = (await app.http.inject({ url, headers: own })).json();
            const isDays = by === 'day';
            const isWanted = (event: EventRecord): boolean =>
              event.publisherId === publisherId && (isDays || event.kind !== 'request');
            const expected = slow(range, by, isWanted, (day) => [
              isDays ? day.requests : 0,
              day.wins,
              day.impressions,
              day.clicks,
              day.conversions,
              day.revenueMicros,
            ]);
            const found = listed(body.rows, (row) => [
              Number(row['requests']),
              Number(row['wins']),
              Number(row['impressions']),
              Number(row['clicks']),
              Number(row['conversions']),
              micros(row['revenue']),
            ]);
            same(found, expected, url);
          },
        ),
        { numRuns: 25 },
      );
    });
  });
}
