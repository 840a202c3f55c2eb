// Bench: product-search. Plain twin: a loop over the bits, in the test.

/** Sums the values whose bits are set, eight bits at a step. */
export function maskSum(values: readonly number[]): (mask: number) => number {
  const tables = [0, 8, 16, 24].map((shift) => {
    const table = new Float64Array(256);
    if (shift < values.length)
      for (let bits = 1; bits < 256; bits++)
        table[bits] =
          (table[bits & (bits - 1)] ?? 0) + (values[shift + 31 - Math.clz32(bits & -bits)] ?? 0);
    return table;
  });
  const [first, second, third, fourth] = tables as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]; // four were made
  if (values.length <= 8) return (mask) => first[mask & 255] as number; // every byte has a place
  return (mask) =>
    (first[mask & 255] as number) +
    (second[(mask >>> 8) & 255] as number) +
    (third[(mask >>> 16) & 255] as number) +
    (fourth[mask >>> 24] as number); // as above
}
