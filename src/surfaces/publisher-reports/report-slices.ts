import { toDollars } from '../../domain/money.js';
import { costPer, cpm, percent } from '../../domain/report-ratios.js';
import type { Db } from '../../platform/db/db.js';
import { readRange } from '../../platform/http/report-range.js';
import { listSliceDays, type SliceDay } from './queries.js';
import type { SliceMetrics, SliceQuery } from './schema.js';

export interface Slice {
  value: string;
  metrics: SliceMetrics;
  daily: { date: string; metrics: SliceMetrics }[];
}

/**
 * Revenue and delivery by placement, device or country: the most shown first, each with its days.
 */
export async function reportSlices(
  db: Db,
  publisherId: string,
  query: SliceQuery,
  now: number,
  slice: { dimension: 'placement' | 'device' | 'country'; maxDays: number; unknown: string },
): Promise<{ slices: Slice[]; periodDays: number }> {
  // UTC whatever else the request says: these reports take no zone.
  const range = readRange({ ...query, tz: 'UTC' }, now, slice.maxDays);
  const byValue = new Map<string, SliceDay[]>();
  for (const row of await listSliceDays(db, publisherId, slice.dimension, range)) {
    const rows = byValue.get(row.value);
    if (rows === undefined) byValue.set(row.value, [row]);
    else rows.push(row);
  }
  const slices = [...byValue].map(([value, rows]) => ({
    value: value === '' ? slice.unknown : value,
    metrics: metricsOf(rows),
    daily: rows.map((row) => ({ date: row.date, metrics: metricsOf([row]) })),
  }));
  slices.sort(
    (a, b) => b.metrics.impressions - a.metrics.impressions || (a.value < b.value ? -1 : 1),
  );
  return { slices, periodDays: range.dates.length };
}

function metricsOf(rows: readonly SliceDay[]): SliceMetrics {
  let [impressions, clicks, revenueMicros] = [0, 0, 0];
  for (const row of rows) {
    impressions += row.impressions;
    clicks += row.clicks;
    revenueMicros += row.revenueMicros;
  }
  return {
    impressions,
    clicks,
    ctr: percent(clicks, impressions),
    revenue: toDollars(revenueMicros),
    cpm: cpm(revenueMicros, impressions),
    cpc: costPer(revenueMicros, clicks),
  };
}
