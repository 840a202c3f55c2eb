import { type Static, Type } from '@sinclair/typebox';

export const GenerateUnits = Type.Object({
  site_url: Type.String({
    minLength: 1,
    maxLength: 2048,
    pattern: '\\S',
    description: 'The landing page to read',
  }),
  count: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 5, default: 3 }), Type.Null()]),
  ),
});
export type GenerateUnits = Static<typeof GenerateUnits>;
