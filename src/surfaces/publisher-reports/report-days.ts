import { ratio, toDollars } from '../../domain/money.js';
import { costPer, cpm, percent } from '../../domain/report-ratios.js';
import type { DayRange } from '../../domain/time/day-range.js';
import type { Db } from '../../platform/db/db.js';
import { previousRange, type RangeQuery, readRange } from '../../platform/http/report-range.js';
import { type PublisherDay, sumPublisherDays } from './queries.js';
import { type Activity, type ActivityPeriod, type ActivityQuery, type Funnel, type FunnelPeriod, type FunnelQuery, limits, type Stats, type StatsPeriod, type StatsQuery } from './schema.js';

type Sums = Omit<PublisherDay, 'day'>;
type Dated = Sums & { date: string };
type Previous<P> = { previous?: { start_date: string; end_date: string } & P };

const nothing: Sums = { requests: 0, wins: 0, impressions: 0, viewable: 0, clicks: 0, conversions: 0, filteredImpressions: 0, filteredClicks: 0, revenueMicros: 0 };
const funnelSteps = ['requests', 'wins', 'impressions', 'viewable', 'clicks', 'conversions'] as const;

export function reportStats(db: Db, publisherId: string, query: StatsQuery, now: number): Promise<Stats> {
  return reportDays(db, publisherId, query, { now, maxDays: limits.stats.max, isActive: (day) => day.impressions !== 0 || day.clicks !== 0 || day.revenueMicros !== 0, period: statsPeriod });
}

export function reportActivity(db: Db, publisherId: string, query: ActivityQuery, now: number): Promise<Activity> {
  return reportDays(db, publisherId, query, {
    now,
    maxDays: limits.activity.max,
    isActive: (day) => day.requests !== 0 || day.wins !== 0 || day.impressions !== 0 || day.revenueMicros !== 0,
    period: activityPeriod,
  });
}

export function reportFunnel(db: Db, publisherId: string, query: FunnelQuery, now: number): Promise<Funnel> {
  return reportDays(db, publisherId, query, { now, maxDays: limits.funnel.max, isActive: (day) => funnelSteps.some((step) => day[step] !== 0) || day.revenueMicros !== 0, period: funnelPeriod });
}

interface DayReport<P> {
  now: number;
  maxDays: number;
  isActive: (day: Sums) => boolean;
  period: (days: readonly Dated[], total: Sums) => P;
}

/** Reads the days asked for and, when wanted, those before; `report` says which days are listed and in what shape. */
async function reportDays<P>(db: Db, publisherId: string, query: RangeQuery & { tz: string; fill?: 'zero'; compare?: 'previous' }, report: DayReport<P>): Promise<P & Previous<P>> {
  const range = readRange(query, report.now, report.maxDays);
  const read = async (days: DayRange): Promise<P> => shape(await sumPublisherDays(db, publisherId, days), days, query.fill === 'zero', report);
  const before = query.compare === undefined ? null : previousRange(range, query.tz);
  const previous: Previous<P> = before === null ? {} : { previous: { start_date: before.startDate, end_date: before.endDate, ...(await read(before)) } };
  return { ...(await read(range)), ...previous };
}

function shape<P>(rows: readonly PublisherDay[], range: DayRange, fill: boolean, report: DayReport<P>): P {
  const total = { ...nothing };
  const byDate = new Map<string, Dated>();
  for (const row of rows) {
    const date = range.dates[row.day - 1];
    if (date === undefined) continue;
    for (const step of funnelSteps) total[step] += row[step];
    total.filteredImpressions += row.filteredImpressions;
    total.filteredClicks += row.filteredClicks;
    total.revenueMicros += row.revenueMicros;
    if (report.isActive(row)) byDate.set(date, { ...row, date });
  }
  return report.period(fill ? range.dates.map((date) => byDate.get(date) ?? { ...nothing, date }) : [...byDate.values()], total);
}

function statsPeriod(days: readonly Dated[], total: Sums): StatsPeriod {
  return {
    totalImpressions: total.impressions,
    totalClicks: total.clicks,
    totalRevenue: toDollars(total.revenueMicros),
    avgCpm: cpm(total.revenueMicros, total.impressions),
    avgCpc: costPer(total.revenueMicros, total.clicks),
    avgCtr: percent(total.clicks, total.impressions),
    timeSeries: days.map((day) => ({
      date: day.date,
      impressions: day.impressions,
      clicks: day.clicks,
      revenue: toDollars(day.revenueMicros),
      cpm: cpm(day.revenueMicros, day.impressions),
      cpc: costPer(day.revenueMicros, day.clicks),
      ctr: percent(day.clicks, day.impressions),
    })),
  };
}

function activityPeriod(days: readonly Dated[], total: Sums): ActivityPeriod {
  return {
    data: days.map((day) => ({ date: day.date, requests: day.requests, wins: day.wins, impressions: day.impressions, revenue: toDollars(day.revenueMicros) })),
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
    data: days.map((day) => ({ date: day.date, requests: day.requests, wins: day.wins, impressions: day.impressions, viewable: day.viewable, clicks: day.clicks, conversions: day.conversions, revenue: toDollars(day.revenueMicros) })),
  };
}
