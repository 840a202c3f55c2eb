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
  const slots = new Map<number, number>();
  let sums = new Float64Array(64);
  /** One candidate's key is read several times in a row; looking it up is what costs. */
  let lastKey = -1;
  let lastSlot = -1;

  function slotOf(key: number): number {
    const known = slots.get(key);
    if (known !== undefined) return known;
    const slot = slots.size * 2;
    slots.set(key, slot);
    lastKey = -1;
    if (slot >= sums.length) sums = grown(sums);
    return slot;
  }

  function read(key: number, offset: number): number {
    if (key !== lastKey) {
      lastKey = key;
      lastSlot = slots.get(key) ?? -1;
    }
    return lastSlot < 0 ? 0 : (sums[lastSlot + offset] ?? 0);
  }

  return {
    has: (key) => slots.has(key),
    first: (key) => read(key, 0),
    second: (key) => read(key, 1),
    add(key, first, second) {
      const slot = slotOf(key);
      sums[slot] = (sums[slot] ?? 0) + first;
      sums[slot + 1] = (sums[slot + 1] ?? 0) + second;
    },
    rows: () => [...slots].map(([key, slot]) => [key, sums[slot] ?? 0, sums[slot + 1] ?? 0]),
  };
}
