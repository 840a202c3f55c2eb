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

const words = (maxLength: number) =>
  Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength, description: 'Optional' }),
  );
export const WriteAds = Type.Object({
  landing_page: Type.String({ minLength: 1, maxLength: 2048, pattern: '\\S' }),
  context: Type.String({ maxLength: 10_000, description: 'Who the ads are for' }),
  ad_prompt: words(10_000),
  brand_name: words(100),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 8, default: 4 })),
  known: Type.Optional(
    Type.Array(
      Type.Object({
        headline: Type.String({ maxLength: 200 }),
        copy: Type.String({ maxLength: 1000 }),
      }),
      { maxItems: 100, description: 'Seen already; none of them is written again' },
    ),
  ),
});
export type WriteAds = Static<typeof WriteAds>;

export const WrittenAds = Type.Object({
  ads: Type.Array(
    Type.Object({ headline: Type.String(), copy: Type.String(), cta: Type.String() }),
  ),
  page_read: Type.Boolean({
    description: 'Whether the page could be read; if not, from the brief',
  }),
  page_problem: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  image_url: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
});
