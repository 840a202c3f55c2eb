// The newest postings, still growing: chained by term, so that they can be searched before they are
// sorted into a segment.
import { growableU16, growableU32, pushU16, pushU32, resizedU32 } from './growable.js';
import type { PostingSegment } from './posting-segment.js';

export class OpenPostings {
  private terms = growableU32();
  private docs = growableU32();
  private packed = growableU16();
  /**
   * Chains the postings of one term: `last[term]` is the newest, `previous` the one before; both
   * are positions plus one.
   */
  private previous = growableU32();
  private last = new Uint32Array(1024);
  /** Zero between two calls of `freeze`. */
  private counts = new Uint32Array(1024);
  private members = growableU32();

  get length(): number {
    return this.terms.length;
  }

  fitTerms(size: number): void {
    this.last = resizedU32(this.last, size);
    this.counts = new Uint32Array(size);
  }

  /** Says that the postings pushed from now on are this document's. */
  open(doc: number): void {
    pushU32(this.members, doc);
  }

  push(term: number, doc: number, packed: number): void {
    pushU32(this.terms, term);
    pushU32(this.docs, doc);
    pushU16(this.packed, packed);
    pushU32(this.previous, this.last[term] ?? 0);
    this.last[term] = this.terms.length;
  }

  visit(term: number, each: (doc: number, packed: number) => void): void {
    for (let at = this.last[term] ?? 0; at > 0; at = this.previous.data[at - 1] ?? 0)
      each(this.docs.data[at - 1] ?? 0, this.packed.data[at - 1] ?? 0);
  }

  /** Groups what was gathered by term, in the order it came, and starts anew. */
  freeze(): PostingSegment {
    const { counts } = this;
    const size = this.terms.length;
    const found = growableU32(1024);
    for (let i = 0; i < size; i++) {
      const term = this.terms.data[i] as number; // below size
      if (counts[term] === 0) pushU32(found, term);
      counts[term] = (counts[term] as number) + 1; // fitted to every term
    }
    const terms = found.data.slice(0, found.length).sort();
    const offsets = new Uint32Array(terms.length + 1);
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] as number; // below length
      offsets[at + 1] = (offsets[at] as number) + (counts[term] as number); // as above
      counts[term] = offsets[at] as number; // as above
    }
    const docs = new Uint32Array(size);
    const packed = new Uint16Array(size);
    for (let i = 0; i < size; i++) {
      const term = this.terms.data[i] as number; // as above
      const place = counts[term] as number; // as above
      counts[term] = place + 1;
      docs[place] = this.docs.data[i] as number; // as above
      packed[place] = this.packed.data[i] as number; // as above
    }
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at] as number; // as above
      counts[term] = 0;
      this.last[term] = 0;
    }
    const members = this.members.data.slice(0, this.members.length);
    this.terms = growableU32();
    this.docs = growableU32();
    this.packed = growableU16();
    this.previous = growableU32();
    this.members = growableU32();
    return { terms, offsets, docs, packed, members };
  }

  bytes(): number {
    return this.terms.data.length * 14 + this.last.length * 8;
  }
}
