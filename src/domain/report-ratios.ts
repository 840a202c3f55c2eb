// The formulas every report shares. Counts and microdollars go in whole; each ratio is rounded once, at the end.
import { ratio } from './money.js';

const MICROS = 1_000_000;

/** Per cent: click-through rate, conversion rate, shares. */
export function percent(part: number, whole: number): number {
  return ratio(part * 100, whole);
}

/** Dollars per click, or per conversion. */
export function costPer(micros: number, count: number): number {
  return ratio(micros, count * MICROS);
}

/** Dollars per thousand impressions. */
export function cpm(micros: number, impressions: number): number {
  return ratio(micros, impressions * 1000);
}

