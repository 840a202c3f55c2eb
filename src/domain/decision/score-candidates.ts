// From what retrieval found to what the auction takes: who may run, and each one's numbers.
import type { Candidate } from './candidate.js';
import type { ClickModel } from './click-model.js';
import { type Chances, Contenders, type Sheet, unasked } from './contenders.js';
import { bidFor, dependsOnChances } from './derive-bid.js';
import { eligible, type EligibilityRequest, type IneligibleReason } from './eligibility.js';
import { quality } from './quality.js';

export type Found = { candidate: Candidate; relevance: number };

export type ScoringContext = {
  request: EligibilityRequest;
  model: ClickModel;
  topicIndex: number;
  minRelevance: number;
  /** What is left in the tightest budget the ad is paid from. */
  room(candidate: Candidate): number;
  /** The campaign's pacing multiplier. */
  multiplier(candidate: Candidate): number;
  seed: number;
};

export type Rejected = {
  candidate: Candidate;
  relevance: number;
  reason: IneligibleReason | 'low_relevance';
};
export type Scored = { entries: Contenders; rejected: Rejected[] };

const unaskedChances: Chances = { pctr: unasked, drawnPctr: unasked, pcvr: unasked };

/** Asked about one candidate after the other: who may run stands in `entries`, with its numbers. */
export class Scoring implements Scored {
  readonly entries: Contenders;
  readonly rejected: Rejected[] = [];
  private readonly context: ScoringContext;
  private readonly usualPcvr: number;

  constructor(context: ScoringContext, sheet?: Sheet) {
    this.entries = new Contenders(sheet, (candidate, relevance) =>
      this.chancesOf(candidate, relevance),
    );
    this.context = context;
    this.usualPcvr = context.model.networkPcvr();
  }

  consider(candidate: Candidate, relevance: number): void {
    const { request, minRelevance } = this.context;
    const isRelevant = relevance >= minRelevance;
    const roomMicros = isRelevant ? this.context.room(candidate) : 0;
    const reason = isRelevant ? eligible(candidate, request, roomMicros) : 'low_relevance';
    if (reason !== null) return void this.rejected.push({ candidate, relevance, reason });
    const { bid } = candidate;
    // Where it decides nothing it is worked out for those few of fifty who are told of.
    const { pctr, drawnPctr, pcvr } = dependsOnChances(bid)
      ? this.chancesOf(candidate, relevance)
      : unaskedChances;
    this.entries.add(
      candidate,
      relevance,
      pctr,
      drawnPctr,
      pcvr,
      quality(relevance, candidate.feedbackQuality),
      this.context.multiplier(candidate),
      bidFor(bid, pctr, pcvr, this.usualPcvr),
      roomMicros,
    );
  }

  private chancesOf({ adIndex }: Candidate, relevance: number): Chances {
    const { model, topicIndex, seed } = this.context;
    const pctr = model.pctr(adIndex, topicIndex, relevance);
    const drawnPctr = model.explore(pctr, adIndex, topicIndex, seed);
    return { pctr, drawnPctr, pcvr: model.pcvr(adIndex) };
  }
}

export function scoreCandidates(found: readonly Found[], context: ScoringContext): Scored {
  const scoring = new Scoring(context);
  for (const { candidate, relevance } of found) scoring.consider(candidate, relevance);
  return scoring;
}
