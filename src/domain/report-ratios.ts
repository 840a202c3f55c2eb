// The formulas every report shares, in millionths. Counts and microdollars go in whole; each ratio
// is rounded once.
import { scaledRatio } from './money.js';

const MICROS = 1_000_000;

/** Per cent: click-through rate, conversion rate, shares. */
export function percentMicros(part: number, whole: number): number {
  return scaledRatio(part, 100 * MICROS, whole);
}

/** Dollars per click, or per conversion. */
export function costPerMicros(micros: number, count: number): number {
  return scaledRatio(micros, 1, count);
}

/** Dollars per thousand impressions. */
export function cpmMicros(micros: number, impressions: number): number {
  return scaledRatio(micros, 1000, impressions);
}

export function percent(part: number, whole: number): number {
  return percentMicros(part, whole) / MICROS;
}

export function costPer(micros: number, count: number): number {
  return costPerMicros(micros, count) / MICROS;
}

export function cpm(micros: number, impressions: number): number {
  return cpmMicros(micros, impressions) / MICROS;
}
