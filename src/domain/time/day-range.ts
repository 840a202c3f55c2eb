// The days a report covers, in the zone it was asked for.
import { createZone, formatDate, isValidZone, listDates, parseDate } from './zone.js';
import { dayMs } from './utc-day.js';

/**
 * `days` counts back from today in the zone, today included; `start` and `end` are local dates,
 * both included.
 */
export type DayRangeQuery = { days: number } | { start: string; end: string };

export type DayRange = {
  startDate: string;
  endDate: string;
  /**
   * Starts of the local days and, last, the end of the last day: n + 1 instants. Day i is
   * [boundaries[i], boundaries[i + 1]).
   */
  boundaries: number[];
  /**
   * n local dates. A date the zone never had (Apia, 2011-12-30) is listed with a length of zero.
   */
  dates: string[];
};

export type DayRangeProblem =
  'bad_zone' | 'bad_days' | 'bad_date' | 'bad_end' | 'end_before_start' | 'too_long';

export class DayRangeError extends RangeError {
  readonly problem: DayRangeProblem;
  constructor(problem: DayRangeProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** No report goes further; it bounds the work a request can ask for. */
export const MAX_RANGE_DAYS = 3660;

export function dayRange(query: DayRangeQuery, tz: string, now: number): DayRange {
  if (!isValidZone(tz)) throw new DayRangeError('bad_zone');
  const zone = createZone(tz);
  const [first, last] =
    'days' in query ? countedBack(query.days, zone.dateAt(now)) : given(query.start, query.end);
  const length = Math.round((last - first) / dayMs) + 1;
  if (length < 1) throw new DayRangeError('end_before_start');
  if (length > MAX_RANGE_DAYS) throw new DayRangeError('too_long');
  const dates = listDates(first, length);
  const boundaries = zone.startsOfDays(first, length + 1);
  return { startDate: formatDate(first), endDate: formatDate(last), boundaries, dates };
}

function countedBack(days: number, today: string): [first: number, last: number] {
  if (!Number.isInteger(days) || days < 1) throw new DayRangeError('bad_days');
  const last = parseDate(today);
  if (last === null) throw new DayRangeError('bad_date');
  return [last - (days - 1) * dayMs, last];
}

function given(start: string, end: string): [first: number, last: number] {
  const first = parseDate(start);
  const last = parseDate(end);
  if (first === null) throw new DayRangeError('bad_date');
  // The day after the last one must have a four-digit year too.
  if (last === null || end === '9999-12-31') throw new DayRangeError('bad_end');
  return [first, last];
}

/**
 * Index of the day that holds the instant, or -1 outside the range. Of equal boundaries the last
 * wins: skipped days stay empty.
 */
export function dayIndex(boundaries: readonly number[], instant: number): number {
  let low = 0;
  let high = boundaries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((boundaries[middle] ?? Infinity) <= instant) low = middle + 1;
    else high = middle;
  }
  return low === boundaries.length ? -1 : low - 1;
}

/** Whether hourly totals can be cut into these days without splitting one. */
export function fallsOnHours(range: DayRange): boolean {
  return range.boundaries.every((boundary) => boundary % 3_600_000 === 0);
}

/** Whether the days are those of UTC. */
export function isUtc(range: DayRange): boolean {
  return range.boundaries.every((boundary) => boundary % dayMs === 0);
}
