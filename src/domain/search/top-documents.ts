/** The `limit` best of `length` documents, best first; equal scores in document order. A heap: most documents never get in. */
export function topDocuments(docs: ArrayLike<number>, length: number, scoreOf: (doc: number) => number, limit: number): number[] {
  const heap: number[] = [];
  const isWorse = (one: number, other: number): boolean => {
    const difference = scoreOf(one) - scoreOf(other);
    return difference < 0 || (difference === 0 && one > other);
  };
  const sink = (from: number): void => {
    let at = from;
    for (;;) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < heap.length && isWorse(heap[child] ?? 0, heap[worst] ?? 0)) worst = child;
      if (worst === at) return;
      [heap[at], heap[worst]] = [heap[worst] ?? 0, heap[at] ?? 0];
      at = worst;
    }
  };
  for (let i = 0; i < length; i++) {
    const doc = docs[i] ?? 0;
    if (heap.length < limit) {
      heap.push(doc);
      if (heap.length === limit) for (let at = (limit >>> 1); at >= 0; at--) sink(at);
    } else if (limit > 0 && isWorse(heap[0] ?? 0, doc)) {
      heap[0] = doc;
      sink(0);
    }
  }
  return heap.sort((a, b) => (isWorse(a, b) ? 1 : -1));
}
