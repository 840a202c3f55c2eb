/** A map that forgets what was unused for longest once it is full. */
export type BoundedCache<K, V> = {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  readonly size: number;
};

/**
 * Two generations: what is used moves to the young one, and when that is full the old one is
 * dropped whole. A hit on a young
 * entry then writes nothing, where an exact order of use would cost a delete and an insert each
 * time.
 */
export function createBoundedCache<K, V>(limit: number): BoundedCache<K, V> {
  const half = Math.max(1, limit >> 1);
  let young = new Map<K, V>();
  let old = new Map<K, V>();

  function set(key: K, value: V): void {
    if (young.size >= half && !young.has(key)) {
      old = limit > 1 ? young : new Map();
      young = new Map();
    }
    young.set(key, value);
    old.delete(key);
  }

  return {
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    get size() {
      return young.size + old.size;
    },
  };
}

/**
 * The function, asked once for each of the arguments it remembers. It must not return undefined.
 */
export function remember<K, V>(ask: (key: K) => V, limit: number): (key: K) => V {
  const cache = createBoundedCache<K, V>(limit);
  return (key) => {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const answer = ask(key);
    cache.set(key, answer);
    return answer;
  };
}
