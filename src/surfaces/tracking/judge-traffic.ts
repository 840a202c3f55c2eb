import { createBoundedCache } from '../../platform/bounded-cache.js';

export type InvalidReason =
  'bot' | 'assistant_agent' | 'no_agent' | 'data_centre' | 'late' | 'too_fast' | 'too_many';

export interface Beacon {
  kind: 'impression' | 'click';
  serveId: string;
  servedAt: number;
  at: number;
  /** Null when unknown or private: nothing can be said about its rate. */
  address: string | null;
  /** Sent from a network of machines, not of people. */
  isHosted: boolean;
  bot: null | 'crawler' | 'user_agent_bot' | 'empty';
}

export interface TrafficRules {
  impressionWindowMs: number;
  /** A person needs longer than this between seeing and clicking. */
  minClickDelayMs: number;
  impressionsPerMinute: number;
  clicksPerMinute: number;
}

export const trafficRules: Omit<TrafficRules, 'impressionWindowMs'> = {
  minClickDelayMs: 100,
  impressionsPerMinute: 3000,
  clicksPerMinute: 120,
};

/**
 * Tells traffic that must not count, with the reason. Remembers only a minute of rates and the
 * latest impressions, on this node.
 */
export function createTrafficJudge(rules: TrafficRules): (beacon: Beacon) => InvalidReason | null {
  const seen = createBoundedCache<string, number>(100_000);
  const rates = createBoundedCache<string, { minute: number; count: number }>(100_000);

  function tooMany(beacon: Beacon): boolean {
    if (beacon.address === null) return false;
    const minute = Math.floor(beacon.at / 60_000);
    const key = `${beacon.kind}:${beacon.address}`;
    const rate = rates.get(key);
    const count = rate !== undefined && rate.minute === minute ? rate.count + 1 : 1;
    rates.set(key, { minute, count });
    return (
      count > (beacon.kind === 'impression' ? rules.impressionsPerMinute : rules.clicksPerMinute)
    );
  }

  return (beacon) => {
    if (beacon.bot === 'empty') return 'no_agent';
    if (beacon.bot === 'crawler') return 'bot';
    if (beacon.bot === 'user_agent_bot') return 'assistant_agent';
    if (beacon.isHosted) return 'data_centre';
    if (beacon.kind === 'impression') {
      if (beacon.at > beacon.servedAt + rules.impressionWindowMs) return 'late';
      if (seen.get(beacon.serveId) === undefined) seen.set(beacon.serveId, beacon.at);
    } else {
      const shownAt = seen.get(beacon.serveId);
      if (shownAt !== undefined && beacon.at - shownAt < rules.minClickDelayMs) return 'too_fast';
    }
    return tooMany(beacon) ? 'too_many' : null;
  };
}
