// BM25F over typed arrays. Documents are numbered by the caller in ascending order; a field's weight, length normalisation and
// term saturation are folded into one stored number per posting, so a query only adds numbers up. Lengths are compared with a fixed reference
// instead of a running average: the score of a document never depends on when it was added.
import { growableU16, growableU32, pushU16, pushU32, resizedU32 } from './growable.js';
import { addMatch, emptyScratch, firmCell, matchedCell, namedCell, scoreRun, type Scored, type Scratch } from './scored.js';
import { buildSegment, findTerm, impactScale, mergeSegments, type PostingSegment } from './posting-segment.js';

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
  /** Frozen parts are not merged beyond this many postings, which bounds the pause of a merge. */
  largestMerge?: number;
}

/** One way to satisfy a part of the query: a term, or documents found by other means (a phrase) with a strength of 0 to 1. */
export type Alternative = { term: number; weight: number } | { docs: ArrayLike<number>; strength: number; zones: number; weight: number };

/** A part of the query. Its alternatives compete: the best one counts. */
export interface QueryGroup {
  alternatives: readonly Alternative[];
  weight: number;
  /** Adds to documents that match another group, but brings in none by itself. */
  supporting?: boolean;
}

/** Groups of one query are bits of a 32-bit number. */
export const groupLimit = 31;

export class Bm25f {
  private readonly settings: Bm25fSettings;
  private segments: PostingSegment[] = [];
  private openTerms = growableU32();
  private openDocs = growableU32();
  private openPacked = growableU16();
  /** Chains the open postings of one term: `last[term]` is the newest, `previous` the one before; both are positions plus one. */
  private previous = growableU32();
  private last = new Uint32Array(1024);
  private openLimit: number;
  private weighted = new Float32Array(1024);
  private zonesOf = new Uint8Array(1024);
  private scratch: Scratch;

  constructor(settings: Bm25fSettings) {
    this.settings = settings;
    this.openLimit = settings.openPostings ?? 1 << 18;
    this.scratch = emptyScratch(0);
  }

  /** `terms[f]` are the term numbers of field f, with repeats; `termCount` is above every term number. */
  add(doc: number, terms: readonly (readonly number[])[], termCount: number): void {
    this.fitTerms(termCount);
    const { weighted, zonesOf } = this;
    const touched: number[] = [];
    for (const [index, field] of this.settings.fields.entries()) {
      const list = terms[index];
      if (list === undefined || list.length === 0) continue;
      const step = field.weight / (1 - field.lengthNorm + field.lengthNorm * (list.length / field.usualLength));
      for (const term of list) {
        if (weighted[term] === 0) touched.push(term);
        weighted[term] = (weighted[term] ?? 0) + step;
        zonesOf[term] = (zonesOf[term] ?? 0) | field.zone;
      }
    }
    for (const term of touched) {
      const frequency = weighted[term] ?? 0;
      const impact = Math.max(1, Math.round((frequency / (frequency + this.settings.saturation)) * impactScale));
      this.push(term, doc, (impact << 4) | (zonesOf[term] ?? 0));
      weighted[term] = 0;
      zonesOf[term] = 0;
    }
  }

  private push(term: number, doc: number, packed: number): void {
    pushU32(this.openTerms, term);
    pushU32(this.openDocs, doc);
    pushU16(this.openPacked, packed);
    pushU32(this.previous, this.last[term] ?? 0);
    this.last[term] = this.openTerms.length;
  }

  private fitTerms(termCount: number): void {
    if (termCount <= this.last.length) return;
    const size = Math.max(termCount, this.last.length * 2);
    this.last = resizedU32(this.last, size);
    this.weighted = new Float32Array(size);
    this.zonesOf = new Uint8Array(size);
  }

  isOpenFull(): boolean {
    return this.openTerms.length >= this.openLimit;
  }

  setOpenLimit(postings: number): void {
    this.openLimit = postings;
  }

  /** Turns the open part into a frozen one and merges small neighbours, leaving out documents that are no longer `alive`. */
  freeze(alive: Uint8Array): void {
    if (this.openTerms.length === 0) return;
    this.segments.push(buildSegment(this.openTerms, this.openDocs, this.openPacked, this.last.length));
    for (let i = 0; i < this.openTerms.length; i++) this.last[this.openTerms.data[i] ?? 0] = 0;
    this.openTerms = growableU32();
    this.openDocs = growableU32();
    this.openPacked = growableU16();
    this.previous = growableU32();
    const largest = this.settings.largestMerge ?? 1 << 23;
    for (;;) {
      const newer = this.segments.at(-1);
      const older = this.segments.at(-2);
      if (newer === undefined || older === undefined) return;
      if (older.docs.length > newer.docs.length * 2 || older.docs.length + newer.docs.length > largest) return;
      this.segments.splice(-2, 2, mergeSegments([older, newer], (doc) => (alive[doc] === 1 ? doc : -1)));
    }
  }

  /** Gives documents new numbers (-1: gone); the order of documents must not change. */
  renumber(place: (doc: number) => number, alive: Uint8Array): void {
    this.freeze(alive);
    this.segments = this.segments.map((segment) => mergeSegments([segment], place)).filter((segment) => segment.docs.length > 0);
  }

  /** How many documents hold the term. Removed ones count until a merge leaves them out. */
  frequency(term: number): number {
    let count = 0;
    for (const segment of this.segments) {
      const at = findTerm(segment, term);
      if (at >= 0) count += (segment.offsets[at + 1] ?? 0) - (segment.offsets[at] ?? 0);
    }
    for (let at = this.last[term] ?? 0; at > 0; at = this.previous.data[at - 1] ?? 0) count += 1;
    return count;
  }

  visit(term: number, each: (doc: number, zones: number) => void): void {
    for (const segment of this.segments) {
      const at = findTerm(segment, term);
      if (at < 0) continue;
      const end = segment.offsets[at + 1] ?? 0;
      for (let i = segment.offsets[at] ?? 0; i < end; i++) each(segment.docs[i] ?? 0, (segment.packed[i] ?? 0) & 15);
    }
    for (let at = this.last[term] ?? 0; at > 0; at = this.previous.data[at - 1] ?? 0) each(this.openDocs.data[at - 1] ?? 0, (this.openPacked.data[at - 1] ?? 0) & 15);
  }

  /**
   * Adds up the groups over documents whose place in `eligible` is not 0 and that `admits` lets in; those it refuses get a 0 in `eligible`.
   * At most `groupLimit` groups are looked at.
   */
  score(groups: readonly QueryGroup[], eligible: Uint8Array, docCount: number, admits: ((doc: number) => boolean) | null = null): Scored {
    const scratch = this.clearScratch(docCount);
    scratch.admits = admits;
    for (const supporting of [false, true]) {
      scratch.closed = supporting;
      for (const [index, group] of groups.slice(0, groupLimit).entries()) if ((group.supporting ?? false) === supporting) this.scoreGroup(group, 1 << index, eligible);
    }
    return scratch;
  }

  private scoreGroup(group: QueryGroup, bit: number, eligible: Uint8Array): void {
    const several = group.alternatives.length > 1;
    for (const alternative of group.alternatives) {
      const factor = group.weight * alternative.weight;
      if ('term' in alternative) this.scoreTerm(alternative.term, bit, factor / impactScale, several, eligible);
      else for (let i = 0; i < alternative.docs.length; i++) addMatch(this.scratch, alternative.docs[i] ?? 0, bit, factor * alternative.strength, alternative.zones, several, eligible);
    }
  }

  private scoreTerm(term: number, bit: number, factor: number, several: boolean, eligible: Uint8Array): void {
    const { scratch } = this;
    for (const segment of this.segments) {
      const at = findTerm(segment, term);
      if (at < 0) continue;
      scoreRun(scratch, segment.docs, segment.packed, segment.offsets[at] ?? 0, segment.offsets[at + 1] ?? 0, bit, factor, several, eligible);
    }
    for (let at = this.last[term] ?? 0; at > 0; at = this.previous.data[at - 1] ?? 0) {
      const packed = this.openPacked.data[at - 1] ?? 0;
      addMatch(scratch, this.openDocs.data[at - 1] ?? 0, bit, factor * (packed >>> 4), packed & 15, several, eligible);
    }
  }

  private clearScratch(docCount: number): Scratch {
    if (this.scratch.docs.length < docCount) {
      this.scratch = emptyScratch(docCount + (docCount >>> 3) + 64);
      return this.scratch;
    }
    const { docs, cells, count } = this.scratch;
    if (count > docCount >>> 2) cells.fill(0);
    else {
      for (let i = 0; i < count; i++) {
        const cell = (docs[i] as number) << 2; // below count
        cells[cell] = 0; // the bits of a score of zero
        cells[cell + matchedCell] = 0;
        cells[cell + firmCell] = 0;
        cells[cell + namedCell] = 0;
      }
    }
    this.scratch.count = 0;
    return this.scratch;
  }

  stats(): { postings: number; segments: number; bytes: number } {
    let postings = this.openTerms.length;
    let bytes = this.openTerms.data.length * 14 + this.last.length * 9 + this.scratch.docs.length * 24;
    for (const segment of this.segments) {
      postings += segment.docs.length;
      bytes += segment.docs.length * 6 + segment.terms.length * 8;
    }
    return { postings, segments: this.segments.length + 1, bytes };
  }
}
