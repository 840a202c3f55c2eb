import { readNumbers } from '../../fast/number-text.js';
import { dayEdges, type EdgeRun, moveEdge } from '../../domain/time/day-edges.js';
import type { DayRange } from '../../domain/time/day-range.js';
import type { Db } from '../../platform/db/db.js';
import { type DayMeasure, dayMeasures, sumHours, sumUtcDaysAndEdges } from './queries.js';

/** Each measure day by day; what was not asked for is zero. */
export type DaySums = Record<DayMeasure, Float64Array>;

/** What the totals by UTC day have. */
const utcMeasures = new Set<DayMeasure>(['impressions', 'clicks', 'revenueMicros']);

/**
 * Only the measures a report shows, from the coarsest totals that have them: over ten years both
 * are felt.
 */
export async function sumPublisherDays(
  db: Db,
  publisherId: string,
  range: DayRange,
  measures: readonly DayMeasure[],
): Promise<DaySums> {
  if (measures.every((measure) => utcMeasures.has(measure)))
    return sumAroundUtcDays(db, publisherId, range, measures);
  const sums = noSums(range);
  for (const row of await sumHours(db, publisherId, range, measures))
    for (const measure of measures) sums[measure][row.day - 1] = row[measure] ?? 0;
  return sums;
}

function noSums(range: DayRange): DaySums {
  // One entry for every measure there is.
  return Object.fromEntries(
    dayMeasures.map((measure) => [measure, new Float64Array(range.dates.length)]),
  ) as DaySums;
}

/**
 * Every UTC day counts for the local day it starts nearest to; then what lies between the two
 * starts is moved over.
 */
async function sumAroundUtcDays(
  db: Db,
  publisherId: string,
  range: DayRange,
  measures: readonly DayMeasure[],
): Promise<DaySums> {
  const edges = dayEdges(range.boundaries);
  const found = await sumUtcDaysAndEdges(db, publisherId, edges, measures);
  const sums = noSums(range);
  const columns = measures.map((measure) => sums[measure]);
  const numbers: number[] = [];
  const count = readNumbers(found.days, numbers);
  for (let at = 0; at < count; at += 1 + columns.length) {
    const day = edges.owners[numbers[at] ?? 0] ?? 0;
    columns.forEach(
      (column, index) => (column[day] = (column[day] ?? 0) + (numbers[at + 1 + index] ?? 0)),
    );
  }
  moveEdges(columns, edges.hours, found.hours);
  moveEdges(columns, edges.rests, found.rests);
  return sums;
}

function moveEdges(
  columns: readonly Float64Array[],
  runs: readonly EdgeRun[],
  text: string | null,
): void {
  const numbers: number[] = [];
  const count = readNumbers(text, numbers);
  for (let at = 0; at < count; at += 2 + columns.length) {
    const run = runs[(numbers[at] ?? 0) - 1];
    if (run !== undefined)
      columns.forEach((column, index) =>
        moveEdge(column, run, numbers[at + 1] ?? 0, numbers[at + 2 + index] ?? 0),
      );
  }
}
