import type { Db } from '../../../platform/db/db.js';
import type { Metrics } from '../../../platform/metrics.js';
import { addReadingDays, type ReadingDay } from './reading-queries.js';

/** What became of requests since it was last written down. */
export function createReadingCounts(db: Db, metrics: Metrics) {
  let counts = new Map<string, ReadingDay>();
  const outcomes = metrics.counter(
    'sidelight_ad_requests_total',
    'Requests for ads by what became of them',
    ['outcome'],
  );
  const unread = metrics.counter(
    'sidelight_ad_requests_unread_total',
    'Requests in a language the model does not read',
  );

  function add(row: ReadingDay): void {
    const key = `${row.publisherId} ${row.day} ${row.outcome}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { ...row });
    else {
      known.requests += row.requests;
      known.unread += row.unread;
    }
  }

  return {
    count(publisherId: string, now: number, outcome: string, isUnread: boolean): void {
      const day = new Date(now).toISOString().slice(0, 10);
      add({ publisherId, day, outcome, requests: 1, unread: isUnread ? 1 : 0 });
      outcomes.inc({ outcome });
      if (isUnread) unread.inc();
    },
    async save(): Promise<void> {
      const rows = [...counts.values()];
      counts = new Map();
      try {
        await addReadingDays(db, rows);
      } catch (error) {
        // Kept for the next round.
        for (const row of rows) add(row);
        throw error;
      }
    },
  };
}

export type ReadingCounts = ReturnType<typeof createReadingCounts>;
