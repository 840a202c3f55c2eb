/** One-sided doubt of about one in two thousand. */
const z = 3.29;

/** What a rate may be, given how often it was seen (Wilson's interval). */
export function rateBounds(hits: number, trials: number): { low: number; high: number } {
  if (trials <= 0) return { low: 0, high: 1 };
  const rate = Math.min(1, hits / trials);
  const spread = (z * z) / trials;
  const middle = rate + spread / 2;
  const reach = z * Math.sqrt((rate * (1 - rate) + spread / 4) / trials);
  return {
    low: Math.max(0, (middle - reach) / (1 + spread)),
    high: Math.min(1, (middle + reach) / (1 + spread)),
  };
}

/** How likely so few happen where so many are due (Poisson). */
export function atMost(count: number, due: number): number {
  let term = Math.exp(-due);
  let sum = term;
  for (let n = 1; n <= count; n += 1) {
    term *= due / n;
    sum += term;
  }
  return Math.min(1, sum);
}
