import { type Static, Type } from '@sinclair/typebox';
import { placements } from '../../domain/placement.js';

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

/** What a page needs to know before it draws anything. */
export const Boot = Type.Object({
  session: nullable(
    Type.Object({
      email: Type.String(),
      role: Type.String(),
      team_role: Type.String(),
      second_factor: Type.Boolean(),
      account_id: nullable(Type.String()),
      account_name: nullable(Type.String()),
      account_status: nullable(Type.String()),
      csrf_token: Type.String(),
    }),
  ),
  sign_up: Type.Union([Type.Literal('open'), Type.Literal('invitation'), Type.Literal('off')]),
  /** Nobody runs this server yet: whoever started it has the link that changes that. */
  unclaimed: Type.Boolean(),
  playground: Type.Object({
    available: Type.Boolean(),
    is_demo: Type.Boolean(),
    publisher_name: nullable(Type.String()),
    advertiser: Type.Boolean(),
  }),
  urls: Type.Object({
    base: Type.String(),
    api: Type.String(),
    platform: Type.String(),
    index: Type.String(),
  }),
});
export type Boot = Static<typeof Boot>;

export const PublisherSettings = Type.Object({
  floor_cpm: Type.Number(),
  min_relevance: Type.Number(),
  excluded_topics: Type.Array(Type.String()),
  blocked_advertisers: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
});
export type PublisherSettings = Static<typeof PublisherSettings>;

export const PublisherSettingsChange = Type.Object({
  floor_cpm: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1000, description: 'Dollars for a thousand impressions' }),
  ),
  min_relevance: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  excluded_topics: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }), { maxItems: 200 }),
  ),
  blocked_advertisers: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1000, description: 'Advertiser ids' }),
  ),
});
export type PublisherSettingsChange = Static<typeof PublisherSettingsChange>;

export const OnboardingSteps = Type.Object({ steps: Type.Record(Type.String(), Type.Boolean()) });

export const TestAds = Type.Object({
  ads: Type.Array(
    Type.Object({
      title: Type.String(),
      adText: Type.String(),
      cta: Type.String(),
      brandName: Type.String(),
    }),
  ),
});

export const FillPreview = Type.Object({
  requests: Type.Integer(),
  steps: Type.Array(Type.Object({ relevance: Type.Number(), fill: Type.Number() })),
});
export type FillPreview = Static<typeof FillPreview>;

export const AdvertiserNames = Type.Object({
  advertisers: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), impressions: Type.Integer() }),
  ),
});

export const FeedbackList = Type.Object({
  thumbs_up: Type.Integer(),
  thumbs_down: Type.Integer(),
  feedback: Type.Array(
    Type.Object({
      id: Type.String(),
      at: Type.String(),
      sentiment: Type.String(),
      reasons: Type.Array(Type.String()),
      comment: nullable(Type.String()),
      placement: nullable(Type.String()),
      campaign: nullable(Type.String()),
    }),
  ),
});
export type FeedbackList = Static<typeof FeedbackList>;

export const PixelEvents = Type.Object({
  events: Type.Array(
    Type.Object({
      id: Type.String(),
      at: Type.String(),
      event_type: Type.String(),
      domain: Type.String(),
    }),
  ),
});
export type PixelEvents = Static<typeof PixelEvents>;

const nullableText = nullable(Type.String());
export const AdUnits = Type.Object({
  ad_units: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      headline: nullableText,
      description: nullableText,
      landing_page: nullableText,
      static_ad_text: nullableText,
      static_cta: nullableText,
      image_url: nullableText,
      brand_name: nullableText,
      source: Type.String(),
      status: Type.String(),
      review_status: Type.String(),
      review_reason: nullableText,
      created_at: Type.String(),
      campaigns: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
    }),
  ),
});
export type AdUnits = Static<typeof AdUnits>;

export const TestConversion = Type.Object({
  event: Type.Object({}, { additionalProperties: true }),
});
export type TestConversion = Static<typeof TestConversion>;

export const PlaygroundAd = Type.Object({
  messages: Type.Array(
    Type.Object({
      role: Type.Union([Type.Literal('user'), Type.Literal('assistant')]),
      content: Type.String({ minLength: 1, maxLength: 4000 }),
    }),
    { minItems: 1, maxItems: 30 },
  ),
  sessionId: Type.String({ minLength: 1, maxLength: 100 }),
  placement: Type.Optional(Type.Union(placements.map((name) => Type.Literal(name)))),
  relevancy: Type.Optional(Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()])),
});
export type PlaygroundAd = Static<typeof PlaygroundAd>;

export const PlaygroundReading = Type.Pick(PlaygroundAd, ['messages']);
export type PlaygroundReading = Static<typeof PlaygroundReading>;

export const PlaygroundFeedback = Type.Object({
  sessionId: Type.String({ minLength: 1, maxLength: 100 }),
  impUrl: Type.String({ minLength: 1, maxLength: 4000 }),
  sentiment: Type.Union([Type.Literal('thumbs_up'), Type.Literal('thumbs_down')]),
  reasons: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 10 })),
});
export type PlaygroundFeedback = Static<typeof PlaygroundFeedback>;

export const PlaygroundConversion = Type.Object({
  event_name: Type.String({ minLength: 1, maxLength: 100 }),
  event_id: Type.String({ minLength: 1, maxLength: 100 }),
  value: Type.Number({ minimum: 0, maximum: 100_000 }),
  click_id: Type.Optional(Type.String({ maxLength: 100 })),
  test: Type.Boolean(),
});
export type PlaygroundConversion = Static<typeof PlaygroundConversion>;

/** Handed on to the search it is for, which checks it. */
export const PlaygroundSearch = Type.Object({}, { additionalProperties: true });
export type PlaygroundSearch = Static<typeof PlaygroundSearch>;
