import { storableText } from '../../../domain/text/storable-json.js';

/** JSON text as the database can hold it: no null characters and no halves of characters. */
export function storableJson(text: string): string {
  // Both are written as escapes, and little else is.
  return text.includes('\\u') ? JSON.stringify(cleaned(JSON.parse(text))) : text;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value, value.length).replaceAll('\u0000', '');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cleaned);
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [storableText(name, name.length), cleaned(item)]),
  );
}
