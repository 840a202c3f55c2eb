import type { Db } from '../../../platform/db/db.js';
import type { Metrics } from '../../../platform/metrics.js';
import {
  addReadingDays,
  addRequestDays,
  type ReadingDay,
  type RequestDay,
} from './reading-queries.js';
import { formatDate } from '../../../domain/time/zone.js';

/** What became of one request. */
export interface AnsweredRequest {
  publisherId: string;
  now: number;
  /** `served`, or why there was no ad. */
  outcome: string;
  isUnread: boolean;
  country: string | null;
  device: string | null;
  /** How many ads were returned. */
  wins: number;
}

/** What became of requests since it was last written down. */
export function createReadingCounts(db: Db, metrics: Metrics) {
  let counts = new Map<string, ReadingDay>();
  let places = new Map<string, RequestDay>();
  const { outcomes, unread } = requestCounters(metrics);

  function add(row: ReadingDay): void {
    const key = `${row.publisherId} ${row.day} ${row.outcome}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { ...row });
    else {
      known.requests += row.requests;
      known.unread += row.unread;
    }
  }

  function addPlace(row: RequestDay): void {
    const key = `${row.publisherId} ${row.day} ${row.country} ${row.device}`;
    const known = places.get(key);
    if (known === undefined) places.set(key, { ...row });
    else {
      known.requests += row.requests;
      known.wins += row.wins;
    }
  }

  return {
    count({ publisherId, now, outcome, isUnread, country, device, wins }: AnsweredRequest): void {
      const day = formatDate(now);
      add({ publisherId, day, outcome, requests: 1, unread: isUnread ? 1 : 0 });
      addPlace({
        publisherId,
        day,
        country: country ?? '',
        device: device ?? '',
        requests: 1,
        wins,
      });
      outcomes.inc({ outcome });
      if (isUnread) unread.inc();
    },
    async save(): Promise<void> {
      const [rows, asked] = [[...counts.values()], [...places.values()]];
      counts = new Map();
      places = new Map();
      // What cannot be written is kept for the next round.
      try {
        await addReadingDays(db, rows);
      } catch (error) {
        for (const row of rows) add(row);
        for (const row of asked) addPlace(row);
        throw error;
      }
      try {
        await addRequestDays(db, asked);
      } catch (error) {
        for (const row of asked) addPlace(row);
        throw error;
      }
    },
  };
}

function requestCounters(metrics: Metrics) {
  const outcomes = metrics.counter(
    'sidelight_ad_requests_total',
    'Requests for ads by what became of them',
    ['outcome'],
  );
  const unread = metrics.counter(
    'sidelight_ad_requests_unread_total',
    'Requests in a language the model does not read',
  );
  return { outcomes, unread };
}

export type ReadingCounts = ReturnType<typeof createReadingCounts>;
