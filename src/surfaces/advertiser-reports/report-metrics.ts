import { ratio, toDollars } from '../../domain/money.js';
import { costPer, cpm, percent } from '../../domain/report-ratios.js';
import type { DayRange } from '../../domain/time/day-range.js';
import type { Db } from '../../platform/db/db.js';
import { previousRange, readRange } from '../../platform/http/report-range.js';
import { requireCampaign } from './require-owned.js';
import { type CampaignDay, sumCampaignDays } from './queries.js';
import {
  maxDays,
  type Metrics,
  type MetricsDay,
  type MetricsPeriod,
  type MetricsQuery,
} from './schema.js';

/** Delivery, spend and conversions of an account or one campaign, day by day. */
export async function reportMetrics(
  db: Db,
  advertiserId: string,
  query: MetricsQuery,
  now: number,
): Promise<Metrics> {
  const range = readRange(query, now, maxDays);
  const campaignId = await requireCampaign(db, advertiserId, query.campaign_id);
  const read = async (days: DayRange): Promise<MetricsPeriod> =>
    metricsPeriod(
      await sumCampaignDays(db, advertiserId, campaignId, days),
      days,
      query.fill === 'zero',
    );
  const current = await read(range);
  if (query.compare === undefined) return current;
  const before = previousRange(range, query.tz);
  return {
    ...current,
    previous: { start_date: before.startDate, end_date: before.endDate, ...(await read(before)) },
  };
}

const nothing: CampaignDay = {
  day: 0,
  impressions: 0,
  viewable: 0,
  disclosed: 0,
  clicks: 0,
  conversions: 0,
  viewConversions: 0,
  filteredImpressions: 0,
  filteredClicks: 0,
  spendMicros: 0,
  valueMicros: 0,
};

function metricsPeriod(
  rows: readonly CampaignDay[],
  range: DayRange,
  fill: boolean,
): MetricsPeriod {
  const total = { ...nothing };
  const byDate = new Map<string, MetricsDay>();
  for (const row of rows) {
    const date = range.dates[row.day - 1];
    if (date === undefined) continue;
    total.impressions += row.impressions;
    total.viewable += row.viewable;
    total.disclosed += row.disclosed;
    total.clicks += row.clicks;
    total.conversions += row.conversions;
    total.viewConversions += row.viewConversions;
    total.filteredImpressions += row.filteredImpressions;
    total.filteredClicks += row.filteredClicks;
    total.spendMicros += row.spendMicros;
    total.valueMicros += row.valueMicros;
    if (isActive(row)) byDate.set(date, metricsDay(date, row));
  }
  return {
    data: fill
      ? range.dates.map((date) => byDate.get(date) ?? metricsDay(date, nothing))
      : [...byDate.values()],
    total_impressions: total.impressions,
    total_clicks: total.clicks,
    total_spend: toDollars(total.spendMicros),
    total_conversions: total.conversions,
    total_revenue: toDollars(total.valueMicros),
    total_view_through_conversions: total.viewConversions,
    total_viewable_impressions: total.viewable,
    total_disclosed_impressions: total.disclosed,
    filtered_impressions: total.filteredImpressions,
    filtered_clicks: total.filteredClicks,
  };
}

function isActive(row: CampaignDay): boolean {
  return (
    row.impressions !== 0 ||
    row.clicks !== 0 ||
    row.conversions !== 0 ||
    row.viewable !== 0 ||
    row.spendMicros !== 0 ||
    row.valueMicros !== 0
  );
}

function metricsDay(date: string, row: CampaignDay): MetricsDay {
  return {
    date,
    impressions: row.impressions,
    clicks: row.clicks,
    spend: toDollars(row.spendMicros),
    conversions: row.conversions,
    revenue: toDollars(row.valueMicros),
    ctr: percent(row.clicks, row.impressions),
    cpc: costPer(row.spendMicros, row.clicks),
    cpm: cpm(row.spendMicros, row.impressions),
    conversion_rate: percent(row.conversions, row.clicks),
    cpa: costPer(row.spendMicros, row.conversions),
    roas: ratio(row.valueMicros, row.spendMicros),
    view_through_conversions: row.viewConversions,
    viewable_impressions: row.viewable,
    disclosed_impressions: row.disclosed,
  };
}
