// Makes one segment out of several, a slice at a time: the old ones answer until the new one is
// whole.
import { growableU32, pushU32 } from './growable.js';
import { countDead, type PostingSegment } from './posting-segment.js';

export class PostingMerge {
  readonly parts: readonly PostingSegment[];
  /**
   * 1 for documents of the parts that were alive when the merge began. One that dies later is kept
   * until the next merge, whole.
   */
  private readonly kept: Uint8Array;
  private readonly docs: Uint32Array;
  private readonly packed: Uint16Array;
  private readonly terms: Uint32Array;
  private readonly offsets: Uint32Array;
  private readonly cursors: Uint32Array;
  /** Terms that lost postings of dead documents, and how many: pairs. */
  private readonly dropped = growableU32();
  private termCount = 0;
  private size = 0;
  /** Where to go on inside a term's postings: part and posting. */
  private part = 0;
  private posting = -1;
  private term = -1;

  /**
   * `room` is as long as `alive` and nobody else's until the merge is done: with a million
   * documents, one for each merge would keep the collector busy.
   */
  constructor(
    parts: readonly PostingSegment[],
    alive: Uint8Array,
    room = new Uint8Array(alive.length),
  ) {
    this.parts = parts;
    this.kept = room;
    for (const { members } of parts)
      for (let i = 0; i < members.length; i++)
        room[members[i] as number] = alive[members[i] as number] as number; // below length
    const capacity = parts.reduce((sum, part) => sum + part.docs.length, 0);
    this.docs = new Uint32Array(capacity);
    this.packed = new Uint16Array(capacity);
    this.terms = new Uint32Array(parts.reduce((sum, part) => sum + part.terms.length, 0));
    this.offsets = new Uint32Array(this.terms.length + 1);
    this.cursors = new Uint32Array(parts.length);
  }

  /** Copies about `budget` postings; true when nothing is left to copy. */
  step(budget: number): boolean {
    let left = budget;
    while (left > 0) {
      if (this.term < 0 && !this.openTerm()) return true;
      left -= this.copy(left) + 8;
    }
    return false;
  }

  /** The smallest term that any part still holds. */
  private openTerm(): boolean {
    let least = -1;
    for (const [index, part] of this.parts.entries()) {
      const next = part.terms[this.cursors[index] as number]; // one cursor for each part
      if (next !== undefined && (least < 0 || next < least)) least = next;
    }
    this.term = least;
    this.part = 0;
    this.posting = -1;
    this.offsets[this.termCount] = this.size;
    return least >= 0;
  }

  private copy(budget: number): number {
    let done = 0;
    const { docs, packed, kept } = this;
    for (; this.part < this.parts.length; this.part++) {
      const from = this.parts[this.part] as PostingSegment; // below length
      const cursor = this.cursors[this.part] as number; // as above
      if (from.terms[cursor] !== this.term) continue;
      // the term is at cursor
      const start = this.posting < 0 ? (from.offsets[cursor] as number) : this.posting;
      const end = from.offsets[cursor + 1] as number; // as above
      const stop = Math.min(end, start + budget - done);
      let size = this.size;
      for (let i = start; i < stop; i++) {
        const doc = from.docs[i] as number; // within the term's postings
        if (kept[doc] === 0) continue;
        docs[size] = doc;
        packed[size] = from.packed[i] as number; // as above
        size += 1;
      }
      const lost = stop - start - (size - this.size);
      if (lost > 0) {
        pushU32(this.dropped, this.term);
        pushU32(this.dropped, lost);
      }
      this.size = size;
      done += stop - start;
      if (stop < end) {
        this.posting = stop;
        return done;
      }
      this.cursors[this.part] = cursor + 1;
      this.posting = -1;
    }
    this.closeTerm();
    return done;
  }

  /** A term none of whose documents is left is not held. */
  private closeTerm(): void {
    if (this.size > (this.offsets[this.termCount] as number)) {
      // set when the term was opened
      this.terms[this.termCount] = this.term;
      this.termCount += 1;
    }
    this.term = -1;
  }

  eachDropped(each: (term: number, postings: number) => void): void {
    const { data, length } = this.dropped;
    for (let at = 0; at < length; at += 2) each(data[at] as number, data[at + 1] as number); // below length
  }

  /** After the last step: the whole, and the documents that are in no segment any more. */
  result(): { segment: PostingSegment; freed: Uint32Array } {
    this.offsets[this.termCount] = this.size;
    const members = new Uint32Array(this.parts.reduce((sum, part) => sum + part.members.length, 0));
    const freed = new Uint32Array(
      this.parts.reduce((sum, part) => sum + countDead(part, this.kept), 0),
    );
    let [living, gone] = [0, 0];
    for (const part of this.parts) {
      for (let i = 0; i < part.members.length; i++) {
        const doc = part.members[i] as number; // below length
        if (this.kept[doc] === 1) members[living++] = doc;
        else freed[gone++] = doc;
      }
    }
    const { terms, offsets, docs, packed, termCount, size } = this;
    // Views, not copies: memory that was never written to is not taken from the machine.
    return {
      segment: {
        terms: terms.subarray(0, termCount),
        offsets: offsets.subarray(0, termCount + 1),
        docs: docs.subarray(0, size),
        packed: packed.subarray(0, size),
        members: members.subarray(0, living),
      },
      freed,
    };
  }
}
