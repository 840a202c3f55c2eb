// BM25F over typed arrays. Documents are numbered by the caller in ascending order; a field's
// weight, length normalisation and term saturation are folded into one stored number per posting,
// so a query only adds numbers up. Lengths are compared with a fixed reference instead of a running
// average: the score of a document never depends on when it was added.
import { resizedU32 } from './growable.js';
import { OpenPostings } from './open-postings.js';
import { PostingMerge } from './posting-merge.js';
import { countDead, findTerm, impactScale, type PostingSegment } from './posting-segment.js';
import { addMatch, emptyScratch, scoreRun, type Scored, type Scratch } from './scored.js';

export interface FieldSetting {
  weight: number;
  /** 0: length does not matter; 1: a term counts in proportion to the field's length. */
  lengthNorm: number;
  /** Terms in a usual field, against which longer and shorter ones are compared. */
  usualLength: number;
  zone: number;
}

export interface Bm25fSettings {
  fields: readonly FieldSetting[];
  saturation: number;
  /** Postings kept in the open, growing part before they are frozen. */
  openPostings?: number;
  /** Frozen parts are not merged beyond this many postings. */
  largestMerge?: number;
}

/**
 * One way to satisfy a part of the query: a term, or documents found by other means (a phrase) with
 * a strength of 0 to 1.
 */
export type Alternative =
  | { term: number; weight: number }
  | { docs: ArrayLike<number>; strength: number; zones: number; weight: number };

/** A part of the query. Its alternatives compete: the best one counts. */
export interface QueryGroup {
  alternatives: readonly Alternative[];
  weight: number;
  /** Adds to documents that match another group, but brings in none by itself. */
  supporting?: boolean;
}

/** Groups of one query are bits of a 32-bit number. */
export const groupLimit = 31;

/** Segments this near in size are merged. */
const nearInSize = 2.2;
const fewHoles = 4096;

export class Bm25f {
  private readonly settings: Bm25fSettings;
  private segments: PostingSegment[] = [];
  private readonly open = new OpenPostings();
  private merge: PostingMerge | null = null;
  private mergeRoom = new Uint8Array(0);
  /** Holes counted when the segments were last looked at for dead documents. */
  private holesSeen = 0;
  private openLimit: number;
  private termLimit = 1024;
  private weighted = new Float32Array(1024);
  private zonesOf = new Uint8Array(1024);
  /** By term: its postings in all parts. Asked for each word of each title that is read. */
  private frequencies = new Uint32Array(1024);
  private scratch: Scratch;

  constructor(settings: Bm25fSettings) {
    this.settings = settings;
    this.openLimit = settings.openPostings ?? 1 << 15;
    this.scratch = emptyScratch(0);
  }

  /**
   * `terms[f]` are the term numbers of field f, with repeats; `termCount` is above every term
   * number. A number may be used again once `tidy` has freed it.
   */
  add(doc: number, terms: readonly (readonly number[])[], termCount: number): void {
    this.fitTerms(termCount);
    const { weighted, zonesOf, open } = this;
    open.open(doc);
    const touched: number[] = [];
    for (const [index, field] of this.settings.fields.entries()) {
      const list = terms[index];
      if (list === undefined || list.length === 0) continue;
      const step =
        field.weight /
        (1 - field.lengthNorm + field.lengthNorm * (list.length / field.usualLength));
      for (const term of list) {
        if (weighted[term] === 0) touched.push(term);
        weighted[term] = (weighted[term] ?? 0) + step;
        zonesOf[term] = (zonesOf[term] ?? 0) | field.zone;
      }
    }
    for (const term of touched) {
      const frequency = weighted[term] ?? 0;
      const impact = Math.max(
        1,
        Math.round((frequency / (frequency + this.settings.saturation)) * impactScale),
      );
      open.push(term, doc, (impact << 4) | (zonesOf[term] ?? 0));
      this.frequencies[term] = (this.frequencies[term] as number) + 1; // fitted to every term
      weighted[term] = 0;
      zonesOf[term] = 0;
    }
    if (open.length >= this.openLimit) this.freeze();
  }

  private fitTerms(termCount: number): void {
    if (termCount <= this.termLimit) return;
    this.termLimit = Math.max(termCount, this.termLimit * 2);
    this.open.fitTerms(this.termLimit);
    this.weighted = new Float32Array(this.termLimit);
    this.zonesOf = new Uint8Array(this.termLimit);
    this.frequencies = resizedU32(this.frequencies, this.termLimit);
  }

  setOpenLimit(postings: number): void {
    this.openLimit = postings;
  }

  /** Turns the open part into a frozen one. */
  freeze(): void {
    if (this.open.length > 0) this.segments.push(this.open.freeze());
  }

  /**
   * Does about `budget` postings' worth of the merging that is due, leaving out documents that are
   * not `alive`; `holes` is how many of
   * those there are. Gives the numbers of documents that no posting mentions any more.
   */
  tidy(budget: number, alive: Uint8Array, holes: number): ArrayLike<number> {
    this.merge ??= this.chooseMerge(alive, holes);
    if (this.merge === null || !this.merge.step(budget)) return [];
    const { parts } = this.merge;
    const { segment, freed } = this.merge.result();
    this.merge.eachDropped((term, postings) => {
      this.frequencies[term] = (this.frequencies[term] as number) - postings; // fitted to every term
    });
    this.segments = [
      ...this.segments.filter((each) => !parts.includes(each)),
      ...(segment.members.length > 0 ? [segment] : []),
    ];
    this.merge = null;
    return freed;
  }

  /**
   * The two smallest segments that are near in size; else, when much of the index is holes, the
   * segment with the most of them.
   */
  private chooseMerge(alive: Uint8Array, holes: number): PostingMerge | null {
    const bySize = [...this.segments].sort((a, b) => a.docs.length - b.docs.length);
    for (let at = 1; at < bySize.length; at++) {
      const [small, large] = [bySize[at - 1], bySize[at]];
      if (
        small === undefined ||
        large === undefined ||
        large.docs.length + small.docs.length > (this.settings.largestMerge ?? 1 << 23)
      )
        break;
      if (large.docs.length <= small.docs.length * nearInSize)
        return this.startMerge([small, large], alive);
    }
    if (
      holes < Math.max(fewHoles, this.holesSeen) ||
      holes * 3 < this.segments.reduce((sum, { members }) => sum + members.length, 0)
    )
      return null;
    this.holesSeen = holes + (holes >>> 4);
    const dead = this.segments.map((segment) => countDead(segment, alive));
    const most = Math.max(0, ...dead);
    const worst = this.segments[dead.indexOf(most)];
    if (worst !== undefined && most * 4 > worst.members.length) {
      this.holesSeen = 0;
      return this.startMerge([worst], alive);
    }
    this.freeze();
    return null;
  }

  private startMerge(parts: readonly PostingSegment[], alive: Uint8Array): PostingMerge {
    if (this.mergeRoom.length < alive.length) this.mergeRoom = new Uint8Array(alive.length);
    return new PostingMerge(parts, alive, this.mergeRoom);
  }

  /** How many documents hold the term. Removed ones count until a merge leaves them out. */
  frequency(term: number): number {
    return this.frequencies[term] ?? 0;
  }

  visit(term: number, each: (doc: number, zones: number) => void): void {
    for (const segment of this.segments) {
      const at = findTerm(segment, term);
      if (at < 0) continue;
      const end = segment.offsets[at + 1] ?? 0;
      for (let i = segment.offsets[at] ?? 0; i < end; i++)
        each(segment.docs[i] ?? 0, (segment.packed[i] ?? 0) & 15);
    }
    this.open.visit(term, (doc, packed) => each(doc, packed & 15));
  }

  /**
   * Adds up the groups over documents whose place in `eligible` is not 0 and that `admits` lets in;
   * it is asked once for each document
   * that a group brings in. At most `groupLimit` groups are looked at.
   */
  score(
    groups: readonly QueryGroup[],
    eligible: Uint8Array,
    docCount: number,
    admits: ((doc: number) => boolean) | null = null,
  ): Scored {
    if (this.scratch.docs.length < docCount)
      this.scratch = emptyScratch(docCount + (docCount >>> 3) + 64);
    const { scratch } = this;
    scratch.marks.set(eligible.subarray(0, docCount));
    scratch.count = 0;
    scratch.admits = admits;
    for (const supporting of [false, true]) {
      scratch.closed = supporting;
      for (const [index, group] of groups.slice(0, groupLimit).entries())
        if ((group.supporting ?? false) === supporting) this.scoreGroup(group, 1 << index);
    }
    scratch.admits = null;
    return scratch;
  }

  private scoreGroup(group: QueryGroup, bit: number): void {
    const several = group.alternatives.length > 1;
    for (const alternative of group.alternatives) {
      const factor = group.weight * alternative.weight;
      if ('term' in alternative)
        this.scoreTerm(alternative.term, bit, factor / impactScale, several);
      else
        for (let i = 0; i < alternative.docs.length; i++)
          addMatch(
            this.scratch,
            alternative.docs[i] ?? 0,
            bit,
            factor * alternative.strength,
            alternative.zones,
            several,
          );
    }
  }

  private scoreTerm(term: number, bit: number, factor: number, several: boolean): void {
    const { scratch } = this;
    for (const segment of this.segments) {
      const at = findTerm(segment, term);
      if (at < 0) continue;
      scoreRun(
        scratch,
        segment.docs,
        segment.packed,
        segment.offsets[at] ?? 0,
        segment.offsets[at + 1] ?? 0,
        bit,
        factor,
        several,
      );
    }
    this.open.visit(term, (doc, packed) =>
      addMatch(scratch, doc, bit, factor * (packed >>> 4), packed & 15, several),
    );
  }

  /** How many postings `score` goes through for the group. */
  cost(group: QueryGroup): number {
    return group.alternatives.reduce(
      (sum, each) => sum + ('term' in each ? this.frequency(each.term) : each.docs.length),
      0,
    );
  }

  stats(): { postings: number; segments: number; bytes: number } {
    let postings = this.open.length;
    let bytes = this.open.bytes() + this.termLimit * 9 + this.scratch.docs.length * 33;
    for (const segment of this.segments) {
      postings += segment.docs.length;
      bytes += segment.docs.length * 6 + segment.terms.length * 8 + segment.members.length * 4;
    }
    return { postings, segments: this.segments.length + 1, bytes };
  }
}
