import { language, named, t } from './language.js';

const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
const compactNumber = new Intl.NumberFormat(language, {
  notation: 'compact',
  maximumFractionDigits: 1,
});
const dollars = new Intl.NumberFormat(language, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const fineDollars = new Intl.NumberFormat(language, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 4,
});

export const count = (value: number): string => whole.format(value);
export const compact = (value: number): string =>
  Math.abs(value) < 10_000 ? whole.format(value) : compactNumber.format(value);
/** Amounts below a dollar keep four decimals: clicks and impressions cost parts of a cent. */
export const money = (value: number): string =>
  (value !== 0 && Math.abs(value) < 1 ? fineDollars : dollars).format(value);
const thousandths = new Intl.NumberFormat(language, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 3,
  maximumFractionDigits: 3,
});
/** What one of something costs, in a column: below a dollar all with as many decimals. */
export const unitPrice = (value: number): string =>
  (value !== 0 && Math.abs(value) < 1 ? thousandths : dollars).format(value);
const decimals = [0, 1, 2, 3].map(
  (digits) =>
    new Intl.NumberFormat(language, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
      useGrouping: false,
    }),
);
/** A number with a fixed count of decimals. */
export const fixed = (value: number, digits: 0 | 1 | 2 | 3): string =>
  decimals[digits]?.format(value) ?? String(value);
export const percent = (value: number, digits: 0 | 1 | 2 = 1): string =>
  language === 'de' ? `${fixed(value, digits)}\u00a0%` : `${fixed(value, digits)}%`;
export const times = (value: number): string => `${fixed(value, 2)}×`;

export function price(value: number, currency: string): string {
  try {
    return new Intl.NumberFormat(language, { style: 'currency', currency }).format(value);
  } catch {
    return `${value.toFixed(2)} ${currency}`;
  }
}

/** A timestamp of the API (UTC without offset) in the chosen zone. */
export function moment(iso: string | null | undefined, zone: string): string {
  if (iso === null || iso === undefined || iso === '') return '—';
  const at = new Date(/[zZ]|[+-]\d\d:?\d\d$/.test(iso) ? iso : `${iso}Z`);
  if (Number.isNaN(at.getTime())) return iso;
  return momentFormat(zone).format(at);
}

let lastZone: { zone: string; format: Intl.DateTimeFormat } | undefined;

/**
 * Making a formatter costs more than using it a hundred times, and a table asks for the same one in
 * every cell.
 */
function momentFormat(zone: string): Intl.DateTimeFormat {
  if (lastZone?.zone !== zone)
    lastZone = {
      zone,
      format: new Intl.DateTimeFormat(language, {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone: zone,
      }),
    };
  return lastZone.format;
}

let lastClock: { zone: string; format: Intl.DateTimeFormat } | undefined;

/** The time of day of a timestamp of the API, to the second. */
export function clock(iso: string, zone: string): string {
  if (lastClock?.zone !== zone)
    lastClock = {
      zone,
      format: new Intl.DateTimeFormat(language, { timeStyle: 'medium', timeZone: zone }),
    };
  return lastClock.format.format(new Date(`${iso}Z`));
}

const shortDay = new Intl.DateTimeFormat(language, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
/** 'YYYY-MM-DD' as a short day, whatever the zone: it names a day, not an instant. */
export function day(date: string): string {
  return shortDay.format(new Date(`${date}T00:00:00Z`));
}

const wholeDay = new Intl.DateTimeFormat(language, {
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
/** The same with its weekday and year, for a row of its own; anything else as it is. */
export function longDay(date: string): string {
  const at = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(at.getTime()) ? date : wholeDay.format(at);
}

const wholeMonth = new Intl.DateTimeFormat(language, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});
/** 'YYYY-MM' in words. */
export function month(name: string): string {
  return wholeMonth.format(new Date(`${name}-01T00:00:00Z`));
}

/** The day it is in a zone, as 'YYYY-MM-DD'. */
export function today(zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format();
}

/** Change against the period before, or null when there is nothing to compare with. */
export function change(now: number, before: number | undefined): number | null {
  return before === undefined || before === 0 ? null : ((now - before) / before) * 100;
}

export function words(name: string): string {
  const said = named(name);
  return said.charAt(0).toUpperCase() + said.slice(1);
}

const countryNames = new Intl.DisplayNames([language], { type: 'region' });
export function country(code: string): string {
  try {
    return (/^[A-Z]{2}$/.test(code) ? countryNames.of(code) : undefined) ?? t('Unknown');
  } catch {
    return code;
  }
}
