import fc from 'fast-check';
import type { EventRecord } from '../../src/platform/events/event.js';
import { insertRandomTraffic, type Traffic, zones } from './random-traffic.js';
import { countByDay, rounded, type SlowSums } from './slow-report.js';
import type { Database } from '../../src/platform/db/db.js';
import { buildTestApp } from './test-app.js';
import { addKey } from '../../src/surfaces/accounts/open-account.js';

export const ranges = fc.record({
  tz: fc.constantFrom(...zones),
  start: fc.constantFrom('2026-01-20', '2026-03-08', '2026-03-29', '2026-10-24', '2026-10-31'),
  length: fc.constantFrom(1, 2, 3, 30, 260),
});
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
export const micros = (dollars: number): number => Math.round(dollars * 1e6);
export const sum = (rows: { [name: string]: number }[], name: string): number =>
  rows.reduce((total, row) => total + micros(row[name] ?? 0), 0);

export const metricsRow = (date: string, day: SlowSums) => ({
  date,
  impressions: day.impressions,
  clicks: day.clicks,
  spend: day.spendMicros / 1e6,
  conversions: day.conversions,
  revenue: day.valueMicros / 1e6,
  ctr: rounded((day.clicks / day.impressions) * 100),
  cpc: rounded(day.spendMicros / day.clicks / 1e6),
  cpm: rounded((day.spendMicros / day.impressions / 1e6) * 1000),
  conversion_rate: rounded((day.conversions / day.clicks) * 100),
  cpa: rounded(day.spendMicros / day.conversions / 1e6),
  roas: rounded(day.valueMicros / day.spendMicros),
  view_through_conversions: day.viewConversions,
  viewable_impressions: day.viewable,
  disclosed_impressions: day.disclosed,
});
export const isActive = (day: SlowSums): boolean =>
  day.impressions !== 0 ||
  day.clicks !== 0 ||
  day.conversions !== 0 ||
  day.viewable !== 0 ||
  day.spendMicros !== 0 ||
  day.valueMicros !== 0;

/**
 * Ratios of the slow count go through doubles: a last digit may differ by rounding, nothing else.
 */
export function withinRounding(
  rows: Record<string, unknown>[],
  expected: Record<string, unknown>[],
): Record<string, unknown>[] {
  return rows.map((row, index) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const other = expected[index]?.[name];
        return [
          name,
          typeof value === 'number' &&
          typeof other === 'number' &&
          Math.abs(value - other) <= 1.5e-6 &&
          ['ctr', 'cpc', 'cpm', 'conversion_rate', 'cpa', 'roas'].includes(name)
            ? other
            : value,
        ];
      }),
    ),
  );
}

/** An advertiser with a year of random traffic, its reports, and a slow count of the same events. */
export async function openReportedTraffic(
  database: Database,
  { moreCampaigns = 0 }: { moreCampaigns?: number } = {},
) {
  const app = await buildTestApp(database, { now: Date.parse('2026-11-15T12:00:00Z') });
  const traffic: Traffic = await insertRandomTraffic(app, {
    seed: 7,
    events: 900,
    moreCampaigns,
  });
  const { mintId } = app.services;
  const key = await app.db.transaction((tx) =>
    addKey({ tx, mintId, now: app.clock.now }, 'advertiser', traffic.advertiserId, 'test'),
  );
  await app.services.directory.refresh();
  const get = (path: string, headers: Record<string, string> = {}) =>
    app.http.inject({
      url: `/advertiser-dashboard/${path}`,
      headers: { 'x-api-key': key, ...headers },
    });
  const slow = (
    range: { tz: string; start: string; length: number },
    isWanted: (event: EventRecord) => boolean,
  ) =>
    countByDay(
      traffic.events,
      range.tz,
      (event, date) =>
        date >= range.start && date <= addDays(range.start, range.length - 1) && isWanted(event),
    );
  const query = (range: { tz: string; start: string; length: number }): string =>
    `start_date=${range.start}&end_date=${addDays(range.start, range.length - 1)}&tz=${encodeURIComponent(range.tz)}`;
  return { app, traffic, get, slow, query };
}
