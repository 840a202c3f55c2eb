import { readNumbers } from '../../domain/array-text.js';
import type { AdGroupDays } from './queries.js';

type Measure = 'impressions' | 'clicks' | 'conversions' | 'spendMicros';

/** The days of one group as plain numbers, read from what the database returned. One is enough for a report: each `read` replaces the last. */
export class AdGroupSeries {
  readonly impressions: Float64Array;
  readonly clicks: Float64Array;
  readonly conversions: Float64Array;
  readonly spendMicros: Float64Array;
  readonly #fill: boolean;
  /** Which day each number belongs to, counted from one, and the numbers of one measure. */
  readonly #days: number[] = [];
  readonly #values: number[] = [];

  /** With `fill`, days without activity are listed too. */
  constructor(days: number, fill: boolean) {
    [this.impressions, this.clicks, this.conversions, this.spendMicros] = [new Float64Array(days), new Float64Array(days), new Float64Array(days), new Float64Array(days)];
    this.#fill = fill;
  }

  read(texts: AdGroupDays): void {
    const count = readNumbers(texts.days, this.#days);
    this.#place(this.impressions, texts.impressions, count);
    this.#place(this.clicks, texts.clicks, count);
    this.#place(this.conversions, texts.conversions, count);
    this.#place(this.spendMicros, texts.spendMicros, count);
  }

  /** A day whose events were all taken back is left out like one that never had any. */
  isListed(day: number): boolean {
    return this.#fill || this.impressions[day] !== 0 || this.clicks[day] !== 0 || this.conversions[day] !== 0 || this.spendMicros[day] !== 0;
  }

  sum(measure: Measure): number {
    let total = 0;
    for (const value of this[measure]) total += value;
    return total;
  }

  #place(to: Float64Array, text: string | null, count: number): void {
    to.fill(0);
    readNumbers(text, this.#values);
    for (let index = 0; index < count; index += 1) {
      const day = (this.#days[index] ?? 0) - 1;
      if (day >= 0 && day < to.length) to[day] = (to[day] ?? 0) + (this.#values[index] ?? 0);
    }
  }
}
