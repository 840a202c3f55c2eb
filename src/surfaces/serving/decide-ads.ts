import type { Candidate } from '../../domain/decision/candidate.js';
import type { ClickModel } from '../../domain/decision/click-model.js';
import type { CampaignCounts } from '../../domain/decision/frequency-cap.js';
import { type AuctionResult, type Loser, runAuction, type Winner } from '../../domain/decision/run-auction.js';
import { type Found, type Rejected, scoreCandidates } from '../../domain/decision/score-candidates.js';
import type { Match } from '../../domain/matching/match.js';
import type { Offer } from './inventory.js';
import type { Audience } from './read-request.js';

export interface DecisionInput {
  now: number;
  seed: number;
  audience: Audience;
  matches: readonly Match[];
  offerOf: (slot: number) => Offer | undefined;
  placements: readonly string[];
  minRelevance: number;
  floorCpmMicros: number;
  topic: string;
  excludedAdvertisers: ReadonlySet<string>;
  dislikedAds: ReadonlySet<string>;
  sessionCounts: CampaignCounts | null;
  userCounts: CampaignCounts | null;
  sessionCap: number;
  userCap: number;
  model: ClickModel;
  room: (candidate: Candidate) => number;
  multiplier: (candidate: Candidate) => number;
}

export interface Decision extends AuctionResult {
  rejected: Rejected[];
  /** The offer an ad that took part belongs to. */
  offerOf: (adId: string) => Offer | undefined;
}

/** What a winner without competition pays, per thousand impressions, unless it offered less. */
export const reserveCpmMicros = 500_000;

/** From matches to winners, in memory, without I/O: the same input gives the same answer. */
export function decideAds(input: DecisionInput): Decision {
  const found: Found[] = [];
  const offers: Offer[] = [];
  for (const { slot, relevance } of input.matches) {
    const offer = input.offerOf(slot);
    if (offer === undefined) continue;
    offers.push(offer);
    for (const candidate of offer.candidates) found.push({ candidate, relevance });
  }
  const { audience, model } = input;
  const { entries, rejected } = scoreCandidates(found, {
    request: {
      now: input.now,
      country: audience.country,
      device: audience.device,
      gender: audience.gender,
      age: audience.age,
      interests: audience.interests,
      excludedAdvertisers: input.excludedAdvertisers,
      dislikedAds: input.dislikedAds,
      sessionCounts: input.sessionCounts,
      userCounts: input.userCounts,
      sessionCap: input.sessionCap,
      userCap: input.userCap,
    },
    model,
    topicSlot: model.topicSlot(input.topic),
    minRelevance: input.minRelevance,
    room: input.room,
    multiplier: input.multiplier,
    seed: input.seed,
  });
  const result = runAuction({
    entries,
    placements: input.placements.map((placement) => ({ factor: model.placementFactor(placement), floorCpmMicros: input.floorCpmMicros })),
    minRelevance: input.minRelevance,
    reserveCpmMicros,
    seed: input.seed,
  });
  // Asked for the few winners only: a search there is cheaper than a map of everyone here.
  return { ...result, rejected, offerOf: (adId) => offers.find((offer) => offer.candidates.some((candidate) => candidate.adId === adId)) };
}

/** The decision as an operator reads it later: who took part, with which numbers, and why the others lost. No conversation text. */
export function explainDecision(decision: Decision, limit: number): Record<string, unknown>[] {
  const won = decision.winners.map((winner) => ({ ...numbersOf(winner.entry, winner.score), outcome: 'won', placement: winner.placement, price_micros: winner.priceMicros, charge: winner.charge, basis: winner.basis, runner_up_score: round(winner.runnerUpScore) }));
  const left = Math.max(0, limit - won.length);
  const lost = best(decision.losers, left).map((loser) => ({ ...numbersOf(loser.entry, loser.score), outcome: loser.reason }));
  const out = decision.rejected.slice(0, left - lost.length).map(({ candidate, relevance, reason }) => ({ ad_id: candidate.adId, campaign_id: candidate.campaignId, relevance: round(relevance), outcome: reason }));
  return [...won, ...lost, ...out].slice(0, limit);
}

/** The highest scores in order, without sorting everyone for the few that are kept. */
function best(losers: readonly Loser[], count: number): Loser[] {
  const kept: Loser[] = [];
  for (const loser of losers) {
    const least = kept[kept.length - 1];
    if (kept.length >= count && (least === undefined || loser.score <= least.score)) continue;
    let at = kept.length;
    while (at > 0 && (kept[at - 1]?.score ?? 0) < loser.score) at -= 1;
    kept.splice(at, 0, loser);
    if (kept.length > count) kept.pop();
  }
  return kept;
}

function numbersOf(entry: Winner['entry'], score: number): Record<string, unknown> {
  return {
    ad_id: entry.candidate.adId,
    campaign_id: entry.candidate.campaignId,
    relevance: round(entry.relevance),
    pctr: round(entry.pctr),
    pcvr: round(entry.pcvr),
    quality: round(entry.quality),
    multiplier: round(entry.multiplier),
    bid_micros: Math.round(entry.bidMicros),
    score: round(score),
  };
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
