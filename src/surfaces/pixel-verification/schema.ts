import { type Static, Type } from '@sinclair/typebox';

export const NewPixel = Type.Object({
  url: Type.String({
    description: 'Where the pixel will run; https:// is added when no scheme is given',
  }),
  name: Type.Optional(Type.Union([Type.String({ maxLength: 200 }), Type.Null()])),
});
export type NewPixel = Static<typeof NewPixel>;

export const PixelRecord = Type.Object({
  id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  is_functional: Type.Union([Type.Boolean(), Type.Null()]),
  verified_at: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String(),
  updated_at: Type.String(),
});
export type PixelRecord = Static<typeof PixelRecord>;
