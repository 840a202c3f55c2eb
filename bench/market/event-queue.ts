/** Things that happen later, in order of time. */
export type EventQueue<Event> = {
  push(at: number, event: Event): void;
  next(until: number): { at: number; event: Event } | null;
};

export function createEventQueue<Event>(): EventQueue<Event> {
  const heap: { at: number; event: Event }[] = [];
  const timeAt = (index: number) => heap[index]?.at ?? Infinity;

  function swap(a: number, b: number): void {
    const [left, right] = [heap[a], heap[b]];
    if (left === undefined || right === undefined) return;
    heap[a] = right;
    heap[b] = left;
  }

  return {
    push(at, event) {
      let index = heap.push({ at, event }) - 1;
      while (index > 0 && timeAt((index - 1) >> 1) > at) {
        swap(index, (index - 1) >> 1);
        index = (index - 1) >> 1;
      }
    },
    next(until) {
      const top = heap[0];
      if (top === undefined || top.at > until) return null;
      swap(0, heap.length - 1);
      heap.pop();
      for (let index = 0; ;) {
        const child = timeAt(2 * index + 2) < timeAt(2 * index + 1) ? 2 * index + 2 : 2 * index + 1;
        if (timeAt(child) >= timeAt(index)) break;
        swap(index, child);
        index = child;
      }
      return top;
    },
  };
}
