const maxDepth = 12;

// eslint-disable-next-line no-control-regex -- the one control character PostgreSQL cannot hold
const odd = /[\u0000\ud800-\udfff]/;

/** Text the database can hold, no longer than the limit. */
export function storableText(text: string, limit: number): string {
  if (text.length <= limit && !odd.test(text)) return text;
  return text.slice(0, limit).replaceAll('\u0000', '').toWellFormed();
}

/**
 * A JSON value with every text made storable; null in place of what is nested too deeply to be
 * meant.
 */
export function storableJson(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return storableText(value, 4000);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return null;
  if (Array.isArray(value)) return value.map((item) => storableJson(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      storableText(name, 200),
      storableJson(item, depth + 1),
    ]),
  );
}
