// Spreads a day's budget over the day's traffic by bidding less while ahead of the plan. Budgets
// themselves are enforced by reservations.

export type PaceInput = {
  budgetMicros: number;
  /** Share of the day's traffic that should have come by now, from the traffic curve. */
  share: number;
  spentMicros: number;
  /**
   * What outstanding ads are expected to cost, that is price times the chance of the charged event.
   */
  reservedMicros: number;
};

const GAIN = 0.15;
const BAND = 0.02;
const LEAST = 0.05;

/**
 * Once a minute. Ahead of the plan by 2 % of the budget or more, the bid falls by an e-fold in
 * seven minutes; behind it, it rises alike.
 */
export function nextMultiplier(
  multiplier: number,
  { budgetMicros, share, spentMicros, reservedMicros }: PaceInput,
): number {
  if (budgetMicros <= 0) return LEAST;
  const behind = (budgetMicros * share - spentMicros - reservedMicros) / (BAND * budgetMicros);
  const step = Math.exp(GAIN * Math.min(1, Math.max(-1, behind)));
  return Math.min(1, Math.max(LEAST, multiplier * step));
}

/**
 * Mean absolute deviation of the cumulative spend share from the target share, over samples taken
 * at even steps of the day.
 */
export function smoothnessError(
  spentShares: readonly number[],
  targetShares: readonly number[],
): number {
  let sum = 0;
  for (let i = 0; i < spentShares.length; i++)
    sum += Math.abs((spentShares[i] ?? 0) - (targetShares[i] ?? 0));
  return spentShares.length === 0 ? 0 : sum / spentShares.length;
}
