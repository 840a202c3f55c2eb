import { type TSchema, Type } from '@sinclair/typebox';

/** Done, and nothing to say. */
export const nothing = { 204: Type.Null({ description: 'Done' }) };

/** JSON whose fields follow what it is about: all of them are passed on. */
export const openAnswer = Type.Object({}, { additionalProperties: true });

/** What is no JSON: a document, a table, a script. */
export function fileAnswer(
  type: string,
  description: string,
): { produces: string[]; response: Record<number, TSchema> } {
  return { produces: [type], response: { 200: Type.String({ description }) } };
}
