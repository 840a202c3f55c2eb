import { type Static, Type } from '@sinclair/typebox';

export const TokenQuery = Type.Object({
  p: Type.Optional(Type.String({ description: 'The encrypted token of a served ad' })),
});
export type TokenQuery = Static<typeof TokenQuery>;

export const ViewableTime = Type.Object({
  p: Type.String({ maxLength: 400 }),
  ms: Type.Number({
    minimum: 0,
    maximum: 86_400_000,
    description: 'How long the ad has been at least half visible',
  }),
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
