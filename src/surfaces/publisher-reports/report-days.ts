import { ratio, toDollars } from '../../domain/money.js';
import { costPer, cpm, percent } from '../../domain/report-ratios.js';
import type { DayRange } from '../../domain/time/day-range.js';
import type { Db } from '../../platform/db/db.js';
import { previousRange, type RangeQuery, readRange } from '../../platform/http/report-range.js';
import { type DayMeasure, type PublisherDay, sumPublisherDays } from './queries.js';
import { type Activity, type ActivityPeriod, type ActivityQuery, type Funnel, type FunnelPeriod, type FunnelQuery, limits, type Stats, type StatsPeriod, type StatsQuery } from './schema.js';

type Sums = Record<DayMeasure, number>;
type Dated = { date: string } & Partial<Sums>;
type Previous<P> = { previous?: { start_date: string; end_date: string } & P };

const funnelSteps = ['requests', 'wins', 'impressions', 'viewable', 'clicks', 'conversions'] as const;

export function reportStats(db: Db, publisherId: string, query: StatsQuery, now: number): Promise<Stats> {
  const shown = ['impressions', 'clicks', 'revenueMicros'] as const;
  return reportDays(db, publisherId, query, { now, maxDays: limits.stats.max, shown, also: [], period: statsPeriod });
}

export function reportActivity(db: Db, publisherId: string, query: ActivityQuery, now: number): Promise<Activity> {
  const shown = ['requests', 'wins', 'impressions', 'revenueMicros'] as const;
  return reportDays(db, publisherId, query, { now, maxDays: limits.activity.max, shown, also: [], period: activityPeriod });
}

export function reportFunnel(db: Db, publisherId: string, query: FunnelQuery, now: number): Promise<Funnel> {
  const shown = [...funnelSteps, 'revenueMicros'] as const;
  return reportDays(db, publisherId, query, { now, maxDays: limits.funnel.max, shown, also: ['filteredImpressions', 'filteredClicks'], period: funnelPeriod });
}

interface DayReport<P> {
  now: number;
  maxDays: number;
  /** A day is listed when one of these is not zero. */
  shown: readonly DayMeasure[];
  /** Only in the totals. */
  also: readonly DayMeasure[];
  period: (days: readonly Dated[], total: Sums) => P;
}

/** Reads the days asked for and, when wanted, those before; `report` says what is shown of them and in what shape. */
async function reportDays<P>(db: Db, publisherId: string, query: RangeQuery & { tz: string; fill?: 'zero'; compare?: 'previous' }, report: DayReport<P>): Promise<P & Previous<P>> {
  const range = readRange(query, report.now, report.maxDays);
  const measures = [...report.shown, ...report.also];
  const read = async (days: DayRange): Promise<P> => shape(await sumPublisherDays(db, publisherId, days, measures), days, query.fill === 'zero', report);
  const before = query.compare === undefined ? null : previousRange(range, query.tz);
  const previous: Previous<P> = before === null ? {} : { previous: { start_date: before.startDate, end_date: before.endDate, ...(await read(before)) } };
  return { ...(await read(range)), ...previous };
}

function shape<P>(rows: readonly PublisherDay[], range: DayRange, fill: boolean, report: DayReport<P>): P {
  const total: Sums = { requests: 0, wins: 0, impressions: 0, viewable: 0, clicks: 0, conversions: 0, filteredImpressions: 0, filteredClicks: 0, revenueMicros: 0 };
  const byDate = new Map<string, Dated>();
  for (const row of rows) {
    const date = range.dates[row.day - 1];
    if (date === undefined) continue;
    for (const measure of report.shown) total[measure] += row[measure] ?? 0;
    for (const measure of report.also) total[measure] += row[measure] ?? 0;
    if (report.shown.some((measure) => row[measure] !== 0)) byDate.set(date, { ...row, date });
  }
  return report.period(fill ? range.dates.map((date) => byDate.get(date) ?? { date }) : [...byDate.values()], total);
}

function statsPeriod(days: readonly Dated[], total: Sums): StatsPeriod {
  return {
    totalImpressions: total.impressions,
    totalClicks: total.clicks,
    totalRevenue: toDollars(total.revenueMicros),
    avgCpm: cpm(total.revenueMicros, total.impressions),
    avgCpc: costPer(total.revenueMicros, total.clicks),
    avgCtr: percent(total.clicks, total.impressions),
    timeSeries: days.map(({ date, impressions = 0, clicks = 0, revenueMicros = 0 }) => ({
      date,
      impressions,
      clicks,
      revenue: toDollars(revenueMicros),
      cpm: cpm(revenueMicros, impressions),
      cpc: costPer(revenueMicros, clicks),
      ctr: percent(clicks, impressions),
    })),
  };
}

function activityPeriod(days: readonly Dated[], total: Sums): ActivityPeriod {
  return {
    data: days.map(({ date, requests = 0, wins = 0, impressions = 0, revenueMicros = 0 }) => ({ date, requests, wins, impressions, revenue: toDollars(revenueMicros) })),
    total_requests: total.requests,
    total_wins: total.wins,
    total_impressions: total.impressions,
    total_revenue: toDollars(total.revenueMicros),
    fill_rate: ratio(total.wins, total.requests),
    show_rate: ratio(total.impressions, total.wins),
  };
}

function funnelPeriod(days: readonly Dated[], total: Sums): FunnelPeriod {
  return {
    steps: funnelSteps.map((step, index) => ({
      step,
      count: total[step],
      rate_from_previous: ratio(total[step], total[funnelSteps[Math.max(0, index - 1)] ?? step]),
      rate_from_first: ratio(total[step], total.requests),
    })),
    filtered_impressions: total.filteredImpressions,
    filtered_clicks: total.filteredClicks,
    total_revenue: toDollars(total.revenueMicros),
    data: days.map(({ date, requests = 0, wins = 0, impressions = 0, viewable = 0, clicks = 0, conversions = 0, revenueMicros = 0 }) => ({ date, requests, wins, impressions, viewable, clicks, conversions, revenue: toDollars(revenueMicros) })),
  };
}
