import { readNumbers } from '../../domain/array-text.js';
import { dayEdges, type Edge } from '../../domain/time/day-edges.js';
import type { DayRange } from '../../domain/time/day-range.js';
import { DAY_MS, formatDate } from '../../domain/time/zone.js';
import type { Db } from '../../platform/db/db.js';
import { type Columns, type DayMeasure, dayMeasures, sumHours, sumUtcDaysAndEdges } from './queries.js';

/** Each measure day by day; what was not asked for is zero. */
export type DaySums = Record<DayMeasure, Float64Array>;

/** What the totals by UTC day have. */
const utcMeasures = new Set<DayMeasure>(['impressions', 'clicks', 'revenueMicros']);

/** Only the measures a report shows, from the coarsest totals that have them: over ten years both are felt. */
export async function sumPublisherDays(db: Db, publisherId: string, range: DayRange, measures: readonly DayMeasure[]): Promise<DaySums> {
  if (measures.every((measure) => utcMeasures.has(measure))) return sumAroundUtcDays(db, publisherId, range, measures);
  const sums = noSums(range);
  for (const row of await sumHours(db, publisherId, range, measures)) for (const measure of measures) sums[measure][row.day - 1] = row[measure] ?? 0;
  return sums;
}

function noSums(range: DayRange): DaySums {
  // One entry for every measure there is.
  return Object.fromEntries(dayMeasures.map((measure) => [measure, new Float64Array(range.dates.length)])) as DaySums;
}

/**
 * Counts up to the start of each local day: all UTC days before the nearest midnight, then forwards or back over the edge. A day is the
 * difference of two such counts, whatever its length.
 */
async function sumAroundUtcDays(db: Db, publisherId: string, range: DayRange, measures: readonly DayMeasure[]): Promise<DaySums> {
  const { midnights, hours, rests } = dayEdges(range.boundaries);
  const [first = 0, end = 0] = [midnights[0], midnights.at(-1)];
  const found = await sumUtcDaysAndEdges(db, publisherId, { first: formatDate(first), end: formatDate(end) }, { hours, rests }, measures);
  const sums = noSums(range);
  for (const measure of measures) {
    const before = countsBefore(found.days, measure, (end - first) / DAY_MS);
    const counts = midnights.map((midnight) => before[(midnight - first) / DAY_MS] ?? 0);
    addEdges(counts, hours, found.hours, measure);
    addEdges(counts, rests, found.rests, measure);
    for (let day = 0; day < range.dates.length; day += 1) sums[measure][day] = (counts[day + 1] ?? 0) - (counts[day] ?? 0);
  }
  return sums;
}

/** Sums of the first 0, 1, 2, … UTC days. */
function countsBefore(columns: Columns | undefined, measure: DayMeasure, days: number): Float64Array {
  const before = new Float64Array(days + 1);
  eachNumber(columns, measure, (day, value) => (before[day + 1] = value));
  for (let day = 1; day <= days; day += 1) before[day] = (before[day] ?? 0) + (before[day - 1] ?? 0);
  return before;
}

function addEdges(counts: number[], edges: readonly Edge[], columns: Columns | undefined, measure: DayMeasure): void {
  eachNumber(columns, measure, (position, value) => {
    const edge = edges[position - 1];
    if (edge !== undefined) counts[edge.index] = (counts[edge.index] ?? 0) + edge.sign * value;
  });
}

function eachNumber(columns: Columns | undefined, measure: DayMeasure, take: (at: number, value: number) => void): void {
  const [at, values]: [number[], number[]] = [[], []];
  const count = readNumbers(columns?.at ?? null, at);
  readNumbers(columns?.[measure] ?? null, values);
  for (let index = 0; index < count; index += 1) take(at[index] ?? 0, values[index] ?? 0);
}
