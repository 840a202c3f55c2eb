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

/** One row each of what is counted, put together when it is counted for the first time. */
class Tallies {
  readonly counts = new Map<string, ReadingDay>();
  readonly places = new Map<string, RequestDay>();

  count(publisherId: string, day: string, outcome: string): ReadingDay {
    const key = `${publisherId} ${day} ${outcome}`;
    let known = this.counts.get(key);
    if (known === undefined)
      this.counts.set(key, (known = { publisherId, day, outcome, requests: 0, unread: 0 }));
    return known;
  }

  place(publisherId: string, day: string, country: string, device: string): RequestDay {
    const key = `${publisherId} ${day} ${country} ${device}`;
    let known = this.places.get(key);
    if (known === undefined)
      this.places.set(key, (known = { publisherId, day, country, device, requests: 0, wins: 0 }));
    return known;
  }

  addCount({ publisherId, day, outcome, requests, unread }: ReadingDay): void {
    const known = this.count(publisherId, day, outcome);
    known.requests += requests;
    known.unread += unread;
  }

  addPlace({ publisherId, day, country, device, requests, wins }: RequestDay): void {
    const known = this.place(publisherId, day, country, device);
    known.requests += requests;
    known.wins += wins;
  }
}

/** What became of requests since it was last written down. */
export function createReadingCounts(db: Db, metrics: Metrics) {
  let tallies = new Tallies();
  const { outcomes, unread } = requestCounters(metrics);

  return {
    count({ publisherId, now, outcome, isUnread, country, device, wins }: AnsweredRequest): void {
      const day = formatDate(now);
      const count = tallies.count(publisherId, day, outcome);
      count.requests += 1;
      if (isUnread) count.unread += 1;
      const place = tallies.place(publisherId, day, country ?? '', device ?? '');
      place.requests += 1;
      place.wins += wins;
      outcomes.inc({ outcome });
      if (isUnread) unread.inc();
    },
    async save(): Promise<void> {
      const rows = [...tallies.counts.values()];
      const asked = [...tallies.places.values()];
      tallies = new Tallies();
      // What cannot be written is kept for the next round.
      try {
        await addReadingDays(db, rows);
      } catch (error) {
        for (const row of rows) tallies.addCount(row);
        for (const row of asked) tallies.addPlace(row);
        throw error;
      }
      try {
        await addRequestDays(db, asked);
      } catch (error) {
        for (const row of asked) tallies.addPlace(row);
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
