/** People in one arm, and how many of them did what is measured. */
export interface Arm {
  units: number;
  successes: number;
}

export interface Lift {
  /** Successes a person, in the arm and in the one it is held against. */
  rate: number;
  baseRate: number;
  /** rate − baseRate, with the bounds of its interval. */
  difference: Interval;
  /** rate / baseRate − 1; null where nobody in the base arm did it. */
  relative: Interval | null;
  /** How likely a difference at least so large is where there is none. */
  pValue: number;
}

export interface Interval {
  value: number;
  low: number;
  high: number;
}

/** Two-sided 95 %. */
export const z95 = 1.959963984540054;

/**
 * How much more people of one arm do than those of another. The interval of the difference is
 * Newcombe's (from Wilson's intervals of both rates), which holds what it promises also where
 * little happened; that of the ratio is Katz's with half a success added to each arm (Walter's).
 */
export function liftOf(arm: Arm, base: Arm, z: number = z95): Lift | null {
  if (arm.units <= 0 || base.units <= 0) return null;
  const [rate, baseRate] = [arm.successes / arm.units, base.successes / base.units];
  const [own, other] = [wilson(arm, z), wilson(base, z)];
  const value = rate - baseRate;
  return {
    rate,
    baseRate,
    difference: {
      value,
      low: value - Math.hypot(rate - own.low, other.high - baseRate),
      high: value + Math.hypot(own.high - rate, baseRate - other.low),
    },
    relative: base.successes === 0 ? null : ratioInterval(arm, base, z),
    pValue: pValueOf(arm, base),
  };
}

/** What a rate may be. */
export function wilson({ units, successes }: Arm, z: number): { low: number; high: number } {
  const rate = successes / units;
  const spread = (z * z) / units;
  const middle = rate + spread / 2;
  const reach = z * Math.sqrt((rate * (1 - rate) + spread / 4) / units);
  return {
    low: Math.max(0, (middle - reach) / (1 + spread)),
    high: Math.min(1, (middle + reach) / (1 + spread)),
  };
}

function ratioInterval(arm: Arm, base: Arm, z: number): Interval {
  const half = ({ units, successes }: Arm): [count: number, size: number] => [
    successes + 0.5,
    units + 0.5,
  ];
  const [count, size] = half(arm);
  const [baseCount, baseSize] = half(base);
  const log = Math.log(count / size) - Math.log(baseCount / baseSize);
  const error = Math.sqrt(
    Math.max(0, 1 / count - 1 / size) + Math.max(0, 1 / baseCount - 1 / baseSize),
  );
  return {
    value: arm.successes / arm.units / (base.successes / base.units) - 1,
    low: Math.exp(log - z * error) - 1,
    high: Math.exp(log + z * error) - 1,
  };
}

/** Two-sided, of the difference of two rates where both are one. */
function pValueOf(arm: Arm, base: Arm): number {
  const units = arm.units + base.units;
  const pooled = (arm.successes + base.successes) / units;
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / arm.units + 1 / base.units));
  if (error === 0) return 1;
  return twoSided(Math.abs(arm.successes / arm.units - base.successes / base.units) / error);
}

/** The chance of a standard normal number farther from nothing than `z`. */
export function twoSided(z: number): number {
  const x = z / Math.SQRT2;
  return x < 2.5 ? Math.max(0, 1 - errorSeries(x)) : tailFraction(x);
}

/** erf(x) = 2/√π · e^(−x²) · Σ 2ⁿ x^(2n+1) / (1·3·5…(2n+1)): all terms add up, none cancel. */
function errorSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; term > sum * 1e-17 && n < 200; n += 1) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/** erfc(x) as the continued fraction e^(−x²)/√π · 1/(x + ½/(x + 1/(x + 3⁄2/(x + …)))). */
function tailFraction(x: number): number {
  let below = x;
  for (let n = 60; n >= 1; n -= 1) below = x + n / 2 / below;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / below;
}
