// Which ads are surely worse than the rest of their group.

export interface AdResult {
  readonly adId: string;
  readonly impressions: number;
  readonly clicks: number;
}

export interface LoserRules {
  /** Below this an ad has not been tried. */
  readonly leastImpressions: number;
  /** How sure it must be that the ad is worse. */
  readonly certainty: number;
  /** And by how much: a small difference is not worth a new ad. */
  readonly atMostShare: number;
}

export const loserRules: LoserRules = { leastImpressions: 500, certainty: 0.95, atMostShare: 0.8 };

/** How many impressions' worth of the group's own rate every ad starts with. */
const priorImpressions = 100;

/**
 * Each ad against all its siblings together. Click rates are Beta-distributed around the group's
 * rate; with hundreds of
 * impressions the difference of two is near enough to normal. Worst first.
 */
export function findLosers(
  results: readonly AdResult[],
  rules: LoserRules = loserRules,
): AdResult[] {
  const all = sum(results);
  if (all.clicks === 0) return [];
  const groupRate = all.clicks / all.impressions;
  const judged = results.flatMap((result) => {
    const rest = {
      impressions: all.impressions - result.impressions,
      clicks: all.clicks - result.clicks,
    };
    if (result.impressions < rules.leastImpressions || rest.impressions < rules.leastImpressions)
      return [];
    const own = posterior(result, groupRate);
    const others = posterior(rest, groupRate);
    const chance = normalCdf((others.mean - own.mean) / Math.sqrt(own.variance + others.variance));
    return chance >= rules.certainty && own.mean <= others.mean * rules.atMostShare
      ? [{ result, rate: own.mean }]
      : [];
  });
  return judged.sort((a, b) => a.rate - b.rate).map(({ result }) => result);
}

/** Tried ads by the rate that can be believed, best first. */
export function rankAds(results: readonly AdResult[]): AdResult[] {
  const all = sum(results);
  const rate = (result: AdResult): number =>
    posterior(result, all.impressions === 0 ? 0 : all.clicks / all.impressions).mean;
  return results.filter((result) => result.impressions > 0).sort((a, b) => rate(b) - rate(a));
}

function posterior(
  { impressions, clicks }: { impressions: number; clicks: number },
  rate: number,
): { mean: number; variance: number } {
  const yes = Math.max(0, clicks) + priorImpressions * rate;
  const total = Math.max(impressions, clicks) + priorImpressions;
  const mean = yes / total;
  return { mean, variance: (mean * (1 - mean)) / (total + 1) };
}

function sum(results: readonly AdResult[]): { impressions: number; clicks: number } {
  let [impressions, clicks] = [0, 0];
  for (const result of results) {
    impressions += result.impressions;
    clicks += result.clicks;
  }
  return { impressions, clicks };
}

/** Logistic approximation, off by less than 0.0002. */
function normalCdf(z: number): number {
  return 1 / (1 + Math.exp(-(0.07056 * z ** 3 + 1.5976 * z)));
}
