import { type DayEdges, dayEdges } from '../../../domain/time/day-edges.js';
import { type DayRange, isUtc } from '../../../domain/time/day-range.js';
import type { Db } from '../../../platform/db/db.js';
import {
  type AdGroupDays,
  countQuarters,
  sumDaysAndEdges,
  sumQuarters,
} from './ad-group-queries.js';
import { dayMs } from '../../../domain/time/utc-day.js';

/** Looking up one edge costs about as much as reading this many quarter hours. */
const quartersPerEdge = 10;
const sampleDays = 3;

/**
 * Where the days of groups are read from: `edges` when whole UTC days and their edges, null when
 * quarter hours.
 */
export interface AdGroupReading {
  edges: DayEdges | null;
  days: AdGroupDays[];
}

/**
 * UTC days as they are; in other zones their edges have to be looked up day by day, which pays for
 * groups that are busy most of the time.
 */
export async function readAdGroupDays(
  db: Db,
  advertiserId: string,
  adGroupIds: readonly string[],
  range: DayRange,
): Promise<AdGroupReading> {
  if (!isUtc(range) && !(await areBusy(db, advertiserId, adGroupIds, range)))
    return { edges: null, days: await sumQuarters(db, advertiserId, adGroupIds, range) };
  const edges = dayEdges(range.boundaries);
  return { edges, days: await sumDaysAndEdges(db, advertiserId, adGroupIds, edges) };
}

/** A few days in the middle stand for all. */
async function areBusy(
  db: Db,
  advertiserId: string,
  adGroupIds: readonly string[],
  range: DayRange,
): Promise<boolean> {
  const length = range.dates.length;
  if (length < 4 * sampleDays) return false;
  const from = range.boundaries[Math.floor((length - sampleDays) / 2)] ?? 0;
  return (
    (await countQuarters(
      db,
      advertiserId,
      adGroupIds,
      new Date(from),
      new Date(from + sampleDays * dayMs),
    )) >
    quartersPerEdge * sampleDays * adGroupIds.length
  );
}
