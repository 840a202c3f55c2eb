import { isRecord } from '../../domain/is-record.js';

const aside: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples']);
const simple = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] as const;
const object = { type: 'object', additionalProperties: true } as const;
/** Any JSON value, said kind by kind. */
const anything = [
  ...simple,
  object,
  { type: 'array', items: { anyOf: [...simple, object] } },
  { type: 'null' },
] as const;

/**
 * JSON Schema in the words that every client of tools understands: one type a schema, something
 * said about every value, and no formats, which clients check differently than we mean them.
 */
export function portableProperties(
  properties: Readonly<Record<string, object>>,
): Record<string, object> {
  // As text would carry it: without TypeBox's symbols. Stringify and parse keep the shape.
  return portableMap(JSON.parse(JSON.stringify(properties)));
}

function portableMap(schemas: unknown): Record<string, object> {
  return Object.fromEntries(
    Object.entries(isRecord(schemas) ? schemas : {}).map(([name, schema]) => [
      name,
      portable(schema),
    ]),
  );
}

function portable(schema: unknown): object {
  if (!isRecord(schema)) return {};
  const parts = Object.entries(schema).flatMap(([key, value]): [string, unknown][] =>
    key === 'format' && typeof value === 'string' ? [] : [[key, portablePart(key, value)]],
  );
  const { type, ...rest } = Object.fromEntries(listedValues(parts));
  if (Array.isArray(type)) return oneTypeEach(type, rest);
  const isOpen = type === undefined && Object.keys(rest).every((key) => aside.has(key));
  return {
    ...(type === undefined ? {} : { type }),
    ...rest,
    ...(isOpen ? { anyOf: anything } : {}),
  };
}

/** One value, or one of several, said as a list: some clients know no `const`. */
function listedValues(parts: readonly [string, unknown][]): readonly [string, unknown][] {
  return parts.flatMap(([key, value]): [string, unknown][] => {
    if (key === 'const' && typeof value === 'string') return [['enum', [value]]];
    const values = key === 'anyOf' ? valuesOf(value) : null;
    if (values === null) return [[key, value]];
    return [
      ['type', 'string'],
      ['enum', values],
    ];
  });
}

function valuesOf(choices: unknown): string[] | null {
  if (!Array.isArray(choices) || choices.length === 0) return null;
  const values = choices.map((choice: unknown) =>
    isRecord(choice) && Array.isArray(choice['enum']) && choice['enum'].length === 1
      ? (choice['enum'] as unknown[])[0]
      : null,
  );
  return values.every((value) => typeof value === 'string') ? values : null;
}

function portablePart(key: string, value: unknown): unknown {
  if (key === 'properties' || key === 'patternProperties') return portableMap(value);
  if (['anyOf', 'oneOf', 'allOf'].includes(key) && Array.isArray(value)) return value.map(portable);
  return ['items', 'additionalProperties', 'not'].includes(key) && isRecord(value)
    ? portable(value)
    : value;
}

/** What is said beside the type belongs to each that is not null. */
function oneTypeEach(types: readonly unknown[], rest: Record<string, unknown>): object {
  const outer = Object.entries(rest).filter(([key]) => aside.has(key) || key === 'enum');
  const inner = Object.entries(rest).filter(([key]) => !aside.has(key) && key !== 'enum');
  return {
    ...Object.fromEntries(outer),
    anyOf: types.map((type) =>
      type === 'null' ? { type } : { type, ...Object.fromEntries(inner) },
    ),
  };
}
