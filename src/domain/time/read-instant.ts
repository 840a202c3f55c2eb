/** PostgreSQL and ISO 8601 write years of four digits. */
const latest = Date.UTC(9999, 11, 31);
const earliest = Date.UTC(1900, 0, 1);

/** An instant as callers write it; null when it is none, or of a time nobody means. */
export function readInstant(text: string): Date | null {
  const at = text.length > 40 ? Number.NaN : Date.parse(text);
  return at >= earliest && at <= latest ? new Date(at) : null;
}

/** Whether an instant of ours can be written that way. */
export function isPlainInstant(at: number): boolean {
  return at >= earliest && at <= latest;
}

/** The nearest instant that can be written that way: the end of time is as good as any. */
export function plainInstant(at: number): number {
  return Math.min(latest, Math.max(earliest, at));
}
