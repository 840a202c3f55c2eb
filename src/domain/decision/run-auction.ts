// Who is shown, and for how much: highest score first, each winner paying what the next best would
// have made it pay.
import type { Candidate } from './candidate.js';
import { billedAt, type BillingModel, chargeRate } from '../billing/billing-models.js';
import { mix } from './seeded-random.js';

/** One candidate with everything a decision needs to know about it, in plain numbers. */
export type Entry = {
  candidate: Candidate;
  relevance: number;
  /** For a placement of factor 1; the placement's own factor is applied here. */
  pctr: number;
  /** `pctr` as drawn for exploring: it ranks, the estimate itself prices floors. */
  drawnPctr: number;
  pcvr: number;
  quality: number;
  /** Pacing, in (0, 1]. */
  multiplier: number;
  /** Microdollars per charged event, before pacing. */
  bidMicros: number;
  /** What is left to spend in the tightest of its budgets. */
  roomMicros: number;
};

/** What a winner without competition pays, per thousand impressions, unless it offered less. */
export const reserveCpmMicros = 500_000;

export type AuctionPlacement = {
  /** Clickability against factor 1. */
  factor: number;
  /** The publisher's: an offer below it loses. Microdollars per thousand impressions. */
  floorCpmMicros: number;
};

export type AuctionInput = {
  entries: readonly Entry[];
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
export type AuctionResult = { winners: Winner[]; losers: Loser[] };

/** Mutable working record, one per entry and run. */
type Contender = {
  entry: Entry;
  offer: number;
  score: number;
  /** The score it would have without the publisher's floor. */
  unfloored: number;
  tie: number;
  reason: LossReason | null;
};

export function runAuction(input: AuctionInput): AuctionResult {
  const contenders = input.entries.map((entry) => contend(entry, input));
  const taken = new Set<string>();
  const winners: Winner[] = [];
  for (let placementIndex = 0; placementIndex < input.placements.length; placementIndex++) {
    const placement = input.placements[placementIndex];
    if (placement === undefined) continue;
    const winner = fill(placementIndex, placement, contenders, taken, input);
    if (winner === null) continue;
    winners.push(winner);
    taken.add(winner.entry.candidate.advertiserId);
  }
  return { winners, losers: losersOf(contenders, winners, taken) };
}

function contend(entry: Entry, input: AuctionInput): Contender {
  const offer = Math.min(entry.bidMicros * entry.multiplier, entry.roomMicros);
  const reason: LossReason | null =
    entry.relevance < input.minRelevance ? 'low_relevance' : offer >= 1 ? null : 'bid_too_low';
  return {
    entry,
    offer,
    score: 0,
    unfloored: 0,
    tie: mix(input.seed, entry.candidate.adIndex),
    reason,
  };
}

function fill(
  placementIndex: number,
  placement: AuctionPlacement,
  contenders: Contender[],
  taken: Set<string>,
  input: AuctionInput,
): Winner | null {
  let best: Contender | null = null;
  for (const contender of contenders) {
    if (!mayTake(contender, taken)) continue;
    const { entry, offer } = contender;
    const rate = chargeRate(entry.candidate.bid.charge, entry.pctr * placement.factor, entry.pcvr);
    contender.unfloored = 1000 * offer * rankRate(entry, placement.factor) * entry.quality;
    if (offer * rate * 1000 < placement.floorCpmMicros) {
      contender.reason = 'below_floor';
      contender.score = 0;
      continue;
    }
    contender.reason = null;
    contender.score = contender.unfloored;
    if (best === null || ahead(contender, best)) best = contender;
  }
  if (best === null) return null;
  const { advertiserId } = best.entry.candidate;
  const runnerUp = bestOfOthers(contenders, taken, advertiserId, false);
  const unfloored = bestOfOthers(contenders, taken, advertiserId, true);
  return priced(placementIndex, placement, best, { runnerUp, unfloored }, input.reserveCpmMicros);
}

/** A floor binds one placement only, so what fell below it may try the next. */
function mayTake(contender: Contender, taken: Set<string>): boolean {
  const open = contender.reason === null || contender.reason === 'below_floor';
  return open && !taken.has(contender.entry.candidate.advertiserId);
}

function rankRate(entry: Entry, factor: number): number {
  return chargeRate(entry.candidate.bid.charge, entry.drawnPctr * factor, entry.pcvr);
}

/** Equal scores take turns by seed; the id decides only if even that is equal. */
function ahead(a: Contender, b: Contender): boolean {
  if (a.score !== b.score) return a.score > b.score;
  if (a.tie !== b.tie) return a.tie > b.tie;
  return a.entry.candidate.adId < b.entry.candidate.adId;
}

/** An advertiser's other ads do not push up its own price. */
function bestOfOthers(
  contenders: Contender[],
  taken: Set<string>,
  advertiserId: string,
  belowFloor: boolean,
): number {
  let best = 0;
  for (const { entry, unfloored, reason } of contenders) {
    const other = entry.candidate.advertiserId;
    const takesPart = reason === null || (belowFloor && reason === 'below_floor');
    if (takesPart && other !== advertiserId && !taken.has(other) && unfloored > best)
      best = unfloored;
  }
  return best;
}

/**
 * The publisher's floor is a price of impressions. What one click or conversion costs it raises no
 * further than the second price without it, or it would set the advertiser's bid as the price.
 */
function priced(
  placementIndex: number,
  placement: AuctionPlacement,
  best: Contender,
  others: { runnerUp: number; unfloored: number },
  reserveCpmMicros: number,
): Winner {
  const { entry, offer, score } = best;
  const charge = entry.candidate.bid.charge;
  const rate = chargeRate(charge, entry.pctr * placement.factor, entry.pcvr);
  const { runnerUp: runnerUpScore, unfloored } = others;
  const reserve = Math.min(offer, reserveCpmMicros / 1000 / rate);
  const most =
    billedAt(charge) === 'impression' ? Infinity : Math.max(reserve, (offer * unfloored) / score);
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

function losersOf(
  contenders: Contender[],
  winners: readonly Winner[],
  taken: ReadonlySet<string>,
): Loser[] {
  const won = new Set<Entry>();
  for (const winner of winners) won.add(winner.entry);
  const losers: Loser[] = [];
  for (const { entry, score, reason } of contenders) {
    if (won.has(entry)) continue;
    const lost = reason ?? (taken.has(entry.candidate.advertiserId) ? 'same_advertiser' : 'outbid');
    losers.push({ entry, reason: lost, score });
  }
  return losers;
}
