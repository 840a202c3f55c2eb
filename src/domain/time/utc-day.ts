export const dayMs = 86_400_000;

/** The day in UTC an instant belongs to, as dates are written: 2026-03-01. */
export function utcDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** When that day began. */
export function utcMidnight(instant: number): number {
  return Math.floor(instant / dayMs) * dayMs;
}
