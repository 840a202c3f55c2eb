import type { DemoCampaign } from './demo-campaigns.js';
import { dayMs } from '../../domain/time/utc-day.js';

// How much happens on a day of the demo's year: growth, the week, the season, and one bad day.

/** Of the whole network on a usual day at the end of the year. */
const impressionsADay = 42_000;
/** The day most requests failed, counted back from today. */
export const outageDaysAgo = 41;

/** The week after its first days is quieter than those; the year begins with half of its end. */
export function networkVolume(start: number, daysAgo: number, days: number): number {
  const weekday = new Date(start).getUTCDay();
  const week = weekday === 6 ? 0.72 : weekday === 0 ? 0.79 : weekday === 1 ? 1.08 : 1;
  const growth = 0.5 + (0.5 * (days - daysAgo)) / days;
  const ripple = 1 + 0.05 * Math.sin(daysAgo * 0.9) + 0.03 * Math.sin(daysAgo * 2.3);
  const outage = daysAgo === outageDaysAgo ? 0.07 : 1;
  return impressionsADay * week * growth * ripple * outage;
}

const peaks: Record<NonNullable<DemoCampaign['season']>, number> = {
  january: 15,
  spring: 110,
  summer: 200,
  autumn: 265,
  december: 345,
};

/** Up to twice as much in the weeks around the peak of its season, a little less far from it. */
export function seasonOf(season: DemoCampaign['season'], start: number): number {
  if (season === undefined) return 1;
  const yearStart = Date.UTC(new Date(start).getUTCFullYear(), 0, 1);
  const day = (start - yearStart) / dayMs;
  const apart = Math.abs(day - peaks[season]);
  const distance = Math.min(apart, 365 - apart);
  return 0.8 + 1.2 * Math.exp(-((distance / 32) ** 2));
}

/** A few campaigns get most of it, as everywhere. */
export const popularity = (rank: number): number => 1 / (rank + 4);

/** Campaigns join over the year: half of them are there from its first day. */
export const startedDaysAgo = (rank: number, days: number): number =>
  rank % 2 === 0 ? days : days - ((rank * 37) % 250);
