import type { Candidate } from '../../../domain/decision/candidate.js';
import type { ClickModel } from '../../../domain/decision/click-model.js';
import type { Sheet } from '../../../domain/decision/contenders.js';
import type { CampaignCounts } from '../../../domain/decision/frequency-cap.js';
import type { EligibilityRequest } from '../../../domain/decision/eligibility.js';
import {
  type AuctionResult,
  reserveCpmMicros,
  runAuction,
} from '../../../domain/decision/run-auction.js';
import {
  type Rejected,
  Scoring,
  type ScoringContext,
} from '../../../domain/decision/score-candidates.js';
import type { Match } from '../../../domain/matching/match.js';
import { shifted } from '../../../domain/reading/calibration.js';
import type { Offer } from '../inventory/inventory.js';
import type { Audience } from '../read-request.js';

export interface DecisionInput {
  now: number;
  seed: number;
  audience: Audience;
  matches: readonly Match[];
  /** Moves every stated relevance: what was learned of this publisher and its places. */
  calibrationOffset: number;
  /** Offers nobody under age is shown. */
  isForAdults: (slot: number) => boolean;
  offerOf: (slot: number) => Offer | undefined;
  placements: readonly string[];
  minRelevance: number;
  floorCpmMicros: number;
  topic: string;
  category: string | null;
  publisherId: string;
  variantOf: EligibilityRequest['variantOf'];
  excludedAdvertisers: ReadonlySet<string>;
  dislikedAds: ReadonlySet<string>;
  sessionCounts: CampaignCounts | null;
  isUncounted?: boolean;
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

/**
 * From matches to winners, in memory, without I/O: the same input gives the same answer. On a sheet
 * that is shared, who lost is told until the next decision.
 */
export function decideAds(input: DecisionInput, sheet?: Sheet): Decision {
  const offers: Offer[] = [];
  const { audience, model } = input;
  const context = {
    request: askedOf(input),
    model,
    topicIndex: model.topicIndex(input.topic),
    minRelevance: input.minRelevance,
    room: input.room,
    multiplier: input.multiplier,
    seed: input.seed,
  };
  const scoring = new Scoring(context, sheet);
  const kept: Rejected[] = [];
  for (const { slot, relevance: stated } of input.matches) {
    const offer = input.offerOf(slot);
    if (offer === undefined) continue;
    const relevance = shifted(stated, input.calibrationOffset);
    const isForAdults = audience.minor && input.isForAdults(slot);
    offers.push(offer);
    for (const candidate of offer.candidates) {
      // What is aimed at a gender, an age or interests is personal.
      if (!isForAdults && !(audience.minor && candidate.demographics !== null))
        scoring.consider(candidate, relevance);
      else if (relevance >= input.minRelevance)
        kept.push({ candidate, relevance, reason: 'adults_only' });
    }
  }
  const { entries, rejected } = scoring;
  const result = runAuction({
    entries,
    placements: input.placements.map((placement) => ({
      factor: model.placementFactor(placement),
      floorCpmMicros: input.floorCpmMicros,
    })),
    minRelevance: input.minRelevance,
    reserveCpmMicros,
    seed: input.seed,
  });
  return Object.assign(result, {
    rejected: kept.length === 0 ? rejected : [...rejected, ...kept],
    // Asked for the few winners only: a search there is cheaper than a map of everyone here.
    offerOf: (adId: string) =>
      offers.find((offer) => offer.candidates.some((candidate) => candidate.adId === adId)),
  });
}

/** The request as eligibility sees it. */
function askedOf(input: DecisionInput): ScoringContext['request'] {
  const { audience } = input;
  return {
    now: input.now,
    country: audience.country,
    device: audience.device,
    gender: audience.gender,
    age: audience.age,
    interests: audience.interests,
    publisherId: input.publisherId,
    category: input.category,
    variantOf: input.variantOf,
    excludedAdvertisers: input.excludedAdvertisers,
    dislikedAds: input.dislikedAds,
    sessionCounts: input.sessionCounts,
    isUncounted: input.isUncounted === true,
    userCounts: input.userCounts,
    sessionCap: input.sessionCap,
    userCap: input.userCap,
  };
}
