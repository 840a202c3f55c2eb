import type { ForecastDay } from './forecast-delivery.js';

/** Eight days in ten are expected inside. */
export interface Range {
  low: number;
  expected: number;
  high: number;
}

export interface Outlook {
  matchingPerDay: number;
  wonShare: number;
  impressions: Range;
  clicks: Range;
  spendMicros: Range;
  limitedBy: 'budget' | 'bid' | 'requests';
}

/** How many standard deviations eight of ten days stay within. */
const spread = 1.28;
/** What a replay cannot know: frequency caps, rivals that answer, ads that are better or worse. */
const unknown = 0.15;
/** How much days differ where too few were seen to tell. */
const unknownDays = 0.5;

/** What days like the last ones would bring, with how far one may be off. */
export function stateOutlook(days: readonly ForecastDay[], budgetMicros: number): Outlook {
  const matching = sum(days, (day) => day.matching);
  const kept = sum(days, (day) => day.matchingKept);
  const won = sum(days, (day) => day.won);
  const sampling = 1 / Math.max(1, kept);
  const rangeOf = (valueOf: (day: ForecastDay) => number, most: number, isCount: boolean): Range =>
    range(days.map(valueOf), { sampling, most, isCount });
  return {
    matchingPerDay: matching / Math.max(1, days.length),
    wonShare: matching === 0 ? 0 : won / matching,
    impressions: rangeOf((day) => day.impressions, Infinity, true),
    clicks: rangeOf((day) => day.clicks, Infinity, true),
    spendMicros: rangeOf((day) => day.spendMicros, budgetMicros, false),
    limitedBy:
      days.filter((day) => day.isBudgetSpent).length * 2 > days.length
        ? 'budget'
        : won < matching / 2
          ? 'bid'
          : 'requests',
  };
}

/** `isCount`: whole things happen by chance even where everything else is known. */
function range(
  values: readonly number[],
  { sampling, most, isCount }: { sampling: number; most: number; isCount: boolean },
): Range {
  const expected = sum(values, (value) => value) / Math.max(1, values.length);
  const between =
    values.length < 3
      ? (unknownDays * expected) ** 2
      : sum(values, (value) => (value - expected) ** 2) / (values.length - 1);
  const width =
    spread *
    Math.sqrt(between + expected ** 2 * (sampling + unknown ** 2) + (isCount ? expected : 0));
  return {
    low: Math.max(0, expected - width),
    expected,
    high: Math.min(most, expected + width),
  };
}

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}
