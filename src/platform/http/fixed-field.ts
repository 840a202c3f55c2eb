import { type TOptional, type TUnsafe, Type } from '@sinclair/typebox';
import { _, type Ajv } from 'ajv';

/**
 * A field that creation takes and an edit does not: anything but null in it is refused with the
 * sentence, so that no client believes it was changed.
 */
export function fixedField(why: string): TOptional<TUnsafe<null>> {
  return Type.Optional(Type.Unsafe<null>({ type: 'null', description: why, 'x-fixed': why }));
}

/** Teaches a validator the keyword `fixedField` uses. */
export function knowFixedFields(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: 'x-fixed',
    schemaType: 'string',
    error: { message: ({ schema }) => _`${String(schema)}` },
    validate: (_why: string, data: unknown) => data === null,
  });
}
