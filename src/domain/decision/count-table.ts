/** Two running sums per numeric key, kept in typed arrays: reading a key that was never written is 0 and allocates nothing. */
export type CountTable = {
  first(key: number): number;
  second(key: number): number;
  add(key: number, first: number, second: number): void;
  rows(): [key: number, first: number, second: number][];
};

export function createCountTable(): CountTable {
  const slots = new Map<number, number>();
  let sums = new Float64Array(64);

  function slotOf(key: number): number {
    const known = slots.get(key);
    if (known !== undefined) return known;
    const slot = slots.size * 2;
    slots.set(key, slot);
    if (slot >= sums.length) {
      const larger = new Float64Array(sums.length * 2);
      larger.set(sums);
      sums = larger;
    }
    return slot;
  }

  function read(key: number, offset: number): number {
    const slot = slots.get(key);
    return slot === undefined ? 0 : (sums[slot + offset] ?? 0);
  }

  return {
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
