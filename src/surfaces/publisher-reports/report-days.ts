import { ratio, toDollars } from '../../domain/money.js';
import { costPer, cpm, percent } from '../../domain/report-ratios.js';
import type { DayRange } from '../../domain/time/day-range.js';
import type { Db } from '../../platform/db/db.js';
import { previousRange, type RangeQuery, readRange } from '../../platform/http/report-range.js';
import { type DayMeasure, dayMeasures } from './queries.js';
import {
  type Activity,
  type ActivityPeriod,
  type ActivityQuery,
  type Funnel,
  type FunnelPeriod,
  type FunnelQuery,
  limits,
  type Stats,
  type StatsPeriod,
  type StatsQuery,
} from './schema.js';
import { type DaySums, sumPublisherDays } from './sum-publisher-days.js';

type Sums = Record<DayMeasure, number>;
/** The days to list, by their place in the range. */
interface Days {
  listed: number[];
  dates: readonly string[];
  sums: DaySums;
}
type Previous<P> = { previous?: { start_date: string; end_date: string } & P };

const funnelSteps = [
  'requests',
  'wins',
  'impressions',
  'viewable',
  'clicks',
  'conversions',
] as const;

export function reportStats(
  db: Db,
  publisherId: string,
  query: StatsQuery,
  now: number,
): Promise<Stats> {
  const shown = ['impressions', 'clicks', 'revenueMicros'] as const;
  return reportDays(db, publisherId, query, {
    now,
    maxDays: limits.stats.max,
    shown,
    also: [],
    period: statsPeriod,
  });
}

export function reportActivity(
  db: Db,
  publisherId: string,
  query: ActivityQuery,
  now: number,
): Promise<Activity> {
  const shown = ['requests', 'wins', 'impressions', 'revenueMicros'] as const;
  return reportDays(db, publisherId, query, {
    now,
    maxDays: limits.activity.max,
    shown,
    also: [],
    period: activityPeriod,
  });
}

export function reportFunnel(
  db: Db,
  publisherId: string,
  query: FunnelQuery,
  now: number,
): Promise<Funnel> {
  const shown = [...funnelSteps, 'disclosed', 'revenueMicros'] as const;
  return reportDays(db, publisherId, query, {
    now,
    maxDays: limits.funnel.max,
    shown,
    also: ['filteredImpressions', 'filteredClicks'],
    period: funnelPeriod,
  });
}

interface DayReport<P> {
  now: number;
  maxDays: number;
  /** A day is listed when one of these is not zero. */
  shown: readonly DayMeasure[];
  /** Only in the totals. */
  also: readonly DayMeasure[];
  period: (days: Days, total: Sums) => P;
}

/**
 * Reads the days asked for and, when wanted, those before; `report` says what is shown of them and
 * in what shape.
 */
async function reportDays<P>(
  db: Db,
  publisherId: string,
  query: RangeQuery & { tz: string; fill?: 'zero'; compare?: 'previous' },
  report: DayReport<P>,
): Promise<P & Previous<P>> {
  const range = readRange(query, report.now, report.maxDays);
  const measures = [...report.shown, ...report.also];
  const read = async (days: DayRange): Promise<P> =>
    shape(
      await sumPublisherDays(db, publisherId, days, measures),
      days,
      query.fill === 'zero',
      report,
    );
  const before = query.compare === undefined ? null : previousRange(range, query.tz);
  const previous: Previous<P> =
    before === null
      ? {}
      : {
          previous: {
            start_date: before.startDate,
            end_date: before.endDate,
            ...(await read(before)),
          },
        };
  return { ...(await read(range)), ...previous };
}

function shape<P>(sums: DaySums, range: DayRange, fill: boolean, report: DayReport<P>): P {
  // One entry for every measure there is.
  const total = Object.fromEntries(
    dayMeasures.map((measure) => [measure, sums[measure].reduce((sum, value) => sum + value, 0)]),
  ) as Sums;
  const shown = report.shown.map((measure) => sums[measure]);
  const listed: number[] = [];
  for (let day = 0; day < range.dates.length; day += 1)
    if (fill || shown.some((column) => column[day] !== 0)) listed.push(day);
  return report.period({ listed, dates: range.dates, sums }, total);
}

function statsPeriod({ listed, dates, sums }: Days, total: Sums): StatsPeriod {
  return {
    totalImpressions: total.impressions,
    totalClicks: total.clicks,
    totalRevenue: toDollars(total.revenueMicros),
    avgCpm: cpm(total.revenueMicros, total.impressions),
    avgCpc: costPer(total.revenueMicros, total.clicks),
    avgCtr: percent(total.clicks, total.impressions),
    timeSeries: listed.map((day) => {
      const impressions = sums.impressions[day] ?? 0;
      const clicks = sums.clicks[day] ?? 0;
      const revenueMicros = sums.revenueMicros[day] ?? 0;
      return {
        date: dates[day] ?? '',
        impressions,
        clicks,
        revenue: toDollars(revenueMicros),
        cpm: cpm(revenueMicros, impressions),
        cpc: costPer(revenueMicros, clicks),
        ctr: percent(clicks, impressions),
      };
    }),
  };
}

/** The same numbers under the same names; money in dollars. */
function dayOf<M extends DayMeasure>(
  { dates, sums }: Days,
  day: number,
  measures: readonly M[],
): { date: string; revenue: number } & Record<M, number> {
  // One entry for every measure asked for.
  const counts = Object.fromEntries(
    measures.map((measure) => [measure, sums[measure][day] ?? 0]),
  ) as Record<M, number>;
  return { date: dates[day] ?? '', ...counts, revenue: toDollars(sums.revenueMicros[day] ?? 0) };
}

function activityPeriod(days: Days, total: Sums): ActivityPeriod {
  return {
    data: days.listed.map((day) => dayOf(days, day, ['requests', 'wins', 'impressions'])),
    total_requests: total.requests,
    total_wins: total.wins,
    total_impressions: total.impressions,
    total_revenue: toDollars(total.revenueMicros),
    fill_rate: ratio(total.wins, total.requests),
    show_rate: ratio(total.impressions, total.wins),
  };
}

function funnelPeriod(days: Days, total: Sums): FunnelPeriod {
  return {
    steps: funnelSteps.map((step, index) => ({
      step,
      count: total[step],
      rate_from_previous: ratio(total[step], total[funnelSteps[Math.max(0, index - 1)] ?? step]),
      rate_from_first: ratio(total[step], total.requests),
    })),
    filtered_impressions: total.filteredImpressions,
    filtered_clicks: total.filteredClicks,
    total_disclosed: total.disclosed,
    disclosed_rate: ratio(total.disclosed, total.viewable),
    total_revenue: toDollars(total.revenueMicros),
    data: days.listed.map((day) => dayOf(days, day, [...funnelSteps, 'disclosed'])),
  };
}
