import { type Static, Type } from '@sinclair/typebox';
import { genders } from '../../domain/search/genders.js';
import { DisclosureView } from '../../platform/http/disclosure-view.js';
import { productCategories, type ProductCategory } from '../../domain/search/product-categories.js';

const names = (most: number, about: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), { maxItems: most, description: about }),
  );
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const open = Type.Object({}, { additionalProperties: true });

/** What a search can be narrowed by; the rest of a body says what is wanted, and by whom. */
export const shopFilters = {
  max_results: Type.Integer({ minimum: 1, maximum: 25, default: 5 }),
  price_min: Type.Optional(
    Type.Number({ description: 'Least current price, itself included, in `currency`' }),
  ),
  price_max: Type.Optional(
    Type.Number({ description: 'Highest current price, itself included, in `currency`' }),
  ),
  currency: Type.String({
    pattern: '^[A-Za-z]{3}$',
    default: 'USD',
    description:
      'ISO 4217 code of `price_min` and `price_max`. With a bound, listings in other currencies ' +
      'are compared at the rates the operator has set, and left out where there is none. Without ' +
      'one it leaves no listing out. Prices are always shown in the currency of the listing, and ' +
      '`facets.price_range` is of listings in this currency.',
  }),
  brands: names(20, 'Any of these, whatever the case'),
  merchants: names(20, 'Any of these, whatever the case'),
  on_sale_only: Type.Boolean({ default: false }),
  colors: names(10, 'Named in the title'),
  sizes: names(10, 'Listings that name another size are dropped'),
  gender: Type.Optional(
    Type.Unsafe<(typeof genders)[number]>({ type: 'string', enum: [...genders] }),
  ),
  categories: Type.Optional(
    Type.Array(Type.Unsafe<ProductCategory>({ type: 'string', enum: [...productCategories] }), {
      maxItems: 10,
    }),
  ),
};

/** A null anywhere at the top is read as absent before this is checked. */
export const ShopQuery = Type.Object({
  query: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: 'What is wanted; needed unless context.messages is there',
    }),
  ),
  context: Type.Optional(
    Type.Object(
      {
        style: text(2000),
        vibe: text(2000),
        messages: Type.Optional(
          Type.Array(Type.Object({ role: Type.String({ maxLength: 50 }), content: Type.String() })),
        ),
      },
      { additionalProperties: true },
    ),
  ),
  ...shopFilters,
  rerank: Type.Boolean({ default: true }),
  locale: Type.Optional(
    Type.Unknown({ description: 'Language of the person (`de`, `pt-BR`), for `disclosure`' }),
  ),
  external_session_id: text(200),
  external_user_id: text(500),
  external_user_id_hash: text(500),
  hashed_email: text(200),
  email_hash: text(200),
  metadata: Type.Optional(open),
  regs: Type.Optional(
    Type.Unknown({ description: 'What the person chose: `gdpr`, `tcf`, `gpp`, `us_privacy`' }),
  ),
  consent: Type.Optional(Type.Unknown({ description: 'A TCF string, true, false, or flags' })),
  platform_api_key: Type.Optional(Type.String({ description: 'In place of the X-API-Key header' })),
});
export type ShopQuery = Static<typeof ShopQuery>;

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

export const Checkout = Type.Object({
  protocol: Type.Literal('ucp'),
  endpoint: Type.String(),
  continue_url: Type.String(),
  item_id: Type.String(),
  agent_profile: Type.String(),
  attribution: Type.Object({
    referring_domain: Type.String(),
    click_id_tag: Type.String(),
    click_id_value: Type.String(),
  }),
});
export type Checkout = Static<typeof Checkout>;

export const Product = Type.Object({
  product_id: Type.String(),
  name: Type.String(),
  brand: nullable(Type.String()),
  merchant: Type.String(),
  category: nullable(Type.String()),
  description: Type.String(),
  currency: Type.String(),
  price: Type.Number(),
  regular_price: nullable(Type.Number()),
  on_sale: Type.Boolean(),
  image_url: Type.String(),
  click_url: Type.String(),
  grclid: Type.String(),
  checkout: nullable(Checkout),
  /** Null where nobody pays for it to be found. */
  disclosure: nullable(DisclosureView),
});
export type Product = Static<typeof Product>;

export const WebResult = Type.Object({
  name: Type.String(),
  brand: nullable(Type.String()),
  price: nullable(Type.Number()),
  currency: nullable(Type.String()),
  description: nullable(Type.String()),
  image_url: nullable(Type.String()),
  url: Type.String(),
  site: Type.String(),
});
export type WebResult = Static<typeof WebResult>;

const counted = Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }));

export const ShopAnswer = Type.Object({
  api_version: Type.String(),
  vertical: Type.Literal('consumer'),
  search_id: Type.String(),
  query: Type.String(),
  recommendation: nullable(Product),
  reasoning: Type.String(),
  products: Type.Array(Product),
  count: Type.Integer(),
  web_results: Type.Array(WebResult),
  ranking: Type.Union([Type.Literal('llm'), Type.Literal('retrieval')]),
  facets: Type.Object({
    brands: counted,
    merchants: counted,
    categories: counted,
    price_range: nullable(Type.Object({ min: Type.Number(), max: Type.Number() })),
  }),
});
export type ShopAnswer = Static<typeof ShopAnswer>;
