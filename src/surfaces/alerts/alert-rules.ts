// What is worth telling somebody at night. Pure: numbers in, verdict out.

export const nearlySpentShare = 0.8;
/** Hours without an impression, against the same hours of the day before. */
export const quietHours = 4;
const busyImpressions = 50;
export const recentDays = 3;
export const usualDays = 28;

export function isBudgetNearlySpent(spentMicros: number, budgetMicros: number): boolean {
  return budgetMicros > 0 && spentMicros >= budgetMicros * nearlySpentShare;
}

/** Nothing now where there was plenty a day ago. */
export function hasDeliveryStopped(seen: {
  impressionsNow: number;
  impressionsBefore: number;
}): boolean {
  return seen.impressionsNow === 0 && seen.impressionsBefore >= busyImpressions;
}

/**
 * Fewer than half the usual conversions per click, and so few that chance is no explanation: with
 * the usual rate, this few
 * would come up less than once in two thousand times (one-sided test of two proportions, z below
 * −3.3).
 */
export function hasConversionRateFallen(seen: {
  recentClicks: number;
  recentConversions: number;
  usualClicks: number;
  usualConversions: number;
}): boolean {
  const { recentClicks, recentConversions, usualClicks, usualConversions } = seen;
  if (recentClicks < 50 || usualConversions < 20 || usualClicks === 0) return false;
  const recent = recentConversions / recentClicks;
  const usual = usualConversions / usualClicks;
  if (recent >= usual / 2) return false;
  const pooled = Math.min(1, (recentConversions + usualConversions) / (recentClicks + usualClicks));
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / recentClicks + 1 / usualClicks));
  return error > 0 && (recent - usual) / error < -3.3;
}
