// The local day a charge belongs to, in the zone of the account that pays.
import { createZone, formatDate, parseDate, type Zone } from '../time/zone.js';
import { dayMs } from '../time/utc-day.js';

export type BudgetDay = {
  /** `YYYY-MM-DD` in the account's zone. */
  date: string;
  start: number;
  end: number;
};

export type BudgetDays = { at(timeZone: string, instant: number): BudgetDay };

/**
 * Remembers the day last asked for in each zone, so that the ad path compares two numbers. Bounded
 * by the number of zones there are.
 */
export function createBudgetDays(): BudgetDays {
  const zones = new Map<string, { zone: Zone; day: BudgetDay }>();

  let lastZone = '';
  let lastDay: BudgetDay | null = null;

  function at(timeZone: string, instant: number): BudgetDay {
    // One request asks for the day of a hundred candidates, most of them in one zone.
    if (
      lastDay !== null &&
      timeZone === lastZone &&
      instant >= lastDay.start &&
      instant < lastDay.end
    )
      return lastDay;
    lastZone = timeZone;
    lastDay = lookUp(timeZone, instant);
    return lastDay;
  }

  function lookUp(timeZone: string, instant: number): BudgetDay {
    const known = zones.get(timeZone);
    if (known !== undefined && instant >= known.day.start && instant < known.day.end)
      return known.day;
    const zone = known?.zone ?? createZone(timeZone);
    const day = dayOf(zone, instant);
    if (known === undefined) zones.set(timeZone, { zone, day });
    else known.day = day;
    return day;
  }

  return { at };
}

function dayOf(zone: Zone, instant: number): BudgetDay {
  let date = zone.dateAt(instant);
  let start = zone.startOfDay(date);
  let end = zone.startOfDay(dateAfter(date));
  // A clock set back just after midnight repeats the end of yesterday: that stretch belongs to the
  // day that had begun.
  if (instant >= end) {
    date = dateAfter(date);
    start = end;
    end = zone.startOfDay(dateAfter(date));
  }
  return { date, start, end };
}

function dateAfter(date: string): string {
  return formatDate((parseDate(date) ?? NaN) + dayMs);
}
