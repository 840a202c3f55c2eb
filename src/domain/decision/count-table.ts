// Two running sums per numeric key, in typed arrays: reading a key that was never written is 0 and
// allocates nothing.

export type CountTable = {
  first(key: number): number;
  second(key: number): number;
  add(key: number, first: number, second: number): void;
  rows(): [key: number, first: number, second: number][];
};

/** For keys without gaps: one array, no look-up. */
export function createDenseCountTable(): CountTable {
  let sums = new Float64Array(64);

  return {
    first: (key) => sums[2 * key] ?? 0,
    second: (key) => sums[2 * key + 1] ?? 0,
    add(key, first, second) {
      while (2 * key + 1 >= sums.length) sums = grown(sums);
      sums[2 * key] = (sums[2 * key] ?? 0) + first;
      sums[2 * key + 1] = (sums[2 * key + 1] ?? 0) + second;
    },
    rows() {
      const rows: [number, number, number][] = [];
      for (let key = 0; 2 * key < sums.length; key++) {
        const [first, second] = [sums[2 * key] ?? 0, sums[2 * key + 1] ?? 0];
        if (first !== 0 || second !== 0) rows.push([key, first, second]);
      }
      return rows;
    },
  };
}

function grown(sums: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(sums.length * 2);
  larger.set(sums);
  return larger;
}

/** For keys with large gaps. */
export function createCountTable(): CountTable & { has(key: number): boolean } {
  const places = new Map<number, number>();
  let sums = new Float64Array(64);
  /** One candidate's key is read several times in a row; looking it up is what costs. */
  let lastKey = -1;
  let lastAt = -1;

  function placeOf(key: number): number {
    const known = places.get(key);
    if (known !== undefined) return known;
    const at = places.size * 2;
    places.set(key, at);
    lastKey = -1;
    if (at >= sums.length) sums = grown(sums);
    return at;
  }

  function read(key: number, offset: number): number {
    if (key !== lastKey) {
      lastKey = key;
      lastAt = places.get(key) ?? -1;
    }
    return lastAt < 0 ? 0 : (sums[lastAt + offset] ?? 0);
  }

  return {
    has: (key) => places.has(key),
    first: (key) => read(key, 0),
    second: (key) => read(key, 1),
    add(key, first, second) {
      const at = placeOf(key);
      sums[at] = (sums[at] ?? 0) + first;
      sums[at + 1] = (sums[at + 1] ?? 0) + second;
    },
    rows: () => [...places].map(([key, at]) => [key, sums[at] ?? 0, sums[at + 1] ?? 0]),
  };
}
