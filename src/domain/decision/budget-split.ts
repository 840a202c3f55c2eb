// `auto_optimize_budget`: shares a campaign's daily budget among its groups, more to those whose
// results are cheap, inside each group's limits.

export type SplitGroup = {
  id: string;
  /**
   * Groups that do not optimise keep their own daily budget, or all of the campaign's when they
   * name none.
   */
  auto: boolean;
  dailyBudgetMicros: number | null;
  minDailyBudgetMicros: number | null;
  maxDailyBudgetMicros: number | null;
  /** Over the last days: what was spent, and the results of the campaign's objective. */
  spentMicros: number;
  results: number;
};

/** Results a group without a record is credited with, at the campaign's average cost. */
const PRIOR_RESULTS = 3;
/**
 * Twice as cheap earns four times the share; no group falls below a tenth of an equal share by cost
 * alone, so that it can still prove itself.
 */
const KEENNESS = 2;
const LEAST_SHARE = 0.1;

/**
 * Daily budget per group id. Automatic groups together get exactly what the others leave, as far as
 * their limits allow.
 */
export function splitBudget(
  campaignBudgetMicros: number,
  groups: readonly SplitGroup[],
): Map<string, number> {
  const budgets = new Map<string, number>();
  let left = campaignBudgetMicros;
  for (const group of groups) {
    if (group.auto) continue;
    const own = Math.min(group.dailyBudgetMicros ?? campaignBudgetMicros, campaignBudgetMicros);
    budgets.set(group.id, own);
    if (group.dailyBudgetMicros !== null) left -= own;
  }
  const optimised = groups.filter((group) => group.auto);
  const shares = allot(Math.max(0, left), optimised, weights(optimised));
  optimised.forEach((group, i) => budgets.set(group.id, shares[i] ?? 0));
  return budgets;
}

function weights(groups: readonly SplitGroup[]): number[] {
  const spent = groups.reduce((sum, group) => sum + group.spentMicros, 0);
  const results = groups.reduce((sum, group) => sum + group.results, 0);
  const usual = Math.max(1, spent / Math.max(1, results));
  const raw = groups.map(
    (group) =>
      ((group.results + PRIOR_RESULTS) / (group.spentMicros + PRIOR_RESULTS * usual)) ** KEENNESS,
  );
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return raw.map((weight) => LEAST_SHARE / groups.length + ((1 - LEAST_SHARE) * weight) / total);
}

/**
 * Water-filling: who would pass a limit is set to it, the rest is shared again. Whole microdollars,
 * none lost to rounding.
 */
function allot(total: number, groups: readonly SplitGroup[], weight: readonly number[]): number[] {
  const least = groups.map((group) =>
    Math.min(group.minDailyBudgetMicros ?? 0, group.maxDailyBudgetMicros ?? Infinity),
  );
  const most = groups.map((group) => group.maxDailyBudgetMicros ?? Infinity);
  const minimum = least.reduce((sum, amount) => sum + amount, 0);
  // Minimums that do not fit the budget shrink alike.
  if (minimum >= total)
    return whole(
      least.map((amount) => (minimum === 0 ? 0 : (amount * total) / minimum)),
      total,
      least,
    );
  const level = waterLevel(total, least, most, weight);
  const shares = weight.map((w, i) => clamp(level * w, least[i] ?? 0, most[i] ?? Infinity));
  const reachable = Math.min(
    total,
    most.reduce((sum, amount) => sum + amount, 0),
  );
  return whole(shares, reachable, most);
}

/**
 * The level at which the clamped shares add up to the total; they only grow with it, so halving
 * finds it.
 */
function waterLevel(
  total: number,
  least: readonly number[],
  most: readonly number[],
  weight: readonly number[],
): number {
  let low = 0;
  let high = 1;
  const sumAt = (level: number) =>
    weight.reduce((sum, w, i) => sum + clamp(level * w, least[i] ?? 0, most[i] ?? Infinity), 0);
  for (let doublings = 0; doublings < 80 && sumAt(high) < total; doublings++) high *= 2;
  for (let halvings = 0; halvings < 100; halvings++) {
    const middle = (low + high) / 2;
    if (sumAt(middle) < total) low = middle;
    else high = middle;
  }
  return low;
}

/** Rounds down, then hands out what is missing, evenly among those that may take more. */
function whole(shares: readonly number[], total: number, most: readonly number[]): number[] {
  // The level is found to within rounding: a share a hair below a whole amount is that amount.
  const rounded = shares.map((share) => Math.floor(share + 1e-6));
  let missing = Math.floor(total) - rounded.reduce((sum, amount) => sum + amount, 0);
  for (let given = 1; missing > 0 && given > 0;) {
    given = 0;
    const each = Math.max(1, Math.floor(missing / rounded.length));
    for (let i = 0; i < rounded.length && missing > 0; i++) {
      const extra = Math.min(each, missing, (most[i] ?? Infinity) - (rounded[i] ?? 0));
      if (extra <= 0) continue;
      rounded[i] = (rounded[i] ?? 0) + extra;
      missing -= extra;
      given += extra;
    }
  }
  return rounded;
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
