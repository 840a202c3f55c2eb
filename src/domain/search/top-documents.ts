/**
 * The `limit` best of `length` documents, best first; equal scores in document order. The score of
 * a document is at `doc << shift` in `values`. A heap: most documents never get in.
 */
export function topDocuments(
  docs: ArrayLike<number>,
  length: number,
  values: Float32Array | Uint32Array,
  shift: number,
  limit: number,
): number[] {
  const room = Math.min(limit, length);
  if (room === 0) return [];
  const heap = new Uint32Array(room);
  const scores = new Float64Array(room);
  let size = 0;
  /** Whether the place holds a lower score, or the same of a later document. */
  const isWorse = (one: number, other: number): boolean => {
    const difference = (scores[one] as number) - (scores[other] as number); // both below size
    return difference < 0 || (difference === 0 && (heap[one] as number) > (heap[other] as number)); // as above
  };
  const swap = (one: number, other: number): void => {
    const [doc, score] = [heap[one] as number, scores[one] as number]; // as above
    heap[one] = heap[other] as number; // as above
    scores[one] = scores[other] as number; // as above
    heap[other] = doc;
    scores[other] = score;
  };
  const sink = (from: number): void => {
    for (let at = from; ;) {
      const left = 2 * at + 1;
      let worst = left < size && isWorse(left, at) ? left : at;
      if (left + 1 < size && isWorse(left + 1, worst)) worst = left + 1;
      if (worst === at) return;
      swap(at, worst);
      at = worst;
    }
  };
  for (let i = 0; i < length; i++) {
    const doc = docs[i] as number; // below length
    const score = values[doc << shift] as number; // one for every document
    if (size < room) {
      heap[size] = doc;
      scores[size] = score;
      size += 1;
      if (size === room) for (let at = room >>> 1; at >= 0; at--) sink(at);
    } else if (
      score > (scores[0] as number) ||
      (score === scores[0] && doc < (heap[0] as number))
    ) {
      // room is not 0
      heap[0] = doc;
      scores[0] = score;
      sink(0);
    }
  }
  return Array.from({ length: room }, (_, at) => at)
    .sort((a, b) => (isWorse(a, b) ? 1 : -1))
    .map((at) => heap[at] as number); // as above
}
