import { rateBounds } from './rate-bounds.js';

/** What a publisher's counted traffic of some days looks like. */
export interface PublisherTraffic {
  publisherId: string;
  impressions: number;
  clicks: number;
  /** Clicks sooner after their impression than people are. */
  fastClicks: number;
  /** Impressions whose country is known twice: as the publisher declared it, and by the beacon. */
  placed: number;
  displaced: number;
  /** Trusted conversions credited to the clicks. */
  conversions: number;
}

export type TrafficRule =
  | 'click_rate'
  | 'time_to_click'
  | 'impossible_geography'
  | 'conversion_rate_low'
  | 'conversion_rate_high';

export interface TrafficVerdict {
  publisherId: string;
  rule: TrafficRule;
  /** The publisher's rate, and the usual one of the network. */
  rate: number;
  usual: number;
}

/** What is usual where too few publishers have traffic to say. */
const expected = { clickRate: 0.03, fast: 0.02, displaced: 0.03, conversionRate: 0 };
const fewest = { impressions: 200, clicks: 30, publishers: 4, conversions: 12 };

/**
 * Tells publishers whose figures people cannot make, against the middle of the network, which a few
 * dishonest ones cannot move. A bound of confidence stands between a rate and its judgement: few
 * events prove nothing.
 */
export function judgePublishers(traffic: readonly PublisherTraffic[]): TrafficVerdict[] {
  const usual = {
    clickRate: middle(traffic, (one) => [one.clicks, one.impressions], fewest.impressions),
    fast: middle(traffic, (one) => [one.fastClicks, one.clicks], fewest.clicks),
    displaced: middle(traffic, (one) => [one.displaced, one.placed], fewest.impressions),
    conversionRate: middle(traffic, (one) => [one.conversions, one.clicks], fewest.clicks),
  };
  return traffic.flatMap((one) => {
    const rule = (
      name: TrafficRule,
      hits: number,
      trials: number,
      normal: number,
    ): TrafficVerdict => ({
      publisherId: one.publisherId,
      rule: name,
      rate: trials === 0 ? 0 : hits / trials,
      usual: normal,
    });
    const clickRate = usual.clickRate ?? expected.clickRate;
    if (
      one.clicks >= fewest.clicks &&
      rateBounds(one.clicks, one.impressions).low > Math.max(0.1, 3 * clickRate)
    )
      return [rule('click_rate', one.clicks, one.impressions, clickRate)];
    const fast = usual.fast ?? expected.fast;
    if (rateBounds(one.fastClicks, one.clicks).low > Math.max(0.15, 4 * fast))
      return [rule('time_to_click', one.fastClicks, one.clicks, fast)];
    const displaced = usual.displaced ?? expected.displaced;
    if (rateBounds(one.displaced, one.placed).low > Math.max(0.2, 4 * displaced))
      return [rule('impossible_geography', one.displaced, one.placed, displaced)];
    return judgeConversions(one, usual.conversionRate ?? expected.conversionRate);
  });
}

/** Clicks that hardly ever lead to anything are not people's; nor are those that nearly always do. */
function judgeConversions(one: PublisherTraffic, usual: number): TrafficVerdict[] {
  const { low, high } = rateBounds(one.conversions, one.clicks);
  const verdict = (rule: TrafficRule): TrafficVerdict[] => [
    { publisherId: one.publisherId, rule, rate: one.conversions / one.clicks, usual },
  ];
  if (usual > 0 && one.clicks * usual >= fewest.conversions && high < usual / 2)
    return verdict('conversion_rate_low');
  if (usual > 0 && one.conversions >= fewest.conversions && low > Math.max(0.25, 4 * usual))
    return verdict('conversion_rate_high');
  return [];
}

/** The median rate of publishers with enough to say; null with too few of them. */
function middle(
  traffic: readonly PublisherTraffic[],
  of: (one: PublisherTraffic) => [hits: number, trials: number],
  enough: number,
): number | null {
  const rates = traffic
    .map(of)
    .filter(([, trials]) => trials >= enough)
    .map(([hits, trials]) => hits / trials)
    .sort((a, b) => a - b);
  return rates.length < fewest.publishers
    ? null
    : (rates[Math.floor((rates.length - 1) / 2)] ?? null);
}
