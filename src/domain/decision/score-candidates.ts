// From what retrieval found to what the auction takes: who may run, and each one's numbers.
import type { Candidate } from './candidate.js';
import type { ClickModel } from './click-model.js';
import { shifted } from '../reading/calibration.js';
import { type Chances, Contenders, type Sheet, unasked } from './contenders.js';
import { bidFor } from './derive-bid.js';
import {
  eligible,
  eligibleAnywhere,
  type EligibilityRequest,
  type IneligibleReason,
  refusesNothing,
} from './eligibility.js';
import {
  feedbackAt,
  fixedBidAt,
  fromAt,
  Lineup,
  lineupWidth,
  pacedAt,
  rateOfAt,
  statedAt,
  untilAt,
} from './lineup.js';
import { quality } from './quality.js';

export type Found = { candidate: Candidate; relevance: number };

/** What does not depend on who is asked for, or how. */
export type ScoringTerms = {
  request: EligibilityRequest;
  model: ClickModel;
  topicIndex: number;
  minRelevance: number;
  seed: number;
};

export type ScoringContext = ScoringTerms & {
  /** What is left in the tightest budget the ad is paid from. */
  room(candidate: Candidate): number;
  /** The campaign's pacing multiplier. */
  multiplier(candidate: Candidate): number;
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
  private readonly terms: ScoringTerms;
  private readonly usualPcvr: number;

  constructor(terms: ScoringTerms, sheet?: Sheet) {
    this.entries = new Contenders(sheet, (candidate, relevance) =>
      this.chancesOf(candidate, relevance),
    );
    this.terms = terms;
    this.usualPcvr = terms.model.networkPcvr();
  }

  /** Everybody of a lineup, as `scoreCandidates` judges each. */
  considerAll(
    lineup: Lineup,
    offset: number,
    roomOf: (index: number) => number,
    isKeptOut: ((index: number) => boolean) | null = null,
  ): void {
    const { request, minRelevance } = this.terms;
    const { candidates, numbers } = lineup;
    const { now } = request;
    const asksForAll = refusesNothing(request);
    for (let index = 0, from = 0; index < candidates.length; index++, from += lineupWidth) {
      const candidate = candidates[index];
      if (candidate === undefined || isKeptOut?.(index) === true) continue;
      const relevance = shifted(numbers[from + statedAt] ?? 0, offset);
      if (!(relevance >= minRelevance)) {
        this.reject(candidate, relevance, 'low_relevance');
        continue;
      }
      const room = roomOf(index);
      const isFree = now >= (numbers[from + fromAt] ?? 0) && now < (numbers[from + untilAt] ?? 0);
      const reason = !isFree
        ? eligible(candidate, request, room)
        : !asksForAll
          ? eligibleAnywhere(candidate, request, room)
          : room < 1
            ? 'budget'
            : null;
      if (reason !== null) this.reject(candidate, relevance, reason);
      else
        this.take(
          candidate,
          relevance,
          quality(relevance, numbers[from + feedbackAt] ?? 0),
          numbers[from + pacedAt] ?? 0,
          numbers[from + fixedBidAt] ?? NaN,
          room,
          numbers[from + rateOfAt] ?? NaN,
        );
    }
  }

  reject(candidate: Candidate, relevance: number, reason: Rejected['reason']): void {
    this.rejected.push({ candidate, relevance, reason });
  }

  /** Who may run. Chances that decide nothing are worked out for those few of fifty told of. */
  private take(
    candidate: Candidate,
    relevance: number,
    worth: number,
    multiplier: number,
    /** NaN where it depends on chances. */
    fixedBid: number,
    roomMicros: number,
    rate: number,
  ): void {
    const isFixed = !Number.isNaN(fixedBid);
    const { pctr, drawnPctr, pcvr } = isFixed
      ? unaskedChances
      : this.chancesOf(candidate, relevance);
    const bid = isFixed ? fixedBid : bidFor(candidate.bid, pctr, pcvr, this.usualPcvr);
    this.entries.add(
      candidate,
      relevance,
      pctr,
      drawnPctr,
      pcvr,
      worth,
      multiplier,
      bid,
      roomMicros,
      rate,
    );
  }

  private chancesOf({ adIndex }: Candidate, relevance: number): Chances {
    const { model, topicIndex, seed } = this.terms;
    const pctr = model.pctr(adIndex, topicIndex, relevance);
    const drawnPctr = model.explore(pctr, adIndex, topicIndex, seed);
    return { pctr, drawnPctr, pcvr: model.pcvr(adIndex) };
  }
}

export function scoreCandidates(found: readonly Found[], context: ScoringContext): Scored {
  const lineup = new Lineup(
    found.map(({ candidate, relevance }) => ({
      candidate,
      relevance,
      multiplier: context.multiplier(candidate),
    })),
  );
  const scoring = new Scoring(context);
  scoring.considerAll(lineup, 0, (index) => {
    const candidate = lineup.candidates[index];
    return candidate === undefined ? 0 : context.room(candidate);
  });
  return scoring;
}
