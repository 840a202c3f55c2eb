/**
 * The places of the `limit` best of `length` documents, best first; equal scores in document order.
 * The score of each is at the same place in `values`. A heap: most documents never get in.
 */
export function topDocuments(
  docs: Uint32Array,
  values: Float32Array | Uint32Array,
  length: number,
  limit: number,
): number[] {
  const room = Math.min(limit, length);
  if (room === 0) return [];
  const heap: Heap = { places: new Uint32Array(room), docs, values };
  const { places } = heap;
  for (let place = 0; place < room; place++) places[place] = place;
  for (let at = (room >>> 1) - 1; at >= 0; at--) sink(heap, room, at, at);
  letIn(heap, length);
  // The worst of those left goes behind them, as a heap is sorted.
  for (let size = room - 1; size > 0; size--) {
    const worst = places[0] as number; // room is not 0
    sink(heap, size, 0, places[size] as number); // below room
    places[size] = worst;
  }
  return Array.from(places);
}

/** Places of documents, none before one that is worse: the worst of all stands first. */
interface Heap {
  places: Uint32Array;
  docs: Uint32Array;
  values: Float32Array | Uint32Array;
}

/** Nothing but the loop, as everywhere where a loop goes through all that was found. */
function letIn(heap: Heap, length: number): void {
  const { places, docs, values } = heap;
  const room = places.length;
  let worst = places[0] as number; // room is not 0
  let least = values[worst] as number; // places are below length
  for (let place = room; place < length; place++) {
    const score = values[place] as number; // as above
    // As above.
    if (score < least || (score === least && (docs[place] as number) > (docs[worst] as number)))
      continue;
    sink(heap, room, 0, place);
    worst = places[0] as number; // as above
    least = values[worst] as number; // as above
  }
}

/** Puts a place where it belongs, at `from` or below it; what was at `from` is gone. */
function sink({ places, docs, values }: Heap, size: number, from: number, place: number): void {
  const score = values[place] as number; // places are below length
  const doc = docs[place] as number; // as above
  let at = from;
  for (let child = 2 * at + 1; child < size; child = 2 * at + 1) {
    let lower = places[child] as number; // below size
    let lowest = values[lower] as number; // as above
    if (child + 1 < size) {
      const other = places[child + 1] as number; // as above
      const its = values[other] as number; // as above
      // As above.
      if (its < lowest || (its === lowest && (docs[other] as number) > (docs[lower] as number))) {
        child += 1;
        lower = other;
        lowest = its;
      }
    }
    if (lowest > score || (lowest === score && (docs[lower] as number) <= doc)) break; // as above
    places[at] = lower;
    at = child;
  }
  places[at] = place;
}
