import type { PublisherTraffic } from './judge-publishers.js';

/** What a publisher's people bought, against what others' clicks to the same advertisers led to. */
export interface Evidence {
  publisherId: string;
  conversions: number;
  expectedConversions: number;
  isProven: boolean;
}

/** So many publishers' clicks lead to purchases before a missing one says anything. */
const fewestTellers = 3;
const fewestConversions = 1;
/** Of what others' clicks lead to: less may be another audience, far less is nobody. */
const leastShare = 0.35;

/**
 * Whose traffic is shown to be people's by what they bought. Few clicks convict nobody, and money
 * once paid is gone: until then earnings wait. Says nothing of a network, or of a publisher, whose
 * advertisers tell of no purchases.
 */
export function weighEvidence(
  traffic: readonly PublisherTraffic[],
  found: ReadonlySet<string>,
): Evidence[] {
  const tellers = traffic.filter(
    (one) => !found.has(one.publisherId) && one.settledConversions >= fewestConversions,
  );
  if (tellers.length < fewestTellers) return [];
  return traffic
    .filter((one) => one.expectedConversions > 0 || one.expectedClicks > 0)
    .map(({ publisherId, settledConversions, expectedConversions, wasFound }) => ({
      publisherId,
      conversions: settledConversions,
      expectedConversions,
      isProven:
        !wasFound &&
        !found.has(publisherId) &&
        settledConversions >= fewestConversions &&
        settledConversions >= expectedConversions * leastShare,
    }));
}
