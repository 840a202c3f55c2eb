import { readNumbers } from '../../domain/number-text.js';

type Measure = 'impressions' | 'clicks' | 'conversions' | 'spendMicros';

/** The days of one group as plain numbers, read from what the database returned. One is enough for a report: each `read` replaces the last. */
export class AdGroupSeries {
  readonly impressions: Float64Array;
  readonly clicks: Float64Array;
  readonly conversions: Float64Array;
  readonly spendMicros: Float64Array;
  readonly #fill: boolean;
  readonly #numbers: number[] = [];

  /** With `fill`, days without activity are listed too. */
  constructor(days: number, fill: boolean) {
    [this.impressions, this.clicks, this.conversions, this.spendMicros] = [new Float64Array(days), new Float64Array(days), new Float64Array(days), new Float64Array(days)];
    this.#fill = fill;
  }

  /** Rows of a day, counted from one, and its four numbers; a day may come in several rows. */
  read(rows: string): void {
    for (const measure of [this.impressions, this.clicks, this.conversions, this.spendMicros]) measure.fill(0);
    const numbers = this.#numbers;
    const count = readNumbers(rows, numbers);
    for (let at = 0; at < count; at += 5) {
      const day = (numbers[at] ?? 0) - 1;
      if (day < 0 || day >= this.impressions.length) continue;
      this.impressions[day] = (this.impressions[day] ?? 0) + (numbers[at + 1] ?? 0);
      this.clicks[day] = (this.clicks[day] ?? 0) + (numbers[at + 2] ?? 0);
      this.conversions[day] = (this.conversions[day] ?? 0) + (numbers[at + 3] ?? 0);
      this.spendMicros[day] = (this.spendMicros[day] ?? 0) + (numbers[at + 4] ?? 0);
    }
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
}
