// Relative click rates of a few classes (steps of relevance, kinds of placement), learned against
// what was expected without them.

export type ShapeFactors = {
  /**
   * Relative to the traffic seen so far, whose mean is 1: the level of clicks is learned elsewhere,
   * or the two would drift apart.
   */
  factor(index: number): number;
  observe(index: number, expected: number, clicks: number): void;
  /** Flat rows of (expected, clicks). */
  rows(): number[];
};

/** `weight`: how many clicks a starting value is worth. */
export function createShapeFactors(priors: readonly number[], weight: number): ShapeFactors {
  const expected = new Float64Array(priors.length);
  const clicks = new Float64Array(priors.length);
  const factors = Float64Array.from(priors);

  function normalise(): void {
    let mass = 0;
    let sum = 0;
    for (let i = 0; i < factors.length; i++) {
      const seen = expected[i] ?? 0;
      const factor = (weight * (priors[i] ?? 1) + (clicks[i] ?? 0)) / (weight + seen);
      factors[i] = factor;
      mass += seen;
      sum += seen * factor;
    }
    // Until there is traffic the starting values stand as they are; then they move over.
    const scale = (mass + weight) / (sum + weight);
    for (let i = 0; i < factors.length; i++) factors[i] = (factors[i] ?? 1) * scale;
  }

  function observe(index: number, moreExpected: number, moreClicks: number): void {
    expected[index] = (expected[index] ?? 0) + moreExpected;
    clicks[index] = (clicks[index] ?? 0) + moreClicks;
    normalise();
  }

  function rows(): number[] {
    const flat: number[] = [];
    for (let i = 0; i < priors.length; i++) flat.push(expected[i] ?? 0, clicks[i] ?? 0);
    return flat;
  }

  return { factor: (index) => factors[index] ?? 1, observe, rows };
}
