const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const compactNumber = new Intl.NumberFormat('en', {
  notation: 'compact',
  maximumFractionDigits: 1,
});
const dollars = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});
const fineDollars = new Intl.NumberFormat('en', {
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
export const percent = (value: number, digits = 1): string => `${value.toFixed(digits)}%`;
export const times = (value: number): string => `${value.toFixed(2)}×`;

export function price(value: number, currency: string): string {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(value);
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
      format: new Intl.DateTimeFormat('en', {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone: zone,
      }),
    };
  return lastZone.format;
}

const shortDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
/** 'YYYY-MM-DD' as a short day, whatever the zone: it names a day, not an instant. */
export function day(date: string): string {
  return shortDay.format(new Date(`${date}T00:00:00Z`));
}

/** Change against the period before, or null when there is nothing to compare with. */
export function change(now: number, before: number | undefined): number | null {
  return before === undefined || before === 0 ? null : ((now - before) / before) * 100;
}

export const words = (name: string): string =>
  (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('_', ' ');

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });
export function country(code: string): string {
  try {
    return (/^[A-Z]{2}$/.test(code) ? countryNames.of(code) : undefined) ?? 'Unknown';
  } catch {
    return code;
  }
}
