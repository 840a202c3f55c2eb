import { dayMs } from './utc-day.js';

const HOUR_MS = 3_600_000;

/**
 * Starts of local days, one after the other, that lie equally far from a coarser total: the same
 * stretch of as many UTC days.
 */
export interface EdgeRun {
  /** Which start of a day the first stretch belongs to, as an index into the boundaries. */
  index: number;
  /** The first stretch; the others follow by the day. */
  from: number;
  to: number;
  days: number;
  /** 1 when the stretch leads forwards to the start of the day, -1 when back. */
  sign: 1 | -1;
}

/**
 * How the starts of local days lie beside those of UTC days, so that totals of UTC days can serve
 * any zone: only the edges are counted finer.
 */
export interface DayEdges {
  /** UTC midnights: the totals of UTC days from the first to before the end are needed. */
  first: number;
  end: number;
  /** The local day each of these UTC days is counted for before the edges are moved. */
  owners: Int32Array;
  /**
   * From each midnight the whole hours to the hour nearest to the start of the day, and the rest of
   * the way.
   */
  hours: EdgeRun[];
  rests: EdgeRun[];
}

export function dayEdges(boundaries: readonly number[]): DayEdges {
  const midnights = boundaries.map((boundary) => Math.round(boundary / dayMs) * dayMs);
  const [first = 0, end = 0] = [midnights[0], midnights.at(-1)];
  const edges: DayEdges = { first, end, owners: ownersOf(midnights), hours: [], rests: [] };
  boundaries.forEach((boundary, index) => {
    const midnight = midnights[index] ?? 0;
    const hour = Math.round(boundary / HOUR_MS) * HOUR_MS;
    addStretch(edges.hours, index, midnight, hour);
    addStretch(edges.rests, index, hour, boundary);
  });
  return edges;
}

function ownersOf(midnights: readonly number[]): Int32Array {
  const first = midnights[0] ?? 0;
  const owners = new Int32Array(((midnights.at(-1) ?? 0) - first) / dayMs);
  midnights.forEach((midnight, day) => owners.fill(day, (midnight - first) / dayMs));
  return owners;
}

function addStretch(runs: EdgeRun[], index: number, start: number, goal: number): void {
  if (start === goal) return;
  const sign = goal > start ? 1 : -1;
  const [from, to] = sign === 1 ? [start, goal] : [goal, start];
  const last = runs.at(-1);
  const shift = last === undefined ? 0 : last.days * dayMs;
  if (
    last !== undefined &&
    last.sign === sign &&
    last.index + last.days === index &&
    last.from + shift === from &&
    last.to + shift === to
  )
    last.days += 1;
  else runs.push({ index, from, to, days: 1, sign });
}

/** For totals that know no hours. */
export function edgeRuns({ hours, rests }: DayEdges): EdgeRun[] {
  return [...hours, ...rests];
}

/**
 * What was counted in the stretch of a run's n-th day: moved from the day it was counted for to the
 * one it belongs to.
 */
export function moveEdge(sums: Float64Array, run: EdgeRun, day: number, value: number): void {
  const index = run.index + day;
  if (index > 0) sums[index - 1] = (sums[index - 1] ?? 0) + run.sign * value;
  if (index < sums.length) sums[index] = (sums[index] ?? 0) - run.sign * value;
}
