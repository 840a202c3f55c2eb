import type { CountRow } from './queries.js';

/**
 * Of one ad, by topic. What was taken back may have been counted under another topic than its own
 * (a node that did not serve the ad knows none) or not be stored yet: what a topic lacks is taken
 * from what is known whatever the topic, then from the others, and nothing is ever below zero.
 */
export function netCounts(rows: readonly CountRow[]): CountRow[] {
  const byTopic = new Map<string, CountRow>();
  for (const row of rows) {
    const sum = byTopic.get(row.topic);
    byTopic.set(row.topic, sum === undefined ? { ...row } : added(sum, row));
  }
  const [first, ...others] = [...byTopic.values()].sort((a, b) => (a.topic < b.topic ? -1 : 1));
  if (first === undefined) return [];
  const net = [first, ...others];
  for (const what of ['impressions', 'clicks', 'conversions'] as const) {
    let lacking = 0;
    for (const row of net) {
      lacking += Math.max(0, -row[what]);
      row[what] = Math.max(0, row[what]);
    }
    for (const row of net) {
      const taken = Math.min(lacking, row[what]);
      row[what] -= taken;
      lacking -= taken;
    }
  }
  return net;
}

function added(a: CountRow, b: CountRow): CountRow {
  return {
    ...a,
    impressions: a.impressions + b.impressions,
    clicks: a.clicks + b.clicks,
    conversions: a.conversions + b.conversions,
  };
}
