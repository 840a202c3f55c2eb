import type { Db } from '../../platform/db/db.js';
import { addClickCounts, type CountRow } from './queries.js';

type Result = 'impressions' | 'clicks' | 'conversions';

/**
 * What this node saw since it last told the others: counts by ad and topic, added to the shared
 * ones now and then.
 */
export function createLearning(db: Db) {
  const counts = new Map<string, CountRow>();

  function teach(adId: string, topic: string, what: Result, count = 1): void {
    const key = `${adId} ${topic}`;
    const row = counts.get(key) ?? { adId, topic, impressions: 0, clicks: 0, conversions: 0 };
    row[what] += count;
    counts.set(key, row);
  }

  async function save(): Promise<void> {
    const rows = [...counts.values()];
    counts.clear();
    try {
      await addClickCounts(db, rows);
    } catch (error) {
      // Kept for the next round.
      for (const row of rows)
        for (const what of ['impressions', 'clicks', 'conversions'] as const)
          teach(row.adId, row.topic, what, row[what]);
      throw error;
    }
  }

  return { teach, save };
}
