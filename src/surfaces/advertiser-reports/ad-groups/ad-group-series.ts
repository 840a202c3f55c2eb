import { readNumbers } from '../../../fast/number-text.js';
import { type DayEdges, edgeRuns, moveEdge } from '../../../domain/time/day-edges.js';

type Measure = 'impressions' | 'clicks' | 'conversions' | 'spendMicros';

/**
 * The days of one group as plain numbers, read from what the database returned. One is enough for a
 * report: each group replaces the last.
 */
export class AdGroupSeries {
  readonly impressions: Float64Array;
  readonly clicks: Float64Array;
  readonly conversions: Float64Array;
  readonly spendMicros: Float64Array;
  readonly #fill: boolean;
  readonly #numbers: number[] = [];
  /** In the order of the rows. */
  readonly #measures: readonly Float64Array[];

  /** With `fill`, days without activity are listed too. */
  constructor(days: number, fill: boolean) {
    [this.impressions, this.clicks, this.conversions, this.spendMicros] = [
      new Float64Array(days),
      new Float64Array(days),
      new Float64Array(days),
      new Float64Array(days),
    ];
    this.#fill = fill;
    this.#measures = [this.impressions, this.clicks, this.conversions, this.spendMicros];
  }

  /** Starts a group over. */
  clear(): void {
    for (const measure of this.#measures) measure.fill(0);
  }

  /**
   * Adds rows of six numbers: a run, a day and the four measures, read with or without edges as the
   * report was.
   */
  add(rows: string, edges: DayEdges | null): void {
    const numbers = this.#numbers;
    const count = readNumbers(rows, numbers);
    const runs = edges === null ? [] : edgeRuns(edges);
    for (let at = 0; at < count; at += 6) {
      const run = runs[(numbers[at] ?? 0) - 1];
      const day = numbers[at + 1] ?? 0;
      if (run === undefined) this.#addDay(edges === null ? day : (edges.owners[day] ?? -1), at);
      else
        this.#measures.forEach((measure, index) =>
          moveEdge(measure, run, day, numbers[at + 2 + index] ?? 0),
        );
    }
  }

  #addDay(day: number, at: number): void {
    if (day < 0 || day >= this.impressions.length) return;
    const numbers = this.#numbers;
    this.impressions[day] = (this.impressions[day] ?? 0) + (numbers[at + 2] ?? 0);
    this.clicks[day] = (this.clicks[day] ?? 0) + (numbers[at + 3] ?? 0);
    this.conversions[day] = (this.conversions[day] ?? 0) + (numbers[at + 4] ?? 0);
    this.spendMicros[day] = (this.spendMicros[day] ?? 0) + (numbers[at + 5] ?? 0);
  }

  /** A day whose events were all taken back is left out like one that never had any. */
  isListed(day: number): boolean {
    return (
      this.#fill ||
      this.impressions[day] !== 0 ||
      this.clicks[day] !== 0 ||
      this.conversions[day] !== 0 ||
      this.spendMicros[day] !== 0
    );
  }

  sum(measure: Measure): number {
    let total = 0;
    for (const value of this[measure]) total += value;
    return total;
  }
}
