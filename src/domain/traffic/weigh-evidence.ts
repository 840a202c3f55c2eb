import type { PublisherTraffic } from './judge-publishers.js';
import { atMost } from './rate-bounds.js';

/** What a publisher's people bought, against what others' clicks to the same advertisers led to. */
export interface Evidence {
  publisherId: string;
  conversions: number;
  expectedConversions: number;
  isProven: boolean;
}

/** Fewer purchases a click than this, and a missing one says nothing of a small publisher. */
const rarest = 0.01;
/** So many clicks without a single purchase are a network where nobody buys through a click. */
const enoughClicks = 300;
/** Of what others' clicks lead to: less may be another audience, far less is nobody. */
const leastShare = 0.35;
/** Where so many purchases are due at other advertisers there is one. */
const enoughDue = 2;
/** So unlikely is it that people bought so little at all advertisers but one. */
const leastChance = 0.05;

/**
 * Whose traffic is shown to be people's by what they bought. Few clicks convict nobody, and money
 * once paid is gone: until then earnings wait. Says nothing of a publisher most of whose ads are of
 * advertisers that tell of no purchases, and nothing where purchases are rare.
 */
export function weighEvidence(
  traffic: readonly PublisherTraffic[],
  found: ReadonlySet<string>,
): Evidence[] {
  if (areRare(traffic.filter((one) => !found.has(one.publisherId) && !one.wasFound))) return [];
  return traffic
    .filter((one) => one.impressions > 0 && one.toldImpressions * 2 >= one.impressions)
    .map((one) => ({
      publisherId: one.publisherId,
      conversions: one.converted,
      expectedConversions: one.expectedConversions,
      isProven:
        !one.wasFound &&
        !found.has(one.publisherId) &&
        one.converted > 0 &&
        one.settledConversions >= one.expectedConversions * leastShare &&
        areBoughtElsewhere(one),
    }));
}

/** What a single advertiser tells may be told for the publisher's sake. */
function areBoughtElsewhere({ elsewhereConversions, elsewhereDue }: PublisherTraffic): boolean {
  if (elsewhereDue >= enoughDue && elsewhereConversions < 1) return false;
  return atMost(elsewhereConversions, elsewhereDue * leastShare) >= leastChance;
}

/** By those with a purchase alone: clicks of nobody must not make purchases look rare. */
function areRare(traffic: readonly PublisherTraffic[]): boolean {
  const tellers = traffic.filter((one) => one.converted > 0);
  const sum = (list: readonly PublisherTraffic[], of: (one: PublisherTraffic) => number): number =>
    list.reduce((total, one) => total + of(one), 0);
  return tellers.length === 0
    ? sum(traffic, ({ clicks }) => clicks) >= enoughClicks
    : sum(tellers, ({ converted }) => converted) < sum(tellers, ({ clicks }) => clicks) * rarest;
}
