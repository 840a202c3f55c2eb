// An IANA zone as a function from instants to local dates. Built on Intl, so it follows the zone
// data of the running Node.
import { utcDay, dayMs } from './utc-day.js';

export type Zone = {
  readonly name: string;
  /** Local wall clock minus UTC, in milliseconds, at that instant. */
  offsetAt(instant: number): number;
  /** Local calendar date `YYYY-MM-DD` of an instant. */
  dateAt(instant: number): string;
  /**
   * First instant at which the local date is `date` or later. For a date the zone skipped this is
   * the start of the next one.
   */
  startOfDay(date: string): number;
  /** `startOfDay` of so many days in a row, from the one whose UTC midnight is given. */
  startsOfDays(midnight: number, count: number): number[];
};

/**
 * Named zones only: newer engines also take `+05:30`, which the database would read with the
 * opposite sign.
 */
export function isValidZone(name: unknown): name is string {
  if (typeof name !== 'string' || name.length > 64 || !/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Making one costs tens of microseconds: keep it where many instants are converted. Throws
 * RangeError for an unknown name.
 */
export function createZone(name: string): Zone {
  if (!isValidZone(name)) throw new RangeError('unknown time zone');
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

  const isUtc = /^(Etc\/)?(UTC|GMT|UCT|Zulu)$/i.test(name);

  function offsetAt(instant: number): number {
    if (isUtc) return 0;
    const second = Math.floor(instant / 1000) * 1000;
    return wallClock(format.format(second)) - second;
  }

  function startOfDay(date: string): number {
    const midnight = parseDate(date);
    if (midnight === null) throw new RangeError('not a calendar date');
    // Whatever the offset (-12 h to +14 h), the boundary lies inside these two days, and no zone
    // changed twice within two days.
    return boundaryBetween(offsetAt, midnight, midnight - dayMs, midnight + dayMs);
  }

  /**
   * Offsets at UTC midnights. Asked every fourth day and filled in where two agree: no zone left an
   * offset and came back within four days.
   */
  function midnightOffsets(first: number, count: number): number[] {
    const offsets: number[] = [];
    let last = offsetAt(first);
    for (let day = 0; day < count; day += 4) {
      const next = offsetAt(first + (day + 4) * dayMs);
      for (let step = 0; step < 4; step += 1)
        offsets.push(step === 0 || next === last ? last : offsetAt(first + (day + step) * dayMs));
      last = next;
    }
    return offsets;
  }

  function startsOfDays(midnight: number, count: number): number[] {
    const offsets = midnightOffsets(midnight - dayMs, count + 2);
    const starts: number[] = [];
    for (let day = 0; day < count; day += 1) {
      const at = midnight + day * dayMs;
      const offset = offsets[day] ?? 0;
      starts.push(
        offset === offsets[day + 2]
          ? at - offset
          : boundaryBetween(offsetAt, at, at - dayMs, at + dayMs),
      );
    }
    return starts;
  }

  return {
    name,
    offsetAt,
    dateAt: (instant) => formatDate(instant + offsetAt(instant)),
    startOfDay,
    startsOfDays,
  };
}

function boundaryBetween(
  offsetAt: (instant: number) => number,
  midnight: number,
  from: number,
  to: number,
): number {
  const before = offsetAt(from);
  const after = offsetAt(to);
  if (before === after) return midnight - before;
  let low = from;
  let high = to;
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  // `high` is the instant of the change. The day starts before it, at it (midnight skipped), or
  // after it.
  return midnight - before < high ? midnight - before : Math.max(high, midnight - after);
}

/** Reads the fixed shape `MM/DD/YYYY, HH:MM:SS` as if it were UTC. */
function wallClock(text: string): number {
  const comma = text.indexOf(',', 6);
  const time = comma + 2;
  return Date.UTC(
    Number(text.slice(6, comma)),
    Number(text.slice(0, 2)) - 1,
    Number(text.slice(3, 5)),
    Number(text.slice(time, time + 2)),
    Number(text.slice(time + 3, time + 5)),
    Number(text.slice(time + 6, time + 8)),
  );
}

/** UTC midnight of a real calendar date from 1900 on written `YYYY-MM-DD`, else null. */
export function parseDate(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '1900-01-01') return null;
  const instant = Date.UTC(
    Number(text.slice(0, 4)),
    Number(text.slice(5, 7)) - 1,
    Number(text.slice(8, 10)),
  );
  return formatDate(instant) === text ? instant : null;
}

const lastPlainInstant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The day that was asked for last, as most days are asked for thousands of times in a row. */
let lastDay = NaN;
let lastDate = '';

/** UTC calendar date of an instant. Every event asks for its day several times. */
export function formatDate(instant: number): string {
  if (!(instant >= 0 && instant <= lastPlainInstant)) return utcDay(instant);
  const day = Math.floor(instant / dayMs);
  if (day !== lastDay) {
    lastDate = countDate(day);
    lastDay = day;
  }
  return lastDate;
}

/** Counted, not formatted: `Date` takes ten times as long. */
function countDate(sinceEpoch: number): string {
  // Days since 1 March of year 0, in eras of 400 years; years begin in March, so the leap day comes
  // last.
  const days = sinceEpoch + 719_468;
  const era = Math.floor(days / 146_097);
  const dayOfEra = days - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${year}-${month < 10 ? '0' : ''}${month}-${day < 10 ? '0' : ''}${day}`;
}

/** So many UTC calendar dates in a row; ten years of `formatDate` would be felt. */
export function listDates(first: number, count: number): string[] {
  const dates: string[] = [];
  for (let at = first; dates.length < count;) {
    // Month by month: only its first date is worked out.
    const date = new Date(at);
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
    const daysInMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
    const prefix = `${String(year).padStart(4, '0')}-${String(month + 1).padStart(2, '0')}-`;
    for (let next = day; next <= daysInMonth && dates.length < count; next += 1)
      dates.push(prefix + (next < 10 ? `0${next}` : next));
    at += (daysInMonth - day + 1) * dayMs;
  }
  return dates;
}
