// An immutable run of postings, grouped by term: which documents hold the term, how strongly, and in which kind of field.
import type { GrowableU16, GrowableU32 } from './growable.js';

/** One posting is a document number and 16 bits: 12 of saturated weight, 4 of zones. */
export const zoneBits = 4;
export const impactScale = 4095;

export interface PostingSegment {
  /** Term numbers held, ascending. */
  terms: Uint32Array;
  /** `offsets[i]` to `offsets[i + 1]` are the postings of `terms[i]`. */
  offsets: Uint32Array;
  docs: Uint32Array;
  packed: Uint16Array;
}

/** Index of `term` in the segment, or -1. */
export function findTerm(segment: PostingSegment, term: number): number {
  const { terms } = segment;
  let low = 0;
  let high = terms.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = terms[middle] ?? 0;
    if (found === term) return middle;
    if (found < term) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Groups a stream of (term, doc, packed) by term, keeping document order inside a term. */
export function buildSegment(termOf: GrowableU32, docs: GrowableU32, packed: GrowableU16, termCount: number): PostingSegment {
  const size = termOf.length;
  const counts = new Uint32Array(termCount);
  let distinct = 0;
  for (let i = 0; i < size; i++) {
    const term = termOf.data[i] ?? 0;
    if (counts[term] === 0) distinct += 1;
    counts[term] = (counts[term] ?? 0) + 1;
  }
  const terms = new Uint32Array(distinct);
  const offsets = new Uint32Array(distinct + 1);
  let at = 0;
  let start = 0;
  for (let term = 0; term < termCount; term++) {
    const count = counts[term] ?? 0;
    if (count === 0) continue;
    terms[at] = term;
    offsets[at] = start;
    counts[term] = start;
    start += count;
    at += 1;
  }
  offsets[distinct] = size;
  const outDocs = new Uint32Array(size);
  const outPacked = new Uint16Array(size);
  for (let i = 0; i < size; i++) {
    const term = termOf.data[i] ?? 0;
    const place = counts[term] ?? 0;
    counts[term] = place + 1;
    outDocs[place] = docs.data[i] ?? 0;
    outPacked[place] = packed.data[i] ?? 0;
  }
  return { terms, offsets, docs: outDocs, packed: outPacked };
}

/**
 * One segment out of neighbours, in order. `place` gives each document's number afterwards, or -1 for a document that is gone;
 * it must keep the order of documents.
 */
export function mergeSegments(parts: readonly PostingSegment[], place: (doc: number) => number): PostingSegment {
  const capacity = parts.reduce((sum, part) => sum + part.docs.length, 0);
  const docs = new Uint32Array(capacity);
  const packed = new Uint16Array(capacity);
  const terms: GrowableU32 = { data: new Uint32Array(parts.reduce((sum, part) => sum + part.terms.length, 0)), length: 0 };
  const offsets = new Uint32Array(terms.data.length + 1);
  const cursors = new Uint32Array(parts.length);
  let size = 0;
  for (;;) {
    let term = -1;
    for (const [index, part] of parts.entries()) {
      const next = part.terms[cursors[index] ?? 0];
      if (next !== undefined && (term === -1 || next < term)) term = next;
    }
    if (term === -1) break;
    const before = size;
    for (const [index, part] of parts.entries()) {
      const cursor = cursors[index] ?? 0;
      if (part.terms[cursor] !== term) continue;
      cursors[index] = cursor + 1;
      size = copyPostings(part, cursor, place, docs, packed, size);
    }
    if (size === before) continue;
    terms.data[terms.length] = term;
    offsets[terms.length] = before;
    terms.length += 1;
  }
  offsets[terms.length] = size;
  return { terms: terms.data.slice(0, terms.length), offsets: offsets.slice(0, terms.length + 1), docs: docs.slice(0, size), packed: packed.slice(0, size) };
}

function copyPostings(part: PostingSegment, cursor: number, place: (doc: number) => number, docs: Uint32Array, packed: Uint16Array, from: number): number {
  let size = from;
  const end = part.offsets[cursor + 1] ?? 0;
  for (let i = part.offsets[cursor] ?? 0; i < end; i++) {
    const doc = place(part.docs[i] ?? 0);
    if (doc < 0) continue;
    docs[size] = doc;
    packed[size] = part.packed[i] ?? 0;
    size += 1;
  }
  return size;
}
