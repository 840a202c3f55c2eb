import { type TSchema, type TUnknown, Type } from '@sinclair/typebox';
import { isRecord } from '../../domain/is-record.js';

const mark = 'x-described';

/**
 * What is read leniently, one by one, so that a wrong item rejects no other: the check lets
 * everything pass, the API description says what it should be.
 */
export function loosely(described: TSchema): TUnknown {
  return Type.Unknown({ [mark]: described });
}

/** A schema as the description shows it. */
export function asDescribed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(asDescribed);
  if (!isRecord(schema)) return schema;
  if (mark in schema) return schema[mark];
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, asDescribed(part)]));
}
