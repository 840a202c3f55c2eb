import { type Static, Type } from '@sinclair/typebox';

export const TokenQuery = Type.Object({
  p: Type.Optional(Type.String({ description: 'The encrypted token of a served ad' })),
});
export type TokenQuery = Static<typeof TokenQuery>;

const size = Type.Number({ minimum: 0, maximum: 100_000, description: 'CSS pixels' });

export const ViewableTime = Type.Object({
  p: Type.String({ maxLength: 400 }),
  ms: Type.Number({
    minimum: 0,
    maximum: 86_400_000,
    description: 'How long the ad has been at least half visible',
  }),
  label: Type.Optional(
    Type.Object(
      {
        text: Type.String({ maxLength: 200 }),
        width: size,
        height: size,
        fontSize: size,
        contrast: Type.Number({ minimum: 0, maximum: 21 }),
        opacity: Type.Number({ minimum: 0, maximum: 1 }),
        uncovered: Type.Number({
          minimum: 0,
          maximum: 1,
          description: 'Share of the label in view with nothing on top of it',
        }),
      },
      { description: 'How the label was drawn meanwhile: proof that the ad was seen to be one' },
    ),
  ),
});
export type ViewableTime = Static<typeof ViewableTime>;

export const impressionAnswers = {
  200: {
    description: 'A transparent GIF of one pixel, counted or not',
    content: { 'image/gif': { schema: Type.String({ format: 'binary' }) } },
  },
};
export const clickAnswers = {
  302: Type.Null({ description: 'The landing page, with the campaign’s parameters and `grclid`' }),
  410: {
    description:
      'A page that says the offer is gone: it was turned down, or its advertiser blocked',
    content: { 'text/html': { schema: Type.String() } },
  },
};
export const viewableAnswers = { 204: Type.Null({ description: 'Taken' }) };
