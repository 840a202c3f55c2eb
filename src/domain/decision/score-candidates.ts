// From what retrieval found to what the auction takes: who may run, and each one's numbers.
import type { Candidate } from './candidate.js';
import type { ClickModel } from './click-model.js';
import { bidFor } from './derive-bid.js';
import { eligible, type EligibilityRequest, type IneligibleReason } from './eligibility.js';
import { quality } from './quality.js';
import type { Entry } from './run-auction.js';

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
export type Scored = { entries: Entry[]; rejected: Rejected[] };

export function scoreCandidates(found: readonly Found[], context: ScoringContext): Scored {
  const { model, topicIndex, request, seed } = context;
  const entries: Entry[] = [];
  const rejected: Rejected[] = [];
  const usualPcvr = model.networkPcvr();
  for (const { candidate, relevance } of found) {
    const isRelevant = relevance >= context.minRelevance;
    const roomMicros = isRelevant ? context.room(candidate) : 0;
    const reason = isRelevant ? eligible(candidate, request, roomMicros) : 'low_relevance';
    if (reason !== null) {
      rejected.push({ candidate, relevance, reason });
      continue;
    }
    const pctr = model.pctr(candidate.adIndex, topicIndex, relevance);
    const pcvr = model.pcvr(candidate.adIndex);
    entries.push({
      candidate,
      relevance,
      pctr,
      pcvr,
      roomMicros,
      drawnPctr: model.explore(pctr, candidate.adIndex, topicIndex, seed),
      quality: quality(relevance, candidate.feedbackQuality),
      multiplier: context.multiplier(candidate),
      bidMicros: bidFor(candidate.bid, pctr, pcvr, usualPcvr),
    });
  }
  return { entries, rejected };
}
