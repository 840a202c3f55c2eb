// Everybody who takes part in an auction, as columns of plain numbers. A request has fifty of them
// and shows one: an object for each, with a box for every number in it, cost more than the auction.
import { fixedRate } from '../billing/billing-models.js';
import type { Candidate } from './candidate.js';

/** One candidate with everything a decision needs to know about it, in plain numbers. */
export type Entry = {
  candidate: Candidate;
  relevance: number;
  /** For a placement of factor 1; the placement's own factor is applied by the auction. */
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

/** What is likely to become of an ad that is shown. */
export type Chances = Pick<Entry, 'pctr' | 'drawnPctr' | 'pcvr'>;

/** In place of chances nothing depends on: whoever reads the entry has them worked out. */
export const unasked = NaN;

/** Where each number of an entry stands in its row. */
export const relevanceAt = 0;
export const pctrAt = 1;
export const drawnPctrAt = 2;
export const pcvrAt = 3;
export const qualityAt = 4;
export const multiplierAt = 5;
export const bidAt = 6;
export const roomAt = 7;
/** How many charged events an impression brings; NaN where that depends on chances. */
export const rateAt = 8;
/** Behind them what the auction works out: the offer, the score without a floor, and the score. */
export const offerAt = 9;
export const unflooredAt = 10;
export const scoreAt = 11;
/** And why it does not win, so far, as a number of the auction's own. */
export const reasonAt = 12;
export const contenderWidth = 13;

/** Memory for one auction after the other: making it anew each time costs more. */
export class Sheet {
  numbers = new Float64Array(64 * contenderWidth);
  /** Whose rows these are; behind the last of this auction some of another may follow. */
  readonly candidates: Candidate[] = [];

  grow(): void {
    const { numbers } = this;
    this.numbers = new Float64Array(2 * numbers.length);
    this.numbers.set(numbers);
  }
}

/** What stands on a shared sheet holds until somebody else is written there. */
export class Contenders {
  count = 0;
  private readonly sheet: Sheet;
  private readonly chancesOf: ((candidate: Candidate, relevance: number) => Chances) | null;

  constructor(sheet = new Sheet(), chancesOf: Contenders['chancesOf'] = null) {
    this.sheet = sheet;
    this.chancesOf = chancesOf;
  }

  get candidates(): readonly Candidate[] {
    return this.sheet.candidates.slice(0, this.count);
  }

  /** The rows, until somebody is added. */
  get numbers(): Float64Array {
    return this.sheet.numbers;
  }

  add(
    candidate: Candidate,
    relevance: number,
    pctr: number,
    drawnPctr: number,
    pcvr: number,
    quality: number,
    multiplier: number,
    bidMicros: number,
    roomMicros: number,
    rate = fixedRate(candidate.bid.charge),
  ): void {
    const from = this.count * contenderWidth;
    this.sheet.candidates[this.count] = candidate;
    this.count += 1;
    if (from + contenderWidth > this.sheet.numbers.length) this.sheet.grow();
    const { numbers } = this.sheet;
    numbers[from + relevanceAt] = relevance;
    numbers[from + pctrAt] = pctr;
    numbers[from + drawnPctrAt] = drawnPctr;
    numbers[from + pcvrAt] = pcvr;
    numbers[from + qualityAt] = quality;
    numbers[from + multiplierAt] = multiplier;
    numbers[from + bidAt] = bidMicros;
    numbers[from + roomAt] = roomMicros;
    numbers[from + rateAt] = rate;
    numbers[from + unflooredAt] = 0;
    numbers[from + scoreAt] = 0;
  }

  candidate(index: number): Candidate {
    const candidate = index < this.count ? this.sheet.candidates[index] : undefined;
    if (candidate === undefined) throw new RangeError(`nobody took part as number ${index}`);
    return candidate;
  }

  number(index: number, at: number): number {
    return this.sheet.numbers[index * contenderWidth + at] ?? 0;
  }

  /** The row as an object, for the few that somebody reads. */
  entry(index: number): Entry {
    const candidate = this.candidate(index);
    const relevance = this.number(index, relevanceAt);
    const { pctr, drawnPctr, pcvr } = this.chances(index, candidate, relevance);
    return {
      candidate,
      relevance,
      pctr,
      drawnPctr,
      pcvr,
      quality: this.number(index, qualityAt),
      multiplier: this.number(index, multiplierAt),
      bidMicros: this.number(index, bidAt),
      roomMicros: this.number(index, roomAt),
    };
  }

  private chances(index: number, candidate: Candidate, relevance: number): Chances {
    const pctr = this.number(index, pctrAt);
    return Number.isNaN(pctr) && this.chancesOf !== null
      ? this.chancesOf(candidate, relevance)
      : {
          pctr,
          drawnPctr: this.number(index, drawnPctrAt),
          pcvr: this.number(index, pcvrAt),
        };
  }
}

export function contendersOf(entries: readonly Entry[]): Contenders {
  const contenders = new Contenders();
  for (const entry of entries)
    contenders.add(
      entry.candidate,
      entry.relevance,
      entry.pctr,
      entry.drawnPctr,
      entry.pcvr,
      entry.quality,
      entry.multiplier,
      entry.bidMicros,
      entry.roomMicros,
    );
  return contenders;
}
