/** Stored as an object or as a list of pairs; both mean the same. */
export function utmRecord(stored: unknown): Record<string, string> {
  if (stored === null || typeof stored !== 'object') return {};
  const pairs = Array.isArray(stored)
    ? stored.map((pair: { key?: unknown; value?: unknown }) => [pair.key, pair.value])
    : Object.entries(stored);
  return Object.fromEntries(
    pairs
      .filter(
        ([name, value]) =>
          typeof name === 'string' && name !== '' && value !== null && value !== undefined,
      )
      .map(([name, value]) => [name, String(value)]),
  );
}

/**
 * Marks for statistics change nothing for the person; any other parameter may lead somewhere else,
 * as `?to=` does on many pages, and is looked at like the page itself.
 */
export function onlyMarks(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).filter(([name]) => isMark(name)));
}

/**
 * What is added while an approved version is shown beside a newer one: marks as they are now, and
 * of the rest what was approved.
 */
export function shownParams(newest: unknown, approved: unknown): Record<string, string> {
  const leading = Object.entries(utmRecord(approved)).filter(([name]) => !isMark(name));
  return { ...Object.fromEntries(leading), ...onlyMarks(utmRecord(newest)) };
}

/** Whether two sets of parameters lead to the same place. */
export function leadAlike(one: unknown, other: unknown): boolean {
  const leading = (stored: unknown): string =>
    JSON.stringify(
      Object.entries(utmRecord(stored))
        .filter(([name]) => !isMark(name))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return leading(one) === leading(other);
}

function isMark(name: string): boolean {
  return name.startsWith('utm_');
}
