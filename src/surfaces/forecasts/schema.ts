import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { type BillingModel, billingModelNames } from '../../domain/billing/billing-models.js';

/** May be left out; null takes a limit away where a campaign has one. */
function optional<T extends TSchema>(schema: T) {
  return Type.Optional(
    Type.Unsafe<Static<T> | null>({
      ...schema,
      type: [schema['type'], 'null'].flat(),
      ...(Array.isArray(schema['enum']) ? { enum: [...schema['enum'], null] } : {}),
    }),
  );
}

function oneOf<const Values extends readonly string[]>(values: Values) {
  return optional(Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] }));
}

const dollars = optional(Type.Number({ minimum: 0, maximum: 1_000_000_000 }));
const words = optional(Type.String({ maxLength: 10_000 }));
const moment = optional(Type.String({ maxLength: 40, description: 'ISO 8601' }));

export const ForecastRequest = Type.Object({
  campaign_id: optional(
    Type.String({
      maxLength: 100,
      description: 'A campaign of yours; what the body does not name is as it is set there',
    }),
  ),
  context: words,
  negative_context: words,
  daily_budget: optional(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000_000 })),
  billing_model: optional(Type.Unsafe<BillingModel>({ type: 'string', enum: billingModelNames })),
  campaign_objective: oneOf(['clicks', 'conversions', 'impressions']),
  max_cpm: dollars,
  max_cpc: dollars,
  max_cpa: dollars,
  allowed_countries: optional(
    Type.Array(Type.String({ pattern: '^[A-Za-z]{2}$' }), { maxItems: 300 }),
  ),
  allowed_devices: optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
  start_time: moment,
  end_time: moment,
});
export type ForecastRequest = Static<typeof ForecastRequest>;

const amount = Type.Number();
const RangeView = Type.Object(
  { low: amount, expected: amount, high: amount },
  { description: 'Eight days in ten are expected between `low` and `high`' },
);
const OutlookView = Type.Object({
  enough_data: Type.Boolean(),
  reason: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description:
      'Why there is no forecast: `not_read` (conversations are matched by words here), `nothing_asked`, `too_new` (less than a day was watched), `no_description`, `nothing_fits`, `too_few` requests fit, `ended`',
  }),
  matching_requests_per_day: amount,
  won_share: Type.Number({ description: 'Of the requests that fit, those the bid would win' }),
  limited_by: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  per_day: Type.Object({ impressions: RangeView, clicks: RangeView, spend: RangeView }),
  run: Type.Unsafe<{
    days: number;
    impressions: Static<typeof RangeView>;
    clicks: Static<typeof RangeView>;
    spend: Static<typeof RangeView>;
  } | null>({
    type: ['object', 'null'],
    description: 'The same from the start, or now, to the end; null where there is no end',
    properties: {
      days: amount,
      impressions: RangeView,
      clicks: RangeView,
      spend: RangeView,
    },
  }),
});
export type OutlookView = Static<typeof OutlookView>;

export const Forecast = Type.Object({
  basis: Type.Object({
    days: Type.Number({ description: 'Days of requests it is made from, 14 at most' }),
    requests: Type.Integer({ description: 'Requests with a need in these days' }),
    kept: Type.Integer({ description: 'Of them, how many were kept to forecast from' }),
  }),
  forecast: OutlookView,
  current: Type.Optional({
    ...OutlookView,
    description: 'The campaign as it is set now',
  } as typeof OutlookView),
});
