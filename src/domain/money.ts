// Money is integer microdollars inside and dollars with at most six decimals outside.

const MICROS = 1_000_000;

/**
 * Exact: every microdollar amount below 2^33 dollars has its own double, so the JSON text shows it
 * digit for digit.
 */
export function toDollars(micros: number): number {
  return micros === 0 ? 0 : micros / MICROS;
}

/**
 * Rounds the decimal value as written (half away from zero), not its binary neighbour: 1.0000005 is
 * 1000001.
 * Throws RangeError for what is not a finite amount, for a negative one unless allowed, and beyond
 * safe integers.
 */
export function fromDollars(dollars: number, options: { allowNegative?: boolean } = {}): number {
  if (!Number.isFinite(dollars)) throw new RangeError('amount is not a finite number');
  if (dollars < 0 && options.allowNegative !== true) throw new RangeError('amount is negative');
  const micros = exactMicros(Math.abs(dollars)) ?? scaledMagnitude(Math.abs(dollars));
  if (micros > Number.MAX_SAFE_INTEGER) throw new RangeError('amount is too large');
  return dollars < 0 && micros !== 0 ? -micros : micros;
}

/**
 * What nearly every amount has: no more than six decimals, told by the way back giving the same
 * number.
 */
function exactMicros(value: number): number | null {
  const micros = Math.round(value * MICROS);
  return micros <= Number.MAX_SAFE_INTEGER && micros / MICROS === value ? micros : null;
}

/** value · 10^6 on the decimal digits of the shortest text that means `value`. */
function scaledMagnitude(value: number): number {
  const text = value.toExponential();
  const at = text.indexOf('e');
  const digits = text.slice(0, at).replace('.', '');
  const point = Number(text.slice(at + 1)) + 1 + 6;
  if (point > 21) return Infinity;
  if (point < 0) return 0;
  const whole = Number(digits.slice(0, point).padEnd(point, '0'));
  return digits.charCodeAt(point) >= 53 ? whole + 1 : whole;
}

/** a / b rounded to six decimals (half away from zero); 0 when b is 0. Exact for integers. */
export function ratio(a: number, b: number): number {
  if (b === 0 || a === 0) return 0;
  if (Number.isSafeInteger(a) && Number.isSafeInteger(b)) return ratioMicros(a, b) / MICROS;
  const quotient = a / b;
  if (!Number.isFinite(quotient)) return 0;
  const rounded = Number(quotient.toFixed(6));
  return rounded === 0 ? 0 : rounded;
}

/** The same in millionths, for safe integers. */
export function ratioMicros(a: number, b: number): number {
  return scaledRatio(a, MICROS, b);
}

/**
 * a · scale / b as a whole number, rounded half away from zero; 0 when b is 0. Exact for safe
 * integers.
 */
export function scaledRatio(a: number, scale: number, b: number): number {
  if (b === 0 || a === 0) return 0;
  // What reports ask for millions of times: nothing negative and nothing large.
  const half = 2 * scale * a + b;
  if (a > 0 && b > 0 && half <= Number.MAX_SAFE_INTEGER) return quotientOf(half, 2 * b);
  const dividend = 2 * scale * Math.abs(a) + Math.abs(b);
  const divisor = 2 * Math.abs(b);
  const size =
    dividend <= Number.MAX_SAFE_INTEGER
      ? quotientOf(dividend, divisor)
      : Number((2n * BigInt(scale) * BigInt(Math.abs(a)) + BigInt(Math.abs(b))) / BigInt(divisor));
  return a < 0 === b < 0 || size === 0 ? size : -size;
}

/** Whole quotient of safe integers: the double can only be too large, and only by one. */
function quotientOf(dividend: number, divisor: number): number {
  const quotient = Math.floor(dividend / divisor);
  return quotient * divisor > dividend ? quotient - 1 : quotient;
}

export type RevenueSplit = { revenueMicros: number; feeMicros: number };

/**
 * The publisher's share in basis points, rounded towards zero; the fee is the rest, so the two
 * always add up to the spend.
 * A reversal (negative spend) is the exact mirror of what it reverses.
 */
export function splitRevenue(spendMicros: number, shareBps: number): RevenueSplit {
  if (!Number.isSafeInteger(spendMicros)) throw new RangeError('spend is not an integer amount');
  if (!Number.isInteger(shareBps) || shareBps < 0 || shareBps > 10_000)
    throw new RangeError('share is not within 0 and 10000');
  const size = Math.abs(spendMicros);
  const rest = size % 10_000;
  const share = ((size - rest) / 10_000) * shareBps + Math.floor((rest * shareBps) / 10_000);
  const revenueMicros = spendMicros < 0 && share !== 0 ? -share : share;
  return { revenueMicros, feeMicros: spendMicros - revenueMicros };
}
