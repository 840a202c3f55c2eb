// Everybody who takes part in an auction, as columns of plain numbers. A request has fifty of them
// and shows one: an object for each, with a box for every number in it, cost more than the auction.
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
/** Behind them what the auction works out: the offer, the score without a floor, and the score. */
export const offerAt = 8;
export const unflooredAt = 9;
export const scoreAt = 10;
const width = 11;

/** Memory for the numbers of one auction after the other: making it anew each time costs more. */
export class Sheet {
  numbers = new Float64Array(64 * width);

  grow(): void {
    const { numbers } = this;
    this.numbers = new Float64Array(2 * numbers.length);
    this.numbers.set(numbers);
  }
}

/** What stands on a shared sheet holds until somebody else is written there. */
export class Contenders {
  readonly candidates: Candidate[] = [];
  private readonly sheet: Sheet;
  private readonly chancesOf: ((candidate: Candidate, relevance: number) => Chances) | null;

  constructor(sheet = new Sheet(), chancesOf: Contenders['chancesOf'] = null) {
    this.sheet = sheet;
    this.chancesOf = chancesOf;
  }

  get count(): number {
    return this.candidates.length;
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
  ): void {
    const from = this.candidates.push(candidate) * width - width;
    if (from + width > this.sheet.numbers.length) this.sheet.grow();
    const { numbers } = this.sheet;
    numbers[from + relevanceAt] = relevance;
    numbers[from + pctrAt] = pctr;
    numbers[from + drawnPctrAt] = drawnPctr;
    numbers[from + pcvrAt] = pcvr;
    numbers[from + qualityAt] = quality;
    numbers[from + multiplierAt] = multiplier;
    numbers[from + bidAt] = bidMicros;
    numbers[from + roomAt] = roomMicros;
    numbers[from + unflooredAt] = 0;
    numbers[from + scoreAt] = 0;
  }

  candidate(index: number): Candidate {
    const candidate = this.candidates[index];
    if (candidate === undefined) throw new RangeError(`nobody took part as number ${index}`);
    return candidate;
  }

  number(index: number, at: number): number {
    return this.sheet.numbers[index * width + at] ?? 0;
  }

  set(index: number, at: number, value: number): void {
    this.sheet.numbers[index * width + at] = value;
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
