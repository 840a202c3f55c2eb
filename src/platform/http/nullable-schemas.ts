import { isRecord } from '../../domain/is-record.js';

const plainTypes = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array']);

/**
 * The same schema with "this or null" said as `nullable`, for the serializer alone. As a union it
 * would compile a validator for each, which held everybody up for a tenth of a second at the first
 * product search, and ask it for every value of every answer.
 */
export function withNullables(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNullables);
  if (!isRecord(schema)) return schema;
  const own = nullableOf(schema) ?? schema;
  return Object.fromEntries(
    Object.entries(own).map(([key, value]) => [key, isData(key) ? value : withNullables(value)]),
  );
}

/** Values, not schemas, though they may look like one. */
function isData(key: string): boolean {
  return key === 'default' || key === 'examples' || key === 'example' || key === 'enum';
}

function nullableOf(schema: Record<string, unknown>): Record<string, unknown> | null {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return null;
  const [one, none] = anyOf as unknown[]; // two entries
  if (!isRecord(one) || !isRecord(none)) return null;
  if (none.type !== 'null' || !plainTypes.has(String(one.type)) || 'const' in one) return null;
  return { ...rest, ...one, nullable: true };
}
