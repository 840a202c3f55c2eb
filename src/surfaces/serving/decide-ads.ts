import type { Candidate } from '../../domain/decision/candidate.js';
import type { ClickModel } from '../../domain/decision/click-model.js';
import type { CampaignCounts } from '../../domain/decision/frequency-cap.js';
import { type AuctionResult, runAuction, type Winner } from '../../domain/decision/run-auction.js';
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
  offers: Map<string, Offer>;
}

/** What a winner without competition pays, per thousand impressions, unless it offered less. */
export const reserveCpmMicros = 500_000;

/** From matches to winners, in memory, without I/O: the same input gives the same answer. */
export function decideAds(input: DecisionInput): Decision {
  const found: Found[] = [];
  const offers = new Map<string, Offer>();
  for (const { slot, relevance } of input.matches) {
    const offer = input.offerOf(slot);
    if (offer === undefined) continue;
    for (const candidate of offer.candidates) {
      found.push({ candidate, relevance });
      offers.set(candidate.adId, offer);
    }
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
  return { ...result, rejected, offers };
}

/** The decision as an operator reads it later: who took part, with which numbers, and why the others lost. No conversation text. */
export function explainDecision(decision: Decision, limit: number): Record<string, unknown>[] {
  const won = decision.winners.map((winner) => ({ ...numbersOf(winner.entry, winner.score), outcome: 'won', placement: winner.placement, price_micros: winner.priceMicros, charge: winner.charge, basis: winner.basis, runner_up_score: round(winner.runnerUpScore) }));
  const lost = [...decision.losers].sort((a, b) => b.score - a.score).map((loser) => ({ ...numbersOf(loser.entry, loser.score), outcome: loser.reason }));
  const out = decision.rejected.map(({ candidate, relevance, reason }) => ({ ad_id: candidate.adId, campaign_id: candidate.campaignId, relevance: round(relevance), outcome: reason }));
  return [...won, ...lost, ...out].slice(0, limit);
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
