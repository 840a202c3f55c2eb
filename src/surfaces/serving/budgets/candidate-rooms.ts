import { creditDay } from '../../../domain/billing/paying-scopes.js';
import { holdOf } from '../../../domain/billing/billing-models.js';
import type { BudgetDays } from '../../../domain/decision/budget-day.js';
import type { Candidate } from '../../../domain/decision/candidate.js';
import { expectedPrice } from '../../../domain/decision/derive-bid.js';
import type { Reservations } from '../../../domain/decision/reservations.js';

export interface CandidateRoomsDeps {
  days: BudgetDays;
  groupBudgets: {
    of(adGroupId: string): number | null;
    /** Another one whenever something else may bind a group. */
    readonly version: number;
  };
  reservations: Pick<Reservations, 'roomAt' | 'numberOf' | 'numbering'>;
  /** Any candidate's, whatever it pays for. */
  room(candidate: Candidate, publisherId: string, now: number): number;
}

/** What is left for each of some candidates. */
export interface Rooms {
  /** Whether the budgets are still those that were looked up. */
  isOf(now: number): boolean;
  of(index: number, publisherId: string, now: number): number;
}

/** Where each number stands in the row of a candidate. */
const priceAt = 0;
const campaignAt = 1;
/** Of group and credit: -1 where there is no such budget. */
const groupAt = 2;
const creditAt = 3;
const width = 4;
/** In place of a price: nothing is held for it, so its room is nobody's number. */
const unheld = -1;

/**
 * What is left for each of these candidates as `room` tells it, with the budgets looked up once:
 * those who fit a conversation are asked about with each request.
 */
export class CandidateRooms implements Rooms {
  private readonly deps: CandidateRoomsDeps;
  private readonly candidates: readonly Candidate[];
  private readonly rows: Float64Array;
  private readonly numbering: number;
  private readonly groupBudgets: number;
  /** While every one of them has the budget day it has now. */
  private from = -Infinity;
  private until = Infinity;

  constructor(deps: CandidateRoomsDeps, candidates: readonly Candidate[], now: number) {
    this.deps = deps;
    this.candidates = candidates;
    this.numbering = deps.reservations.numbering;
    this.groupBudgets = deps.groupBudgets.version;
    this.rows = new Float64Array(candidates.length * width);
    candidates.forEach((candidate, index) => this.lookUp(candidate, index * width, now));
  }

  private lookUp(candidate: Candidate, from: number, now: number): void {
    const { days, groupBudgets, reservations } = this.deps;
    const { bid, timeZone, campaignId, adGroupId, advertiserId, prepaid } = candidate;
    const day = days.at(timeZone, now);
    this.from = Math.max(this.from, day.start);
    this.until = Math.min(this.until, day.end);
    const isHeld = holdOf(bid.charge) !== 'nothing';
    this.rows[from + priceAt] = isHeld ? expectedPrice(bid) : unheld;
    this.rows[from + campaignAt] = reservations.numberOf(campaignId, day.date);
    this.rows[from + groupAt] =
      adGroupId === null || groupBudgets.of(adGroupId) === null
        ? -1
        : reservations.numberOf(adGroupId, day.date);
    this.rows[from + creditAt] = prepaid ? reservations.numberOf(advertiserId, creditDay) : -1;
  }

  isOf(now: number): boolean {
    const { reservations, groupBudgets } = this.deps;
    return (
      now >= this.from &&
      now < this.until &&
      this.numbering === reservations.numbering &&
      this.groupBudgets === groupBudgets.version
    );
  }

  of(index: number, publisherId: string, now: number): number {
    const { rows } = this;
    const { reservations } = this.deps;
    const from = index * width;
    const price = rows[from + priceAt] ?? unheld;
    if (price === unheld) return this.askedAnew(index, publisherId, now);
    let room = reservations.roomAt(publisherId, rows[from + campaignAt] ?? 0, price);
    const group = rows[from + groupAt] ?? -1;
    if (group >= 0) room = Math.min(room, reservations.roomAt(publisherId, group, price));
    const credit = rows[from + creditAt] ?? -1;
    if (credit >= 0) room = Math.min(room, reservations.roomAt(publisherId, credit, price));
    // Of what is nearly spent clicks may be served without a hold.
    return room >= price ? room : this.askedAnew(index, publisherId, now);
  }

  private askedAnew(index: number, publisherId: string, now: number): number {
    const candidate = this.candidates[index];
    return candidate === undefined ? 0 : this.deps.room(candidate, publisherId, now);
  }
}
