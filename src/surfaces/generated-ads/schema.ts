import { type Static, Type } from '@sinclair/typebox';

export const GenerateUnits = Type.Object({
  site_url: Type.String({ minLength: 1, maxLength: 2048, pattern: '\\S', description: 'The landing page to read' }),
  count: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 5, default: 3 }), Type.Null()])),
});
export type GenerateUnits = Static<typeof GenerateUnits>;

const text = Type.String();
const nullableText = Type.Union([Type.String(), Type.Null()]);

export const GeneratedUnits = Type.Object({
  campaign_id: text,
  ad_units: Type.Array(
    Type.Object({
      id: text,
      name: text,
      headline: nullableText,
      description: nullableText,
      landing_page: nullableText,
      static_ad_text: nullableText,
      static_cta: nullableText,
      favicon_url: nullableText,
      image_url: nullableText,
      brand_name: nullableText,
      source: text,
      status: text,
      review_status: text,
      review_reason: nullableText,
      utm_params: Type.Array(Type.Object({ key: text, value: text })),
      created_at: text,
      updated_at: text,
      campaign_id: nullableText,
    }),
  ),
});
