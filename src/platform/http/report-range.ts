import { Type } from '@sinclair/typebox';
import {
  type DayRange,
  dayRange,
  DayRangeError,
  type DayRangeProblem,
} from '../../domain/time/day-range.js';
import { formatDate } from '../../domain/time/zone.js';
import { fieldError } from '../errors.js';
import { dayMs } from '../../domain/time/utc-day.js';

/** The parameters of every report over days; spread into a query schema. */
export function rangeFields(days: { default: number; max: number }) {
  return {
    days: Type.Integer({
      default: days.default,
      minimum: 1,
      maximum: days.max,
      description: 'Today and the days before it',
    }),
    start_date: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-\\d{2}-\\d{2}$',
        description: 'First day, YYYY-MM-DD; together with end_date it overrides days',
      }),
    ),
    end_date: Type.Optional(
      Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'Last day, included' }),
    ),
  };
}

export const zoneField = {
  tz: Type.String({
    default: 'UTC',
    maxLength: 64,
    description: 'IANA time zone the days are cut by',
  }),
};
export const fillField = {
  fill: Type.Optional(Type.Literal('zero', { description: 'Also list days without activity' })),
};
export const compareField = {
  compare: Type.Optional(
    Type.Literal('previous', { description: 'Add the equally long period before' }),
  ),
};

export interface RangeQuery {
  days: number;
  start_date?: string;
  end_date?: string;
  tz?: string;
}

const problems: Record<DayRangeProblem, { field: string; msg: string }> = {
  bad_zone: { field: 'tz', msg: 'Unknown time zone' },
  bad_days: { field: 'days', msg: 'Not a number of days' },
  bad_date: { field: 'start_date', msg: 'Not a date' },
  bad_end: { field: 'end_date', msg: 'Not a date' },
  end_before_start: { field: 'end_date', msg: 'Must not be before start_date' },
  too_long: { field: 'end_date', msg: 'The range is too long' },
};

/**
 * The days asked for. A pair of dates may span one day more than `maxDays`, so that a leap year and
 * a month of 31 days fit.
 */
export function readRange(query: RangeQuery, now: number, maxDays: number): DayRange {
  const { start_date: start, end_date: end, tz = 'UTC' } = query;
  if ((start === undefined) !== (end === undefined))
    throw fieldError(
      ['query', start === undefined ? 'start_date' : 'end_date'],
      'start_date and end_date go together',
      'missing',
    );
  const range = rangeOf(
    start === undefined || end === undefined ? { days: query.days } : { start, end },
    tz,
    now,
  );
  if (start !== undefined && range.dates.length > maxDays + 1)
    throw fieldError(['query', 'end_date'], problems.too_long.msg);
  return range;
}

/** As many days, right before. */
export function previousRange(range: DayRange, tz: string): DayRange {
  const first = Date.parse(`${range.startDate}T00:00:00Z`);
  return rangeOf(
    { start: formatDate(first - range.dates.length * dayMs), end: formatDate(first - dayMs) },
    tz,
    0,
  );
}

function rangeOf(query: Parameters<typeof dayRange>[0], tz: string, now: number): DayRange {
  try {
    return dayRange(query, tz, now);
  } catch (error) {
    if (!(error instanceof DayRangeError)) throw error;
    const { field, msg } = problems[error.problem];
    throw fieldError(['query', field], msg);
  }
}
