/**
 * The places of the `limit` best of `length` documents, best first; equal scores in document order.
 * The score of each is at the same place in `values`. A heap: most documents never get in.
 */
export function topDocuments(
  docs: ArrayLike<number>,
  values: Float32Array | Uint32Array,
  length: number,
  limit: number,
): number[] {
  const room = Math.min(limit, length);
  if (room === 0) return [];
  const heap = new Uint32Array(room);
  const scores = new Float64Array(room);
  const places = new Uint32Array(room);
  let size = 0;
  /** Whether the place holds a lower score, or the same of a later document. */
  const isWorse = (one: number, other: number): boolean => {
    const difference = (scores[one] as number) - (scores[other] as number); // both below size
    return difference < 0 || (difference === 0 && (heap[one] as number) > (heap[other] as number)); // as above
  };
  const swap = (one: number, other: number): void => {
    swapIn(heap, one, other);
    swapIn(scores, one, other);
    swapIn(places, one, other);
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
  const put = (at: number, place: number): void => {
    heap[at] = docs[place] as number; // below length
    scores[at] = values[place] as number; // as above
    places[at] = place;
  };
  let least = 0;
  for (let place = 0; place < length; place++) {
    if (size < room) {
      put(size, place);
      size += 1;
      if (size === room) for (let at = room >>> 1; at >= 0; at--) sink(at);
    } else {
      const score = values[place] as number; // as above
      // room is not 0
      if (score < least || (score === least && (docs[place] as number) > (heap[0] as number)))
        continue;
      put(0, place);
      sink(0);
    }
    least = scores[0] as number; // as above
  }
  return Array.from({ length: room }, (_, at) => at)
    .sort((a, b) => (isWorse(a, b) ? 1 : -1))
    .map((at) => places[at] as number); // as above
}

function swapIn(list: Uint32Array | Float64Array, one: number, other: number): void {
  const held = list[one] as number; // both are below length
  list[one] = list[other] as number; // as above
  list[other] = held;
}
