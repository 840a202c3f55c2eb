import type { Candidate } from '../../src/domain/decision/candidate.js';
import { createRandom } from '../../src/domain/decision/seeded-random.js';
import { makeCandidate, perClick, perImpression } from './make-candidate.js';

export const DAY = 86_400_000;
const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Australia/Adelaide'];

export type Campaign = {
  candidate: Candidate;
  zone: string;
  topics: Set<number>;
  affinity: number;
  appeal: number;
  budget: number;
  multiplier: number;
  /** Expected cost of ads that are out. */
  expected: number;
};

/** Without `budgets` nobody has a limit. */
export function makeCampaigns(
  seed: number,
  count: number,
  topics: number,
  budgets: readonly number[] | null,
): Campaign[] {
  const random = createRandom(seed);
  const all = Array.from({ length: count }, (_, i): Campaign => {
    const value = Math.exp(0.6 * (random() - 0.5));
    const bid =
      i % 4 === 3 ? perClick(Math.round(250_000 * value)) : perImpression(Math.round(8000 * value));
    const own = new Set<number>();
    while (own.size < 3) own.add(Math.floor(random() * topics));
    return {
      candidate: makeCandidate(`${i}`, i, bid),
      zone: ZONES[(i >> 2) % ZONES.length] ?? 'UTC',
      topics: own,
      affinity: 0.5 + 0.4 * random(),
      appeal: Math.exp(0.8 * (random() - 0.5)),
      budget: budgets === null ? Number.MAX_SAFE_INTEGER : (budgets[i] ?? 0),
      multiplier: 0.5,
      expected: 0,
    };
  });
  // A budget of a few events cannot be spread over a day, whoever paces it.
  return all.filter((campaign) => campaign.budget >= 50 * campaign.candidate.bid.amountMicros);
}

/**
 * Requests in the minute that starts at an instant: quiet nights, two busy spells, and every
 * quarter hour a little off its usual.
 */
export function createTraffic(
  requestsPerDay: number,
  random: () => number,
): (instant: number) => number {
  const jitter = Array.from({ length: 96 * 7 }, () => Math.exp(0.25 * (random() - 0.5)));
  const usual = (instant: number) => {
    const hour = (instant % DAY) / 3_600_000;
    return 0.35 + 0.8 * Math.exp(-(((hour - 11) / 3) ** 2)) + Math.exp(-(((hour - 20) / 2.5) ** 2));
  };
  let total = 0;
  for (let minute = 0; minute < 1440; minute++) total += usual(minute * 60_000);
  return (instant) =>
    poisson(
      (requestsPerDay *
        usual(instant) *
        (jitter[Math.floor(instant / 900_000) % jitter.length] ?? 1)) /
        total,
      random,
    );
}

function poisson(mean: number, random: () => number): number {
  if (mean > 30)
    return Math.max(
      0,
      Math.round(
        mean +
          Math.sqrt(mean) *
            Math.sqrt(-2 * Math.log(random() + 1e-12)) *
            Math.cos(2 * Math.PI * random()),
      ),
    );
  let product = random();
  let events = 0;
  for (const limit = Math.exp(-mean); product > limit; product *= random()) events++;
  return events;
}
