export type Expiring = { expiresAt: number; live: boolean };

export type ExpiryQueue<Item extends Expiring> = {
  push(item: Item): void;
  /** Live items whose time has come, earliest heap order; they stay queued while live. */
  due(now: number): Item[];
};

/**
 * A binary heap by time. An item that is no longer live is dropped when it comes to the top, so
 * ending one costs nothing.
 */
export function createExpiryQueue<Item extends Expiring>(): ExpiryQueue<Item> {
  const heap: Item[] = [];
  const timeAt = (index: number) => heap[index]?.expiresAt ?? Infinity;

  function push(item: Item): void {
    let at = heap.length;
    heap.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || above.expiresAt <= item.expiresAt) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = item;
  }

  function dropTop(): void {
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const child = timeAt(left + 1) < timeAt(left) ? left + 1 : left;
      const below = heap[child];
      if (below === undefined || below.expiresAt >= last.expiresAt) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
  }

  function due(now: number): Item[] {
    while (heap[0]?.live === false) dropTop();
    const found: Item[] = [];
    // A parent is never later than its children, so only branches that are due are entered.
    const branches = [0];
    for (let at = branches.pop(); at !== undefined; at = branches.pop()) {
      const item = heap[at];
      if (item === undefined || item.expiresAt > now) continue;
      if (item.live) found.push(item);
      branches.push(2 * at + 1, 2 * at + 2);
    }
    return found;
  }

  return { push, due };
}
