// An immutable run of postings, grouped by term: which documents hold the term, how strongly, and
// in which kind of field.

/** One posting is a document number and 16 bits: 12 of saturated weight, 4 of zones. */
export const impactScale = 4095;

export interface PostingSegment {
  /** Term numbers held, ascending. */
  terms: Uint32Array;
  /** `offsets[i]` to `offsets[i + 1]` are the postings of `terms[i]`. */
  offsets: Uint32Array;
  docs: Uint32Array;
  packed: Uint16Array;
  /** The documents whose postings are all in this segment. */
  members: Uint32Array;
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

/** Members that are no longer alive. */
export function countDead({ members }: PostingSegment, alive: Uint8Array): number {
  let dead = 0;
  for (let i = 0; i < members.length; i++) if (alive[members[i] as number] === 0) dead += 1; // below length
  return dead;
}
