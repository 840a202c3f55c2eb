// Who is shown, and for how much: highest score first, each winner paying what the next best would
// have made it pay.
import { billedAt, type BillingModel, chargeRate } from '../billing/billing-models.js';
import type { Candidate } from './candidate.js';
import {
  bidAt,
  Contenders,
  contendersOf,
  contenderWidth,
  drawnPctrAt,
  type Entry,
  multiplierAt,
  offerAt,
  pctrAt,
  pcvrAt,
  qualityAt,
  rateAt,
  reasonAt,
  relevanceAt,
  roomAt,
  scoreAt,
  unflooredAt,
} from './contenders.js';
import { mix } from './seeded-random.js';

export type { Entry } from './contenders.js';

/** What a winner without competition pays, per thousand impressions, unless it offered less. */
export const reserveCpmMicros = 500_000;

export type AuctionPlacement = {
  /** Clickability against factor 1. */
  factor: number;
  /** The publisher's: an offer below it loses. Microdollars per thousand impressions. */
  floorCpmMicros: number;
};

export type AuctionInput = {
  entries: readonly Entry[] | Contenders;
  /** In request order; each goes to another advertiser. */
  placements: readonly AuctionPlacement[];
  minRelevance: number;
  /**
   * What a winner without competition pays, unless it offered less. Microdollars per thousand
   * impressions.
   */
  reserveCpmMicros: number;
  seed: number;
};

export type PriceBasis = 'second_price' | 'floor' | 'reserve';
export type LossReason =
  'low_relevance' | 'bid_too_low' | 'below_floor' | 'outbid' | 'same_advertiser';

export type Winner = {
  placementIndex: number;
  entry: Entry;
  charge: BillingModel;
  /**
   * Microdollars per impression, click or conversion, whichever `charge` says; at least 1 and never
   * above the bid.
   */
  priceMicros: number;
  /** What was offered after pacing and budget room. */
  offerMicros: number;
  /** Microdollars per thousand impressions, times quality. */
  score: number;
  runnerUpScore: number;
  basis: PriceBasis;
};

export type Loser = { entry: Entry; reason: LossReason; score: number };
export type AuctionResult = {
  winners: Winner[];
  /** Everybody else who took part, put together when they are asked for: mostly nobody does. */
  readonly losers: Loser[];
  /** The highest scores among them, so many at most, in order. */
  nextBest(count: number): Loser[];
  /** Everybody who took part. */
  readonly candidates: readonly Candidate[];
  /** The best relevance of all who took part; less than nothing when nobody did. */
  readonly bestRelevance: number;
};

/** Reasons as they stand on the sheet. */
const none = 0;
const belowFloor = 3;
const reasons: readonly (LossReason | null)[] = [
  null,
  'low_relevance',
  'bid_too_low',
  'below_floor',
];

/** The auction under way, and what came of it. */
class Run implements AuctionResult {
  readonly winners: Winner[] = [];
  readonly field: Contenders;
  readonly seed: number;
  readonly taken = new Set<string>();
  readonly won: number[] = [];
  bestRelevance = -1;

  constructor(field: Contenders, seed: number) {
    this.field = field;
    this.seed = seed;
  }

  // Of the class: an object with a getter of its own is of a kind of its own.
  get losers(): Loser[] {
    return losersOf(this);
  }

  nextBest(count: number): Loser[] {
    return nextBest(this, count);
  }

  get candidates(): readonly Candidate[] {
    return this.field.candidates;
  }
}

export function runAuction(input: AuctionInput): AuctionResult {
  const { entries, seed } = input;
  const field = entries instanceof Contenders ? entries : contendersOf(entries);
  const run = new Run(field, seed);
  offerAll(run, input.minRelevance);
  for (let placementIndex = 0; placementIndex < input.placements.length; placementIndex++) {
    const placement = input.placements[placementIndex];
    if (placement === undefined) continue;
    const winner = fill(run, placementIndex, placement, input.reserveCpmMicros);
    if (winner === null) continue;
    run.winners.push(winner);
    run.taken.add(winner.entry.candidate.advertiserId);
  }
  return run;
}

function offerAll(run: Run, minRelevance: number): void {
  const { count, numbers } = run.field;
  let { bestRelevance } = run;
  for (let index = 0, from = 0; index < count; index++, from += contenderWidth) {
    const relevance = numbers[from + relevanceAt] ?? 0;
    const bid = (numbers[from + bidAt] ?? 0) * (numbers[from + multiplierAt] ?? 0);
    const offer = Math.min(bid, numbers[from + roomAt] ?? 0);
    numbers[from + offerAt] = offer;
    numbers[from + reasonAt] = relevance < minRelevance ? 1 : offer >= 1 ? none : 2;
    if (relevance > bestRelevance) bestRelevance = relevance;
  }
  run.bestRelevance = bestRelevance;
}

function fill(
  run: Run,
  placementIndex: number,
  placement: AuctionPlacement,
  reserveCpmMicros: number,
): Winner | null {
  const { field, taken } = run;
  const { count, numbers } = field;
  const { factor, floorCpmMicros } = placement;
  let best = -1;
  for (let index = 0, from = 0; index < count; index++, from += contenderWidth) {
    const reason = numbers[from + reasonAt];
    // A floor binds one placement only, so what fell below it may try the next.
    if (reason !== none && reason !== belowFloor) continue;
    if (taken.size > 0 && taken.has(field.candidate(index).advertiserId)) continue;
    const offer = numbers[from + offerAt] ?? 0;
    let rate = numbers[from + rateAt] ?? 0;
    let rankRate = rate;
    if (Number.isNaN(rate)) {
      const { charge } = field.candidate(index).bid;
      const pcvr = field.number(index, pcvrAt);
      rate = chargeRate(charge, field.number(index, pctrAt) * factor, pcvr);
      rankRate = chargeRate(charge, field.number(index, drawnPctrAt) * factor, pcvr);
    }
    const unfloored = 1000 * offer * rankRate * (numbers[from + qualityAt] ?? 0);
    const isBelow = offer * rate * 1000 < floorCpmMicros;
    numbers[from + unflooredAt] = unfloored;
    numbers[from + scoreAt] = isBelow ? 0 : unfloored;
    numbers[from + reasonAt] = isBelow ? belowFloor : none;
    if (!isBelow && (best < 0 || isAhead(run, index, best))) best = index;
  }
  if (best < 0) return null;
  run.won.push(best);
  return priced(run, placementIndex, placement, best, reserveCpmMicros);
}

/** Equal scores take turns by seed; the id decides only if even that is equal. */
function isAhead({ field, seed }: Run, one: number, other: number): boolean {
  // Asked for nearly every candidate: lists to take apart would be most of what an auction leaves.
  const score = field.number(one, scoreAt);
  const otherScore = field.number(other, scoreAt);
  if (score !== otherScore) return score > otherScore;
  const candidate = field.candidate(one);
  const otherCandidate = field.candidate(other);
  const tie = mix(seed, candidate.adIndex);
  const otherTie = mix(seed, otherCandidate.adIndex);
  return tie === otherTie ? candidate.adId < otherCandidate.adId : tie > otherTie;
}

/** An advertiser's other ads do not push up its own price. */
function bestOfOthers({ field, taken }: Run, advertiserId: string, isBelowFloor: boolean): number {
  const { count, numbers } = field;
  let best = 0;
  for (let index = 0, from = 0; index < count; index++, from += contenderWidth) {
    const unfloored = numbers[from + unflooredAt] ?? 0;
    if (!(unfloored > best)) continue;
    const reason = numbers[from + reasonAt];
    if (reason !== none && !(isBelowFloor && reason === belowFloor)) continue;
    const other = field.candidate(index).advertiserId;
    if (other !== advertiserId && !taken.has(other)) best = unfloored;
  }
  return best;
}

/**
 * The publisher's floor is a price of impressions. What one click or conversion costs it raises no
 * further than the second price without it, or it would set the advertiser's bid as the price.
 */
function priced(
  run: Run,
  placementIndex: number,
  placement: AuctionPlacement,
  best: number,
  reserveCpmMicros: number,
): Winner {
  const entry = run.field.entry(best);
  const { charge } = entry.candidate.bid;
  const offer = run.field.number(best, offerAt);
  const score = run.field.number(best, scoreAt);
  const rate = chargeRate(charge, entry.pctr * placement.factor, entry.pcvr);
  const runnerUpScore = bestOfOthers(run, entry.candidate.advertiserId, false);
  const reserve = Math.min(offer, reserveCpmMicros / 1000 / rate);
  const most =
    billedAt(charge) === 'impression'
      ? Infinity
      : Math.max(reserve, (offer * bestOfOthers(run, entry.candidate.advertiserId, true)) / score);
  const floor = Math.min(most, placement.floorCpmMicros / 1000 / rate);
  const second = runnerUpScore > 0 ? (offer * runnerUpScore) / score : 0;
  const least = Math.max(floor, reserve);
  const basis: PriceBasis =
    second > 0 && second >= least ? 'second_price' : floor >= reserve ? 'floor' : 'reserve';
  const priceMicros = Math.max(1, Math.min(Math.floor(offer), Math.ceil(Math.max(second, least))));
  return {
    placementIndex,
    entry,
    charge,
    priceMicros,
    offerMicros: offer,
    score,
    runnerUpScore,
    basis,
  };
}

function loserAt({ field, taken }: Run, index: number): Loser {
  const entry = field.entry(index);
  const other = taken.has(entry.candidate.advertiserId) ? 'same_advertiser' : 'outbid';
  const reason = reasons[field.number(index, reasonAt)] ?? other;
  return { entry, reason, score: field.number(index, scoreAt) };
}

function losersOf(run: Run): Loser[] {
  const losers: Loser[] = [];
  for (let index = 0; index < run.field.count; index++)
    if (!run.won.includes(index)) losers.push(loserAt(run, index));
  return losers;
}

/** Without sorting everyone for the few that are kept; of equal scores the first stays first. */
function nextBest(run: Run, count: number): Loser[] {
  const { field, won } = run;
  const kept: number[] = [];
  if (count <= 0) return [];
  for (let index = 0; index < field.count; index++) {
    const score = field.number(index, scoreAt);
    let at = kept.length;
    if (at === count && score <= field.number(kept[at - 1] ?? 0, scoreAt)) continue;
    if (won.includes(index)) continue;
    // Of as many as are kept the last goes; those behind move up by one.
    if (at === count) at -= 1;
    for (; at > 0; at -= 1) {
      const before = kept[at - 1] ?? 0;
      if (field.number(before, scoreAt) >= score) break;
      kept[at] = before;
    }
    kept[at] = index;
  }
  return kept.map((index) => loserAt(run, index));
}
