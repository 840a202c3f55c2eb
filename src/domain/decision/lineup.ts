// Those who fit a conversation, with everything about them that depends neither on who asks nor on
// what was learned since, as rows of plain numbers in one piece of memory. A conversation comes again
// with each placement, retry and reload, and looking all this up in fifty candidates, each of many
// objects that are cold by then, cost several times what deciding between them does.
import { fixedRate } from '../billing/billing-models.js';
import type { Candidate } from './candidate.js';
import { bidFor, dependsOnChances } from './derive-bid.js';
import { asksForNothing } from './eligibility.js';

/** Where each number stands in the row of a candidate. */
export const statedAt = 0;
export const feedbackAt = 1;
/** NaN where it depends on chances. */
export const fixedBidAt = 2;
export const pacedAt = 3;
/** How many charged events an impression brings; NaN where that depends on chances. */
export const rateOfAt = 4;
/** Between these it may be shown to anybody; never, where it asks for something. */
export const fromAt = 5;
export const untilAt = 6;
export const lineupWidth = 7;

export interface Fitting {
  readonly candidate: Candidate;
  /** As stated by matching. */
  readonly relevance: number;
  /** The campaign's pacing multiplier. */
  readonly multiplier: number;
}

export class Lineup {
  readonly candidates: readonly Candidate[];
  readonly numbers: Float64Array;
  /** Whether one of them is part of an experiment. */
  readonly hasExperiments: boolean;

  constructor(fitting: readonly Fitting[]) {
    this.candidates = fitting.map(({ candidate }) => candidate);
    this.numbers = new Float64Array(fitting.length * lineupWidth);
    this.hasExperiments = this.candidates.some(({ experiment }) => experiment !== null);
    fitting.forEach((one, index) => this.write(one, index * lineupWidth));
  }

  private write({ candidate, relevance, multiplier }: Fitting, from: number): void {
    const { numbers } = this;
    const { bid, startsAt, endsAt } = candidate;
    numbers[from + statedAt] = relevance;
    numbers[from + feedbackAt] = candidate.feedbackQuality;
    numbers[from + fixedBidAt] = dependsOnChances(bid) ? NaN : bidFor(bid, NaN, NaN, NaN);
    numbers[from + pacedAt] = multiplier;
    numbers[from + rateOfAt] = fixedRate(bid.charge);
    numbers[from + fromAt] = asksForNothing(candidate) ? startsAt : Infinity;
    numbers[from + untilAt] = endsAt;
  }
}
