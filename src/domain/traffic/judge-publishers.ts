import { atMost, rateBounds } from './rate-bounds.js';

/** What a publisher's counted traffic of some days looks like. */
export interface PublisherTraffic {
  publisherId: string;
  impressions: number;
  /** Of ads whose advertisers tell of purchases, so that a missing one says something. */
  toldImpressions: number;
  clicks: number;
  /** Clicks the impressions would have had at the rate of others in the same places. */
  expectedClicks: number;
  /** Clicks sooner after their impression than people are. */
  fastClicks: number;
  /** Impressions whose country is known twice: as the publisher declared it, and by the beacon. */
  placed: number;
  displaced: number;
  /** Clicks with a trusted conversion, and with one a pixel claims. */
  converted: number;
  claimed: number;
  /**
   * Of clicks long enough ago, of advertisers others sent clicks to as well: those with a trusted
   * conversion, and how many that would be at the rate of others.
   */
  settledConversions: number;
  expectedConversions: number;
  /**
   * The same of all advertisers that tell of purchases but the one whose word speaks most for the
   * publisher, which may be its own; of each at most twice what is due there.
   */
  elsewhereConversions: number;
  elsewhereDue: number;
  /** Some of this traffic was found out before. */
  wasFound: boolean;
}

export type TrafficRule =
  | 'click_rate'
  | 'click_rate_low'
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
const fewest = {
  impressions: 200,
  clicks: 30,
  clicksDue: 20,
  publishers: 4,
  conversions: 12,
  due: 5,
};
/** The middle of many small figures is steadier than each of them. */
const fewestExpected = 2;
const rounds = 5;

/** The middle of the network: what others make of the same ads in the same places. */
interface Usual {
  /** Clicks for each that was expected; null where too few publishers tell. */
  clicks: number | null;
  fast: number;
  displaced: number;
  /** Conversions for each that was expected; null where too few publishers tell. */
  conversions: number | null;
  converted: number;
  claimed: number;
}

/**
 * Tells publishers whose figures people cannot make, against the middle of the network, which a few
 * dishonest ones cannot move; who was told apart no longer counts to it. A bound of confidence
 * stands between a rate and its judgement: few events prove nothing.
 */
export function judgePublishers(traffic: readonly PublisherTraffic[]): TrafficVerdict[] {
  let verdicts: TrafficVerdict[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const found = new Set(verdicts.map(({ publisherId }) => publisherId));
    const usual = usualOf(traffic.filter(({ publisherId }) => !found.has(publisherId)));
    const next = traffic.flatMap((one) => judge(one, usual) ?? []);
    // Whoever was found stays so: without them the middle is where it belongs.
    const kept = verdicts.filter(
      (old) => !next.some(({ publisherId }) => publisherId === old.publisherId),
    );
    const isSettled = next.length + kept.length === verdicts.length;
    verdicts = [...kept, ...next];
    if (isSettled) break;
  }
  return verdicts;
}

function usualOf(traffic: readonly PublisherTraffic[]): Usual {
  const { impressions, clicks } = fewest;
  return {
    clicks: middle(
      traffic.filter((one) => one.impressions >= impressions),
      (one) => [one.clicks, one.expectedClicks],
      1,
    ),
    fast: middle(traffic, (one) => [one.fastClicks, one.clicks], clicks) ?? expected.fast,
    displaced:
      middle(traffic, (one) => [one.displaced, one.placed], impressions) ?? expected.displaced,
    conversions: usualConversions(traffic),
    converted:
      middle(traffic, (one) => [one.converted, one.clicks], clicks) ?? expected.conversionRate,
    claimed: middle(traffic, (one) => [one.claimed, one.clicks], clicks) ?? 0,
  };
}

function judge(one: PublisherTraffic, usual: Usual): TrafficVerdict | null {
  const told = (
    rule: TrafficRule,
    hits: number,
    trials: number,
    normal: number,
  ): TrafficVerdict => ({
    publisherId: one.publisherId,
    rule,
    rate: trials === 0 ? 0 : hits / trials,
    usual: normal,
  });
  const clickRate = clickRateOf(one, usual);
  if (
    one.clicks >= fewest.clicks &&
    rateBounds(one.clicks, one.impressions).low > Math.max(0.1, 3 * clickRate)
  )
    // Told is what the others made; judged was by their middle, which the worst do not move.
    return told(
      'click_rate',
      one.clicks,
      one.impressions,
      Math.max(clickRate, one.expectedClicks / one.impressions),
    );
  const clicksDue = one.impressions * clickRate;
  // Ads that are seen are clicked now and then: views that never are were nobody's.
  if (
    usual.clicks !== null &&
    clicksDue >= fewest.clicksDue &&
    atMost(one.clicks, clicksDue * 0.1) < 0.0005
  )
    return told('click_rate_low', one.clicks, clicksDue, 1);
  if (rateBounds(one.fastClicks, one.clicks).low > Math.max(0.15, 4 * usual.fast))
    return told('time_to_click', one.fastClicks, one.clicks, usual.fast);
  if (rateBounds(one.displaced, one.placed).low > Math.max(0.2, 4 * usual.displaced))
    return told('impossible_geography', one.displaced, one.placed, usual.displaced);
  if (hasTooFewConversions(one, usual, clickRate)) {
    const due = one.expectedConversions * (usual.conversions ?? 0);
    return told('conversion_rate_low', one.settledConversions, due, 1);
  }
  // Nearly every click leads to something, as the advertiser's server or its page says.
  for (const [hits, normal] of [
    [one.converted, usual.converted],
    [one.claimed, usual.claimed],
  ] as const)
    if (
      hits >= fewest.conversions &&
      (normal > 0 || hits === one.claimed) &&
      rateBounds(hits, one.clicks).low > Math.max(0.25, 4 * normal)
    )
      return told('conversion_rate_high', hits, one.clicks, normal);
  return null;
}

function clickRateOf(one: PublisherTraffic, usual: Usual): number {
  return usual.clicks === null || one.expectedClicks === 0
    ? expected.clickRate
    : (usual.clicks * one.expectedClicks) / one.impressions;
}

/**
 * Clicks that hardly ever lead to anything are not people's. Less than half of what is usual may be
 * bad luck or another audience; with more clicks than others make besides, less doubt is left, and
 * less still about somebody found out before.
 */
function hasTooFewConversions(one: PublisherTraffic, usual: Usual, clickRate: number): boolean {
  if (usual.conversions === null) return false;
  const due = one.expectedConversions * usual.conversions;
  if (due >= fewest.conversions && atMost(one.settledConversions, due * 0.35) < 0.0005) return true;
  return (
    due >= fewest.due &&
    (one.wasFound || rateBounds(one.clicks, one.impressions).low > 1.5 * clickRate) &&
    atMost(one.settledConversions, due * 0.5) < (one.wasFound ? 0.05 : 0.005)
  );
}

/**
 * Single figures of few conversions are unsteady: all are taken together, but for those far below
 * the middle.
 */
function usualConversions(traffic: readonly PublisherTraffic[]): number | null {
  const median = middle(
    traffic,
    (one) => [one.settledConversions, one.expectedConversions],
    fewestExpected,
  );
  if (median === null) return null;
  let conversions = 0;
  let due = 0;
  for (const { settledConversions, expectedConversions } of traffic) {
    if (settledConversions < (expectedConversions * median) / 2) continue;
    conversions += settledConversions;
    due += expectedConversions;
  }
  return due === 0 ? null : conversions / due;
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
