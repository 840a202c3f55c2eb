import { DAY_MS } from './zone.js';

const HOUR_MS = 3_600_000;

/** A stretch between the start of a local day and the UTC midnight next to it. */
export interface Edge {
  /** Which start of a day, as an index into the boundaries. */
  index: number;
  from: number;
  to: number;
  /** 1 when the day starts after that midnight, -1 when before. */
  sign: 1 | -1;
}

export interface DayEdges {
  /** The UTC midnight nearest to each start of a day. */
  midnights: number[];
  /** Whole UTC hours, and the rest beside them: together the way from a midnight to the start of the day. */
  hours: Edge[];
  rests: Edge[];
}

/** How the starts of local days lie beside those of UTC days, so that totals of UTC days can serve any zone: only the edges are counted finer. */
export function dayEdges(boundaries: readonly number[]): DayEdges {
  const edges: DayEdges = { midnights: [], hours: [], rests: [] };
  boundaries.forEach((boundary, index) => {
    const midnight = Math.round(boundary / DAY_MS) * DAY_MS;
    const sign = boundary > midnight ? 1 : -1;
    const hour = sign * Math.floor((sign * boundary) / HOUR_MS) * HOUR_MS;
    edges.midnights.push(midnight);
    if (hour !== midnight) edges.hours.push({ index, from: Math.min(midnight, hour), to: Math.max(midnight, hour), sign });
    if (hour !== boundary) edges.rests.push({ index, from: Math.min(hour, boundary), to: Math.max(hour, boundary), sign });
  });
  return edges;
}
