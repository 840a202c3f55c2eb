import { type Static, type TSchema, Type, type TUnsafe } from '@sinclair/typebox';

// Building blocks of the bodies and answers of this surface. One `type` per field instead of
// unions: one mistake, one message.

export function choice<const Values extends readonly string[]>(
  values: Values,
  options: { description?: string } = {},
): TUnsafe<Values[number]> {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });
}

/** The field, or null, which clears it. */
export function orNull<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  const values: unknown = schema['enum'];
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [schema['type'], 'null'].flat(),
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  });
}

/** May be left out; null means the same. */
export function optional<T extends TSchema>(schema: T) {
  return Type.Optional(orNull(schema));
}

export const nameText = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' });
export const urlText = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'http:// or https:// address',
});
export const timeText = Type.String({
  maxLength: 40,
  description: 'ISO 8601; without an offset it is UTC',
});

/** Dollars. A billion is where a typing mistake begins. */
export const dollars = Type.Number({ minimum: 0, maximum: 1_000_000_000 });
export const someDollars = Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 });
export const goal = Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 });

export const countryList = Type.Array(Type.String({ maxLength: 10 }), {
  maxItems: 300,
  description: 'ISO 3166-1 alpha-2',
});
export const deviceList = Type.Array(Type.String({ maxLength: 20 }), {
  maxItems: 10,
  description: 'desktop, mobile, tablet',
});

/** `{key: value}` or `[{key, value}]`; read by `readUtm`. */
export const utmInput = Type.Unsafe<Record<string, unknown> | { key?: unknown; value?: unknown }[]>(
  {
    type: ['object', 'array'],
    description: 'Object, or array of {key, value}, of [key, value] or of {key: value}',
    items: { type: ['object', 'array'], items: {} },
  },
);

export const idList = Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1000 });
