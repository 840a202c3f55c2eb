import type { Candidate } from '../../../domain/decision/candidate.js';
import type { ClickModel } from '../../../domain/decision/click-model.js';
import type { Sheet } from '../../../domain/decision/contenders.js';
import type { CampaignCounts } from '../../../domain/decision/frequency-cap.js';
import type { EligibilityRequest } from '../../../domain/decision/eligibility.js';
import { statedAt, lineupWidth } from '../../../domain/decision/lineup.js';
import {
  type AuctionResult,
  type Loser,
  reserveCpmMicros,
  runAuction,
  type Winner,
} from '../../../domain/decision/run-auction.js';
import {
  type Rejected,
  Scoring,
  type ScoringTerms,
} from '../../../domain/decision/score-candidates.js';
import { shifted } from '../../../domain/reading/calibration.js';
import type { Offer } from '../inventory/inventory.js';
import type { Audience } from '../read-request.js';
import type { OfferLineup } from './line-up.js';

export interface DecisionInput {
  now: number;
  seed: number;
  audience: Audience;
  lineup: OfferLineup;
  /** Moves every stated relevance: what was learned of this publisher and its places. */
  calibrationOffset: number;
  /** Offers nobody under age is shown. */
  isForAdults: (slot: number) => boolean;
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
  /** What is left in the tightest budget of one of the lineup. */
  roomOf: (index: number) => number;
}

export interface Decision extends AuctionResult {
  readonly rejected: readonly Rejected[];
  /** Whether somebody who fitted is part of an experiment. */
  readonly hasExperiments: boolean;
  /** How every stated relevance was moved. */
  readonly calibrationOffset: number;
  /** The offer an ad that took part belongs to. */
  offerOf(candidate: Candidate): Offer | undefined;
}

class Decided implements Decision {
  readonly winners: Winner[];
  readonly rejected: readonly Rejected[];
  readonly calibrationOffset: number;
  private readonly result: AuctionResult;
  private readonly lineup: OfferLineup;

  constructor(
    result: AuctionResult,
    rejected: readonly Rejected[],
    { lineup, calibrationOffset }: DecisionInput,
  ) {
    this.winners = result.winners;
    this.rejected = rejected;
    this.calibrationOffset = calibrationOffset;
    this.result = result;
    this.lineup = lineup;
  }

  get losers(): Loser[] {
    return this.result.losers;
  }

  nextBest(count: number): Loser[] {
    return this.result.nextBest(count);
  }

  get candidates(): readonly Candidate[] {
    return this.result.candidates;
  }

  get bestRelevance(): number {
    return this.result.bestRelevance;
  }

  get hasExperiments(): boolean {
    return this.lineup.hasExperiments;
  }

  offerOf(candidate: Candidate): Offer | undefined {
    return this.lineup.offerOf(candidate);
  }
}

/**
 * From those who fit to winners, in memory, without I/O: the same input gives the same answer. On a
 * sheet that is shared, who lost is told until the next decision.
 */
export function decideAds(input: DecisionInput, sheet?: Sheet): Decision {
  const { audience, model, lineup } = input;
  const scoring = new Scoring(
    {
      request: askedOf(input),
      model,
      topicIndex: model.topicIndex(input.topic),
      minRelevance: input.minRelevance,
      seed: input.seed,
    },
    sheet,
  );
  const isKeptOut = audience.minor ? (index: number) => isForOthers(input, index) : null;
  scoring.considerAll(lineup, input.calibrationOffset, input.roomOf, isKeptOut);
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
  return new Decided(
    result,
    isKeptOut === null ? rejected : [...rejected, ...keptOut(input, isKeptOut)],
    input,
  );
}

/** What is aimed at a gender, an age or interests is personal: nobody under age is shown it. */
function isForOthers({ lineup, isForAdults }: DecisionInput, index: number): boolean {
  return isForAdults(lineup.slots[index] ?? -1) || lineup.candidates[index]?.demographics !== null;
}

function keptOut(input: DecisionInput, isKeptOut: (index: number) => boolean): Rejected[] {
  const { lineup, calibrationOffset, minRelevance } = input;
  return lineup.candidates.flatMap((candidate, index): Rejected[] => {
    const stated = lineup.numbers[index * lineupWidth + statedAt] ?? 0;
    const relevance = shifted(stated, calibrationOffset);
    return isKeptOut(index) && relevance >= minRelevance
      ? [{ candidate, relevance, reason: 'adults_only' }]
      : [];
  });
}

/** The request as eligibility sees it. */
function askedOf(input: DecisionInput): ScoringTerms['request'] {
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
