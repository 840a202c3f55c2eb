import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { loosely } from '../../platform/http/loose-schema.js';
import { fillField, rangeFields, zoneField } from '../../platform/http/report-range.js';

/** What the visitor chose: see `docs/privacy.md`. */
const choices = {
  regs: Type.Optional(
    Type.Unknown({ description: '`gdpr`, `tcf`, `gpp`, `gpp_sid`, `us_privacy`' }),
  ),
  consent: Type.Optional(Type.Unknown({ description: 'A TCF string, true, false, or flags' })),
};

const maybe = (described: TSchema) => Type.Optional(Type.Union([described, Type.Null()]));
const open = { additionalProperties: true };
const someTexts = maybe(Type.Union([Type.Array(Type.String()), Type.String()]));

/** What read-event.ts takes; its answer for what is otherwise is an error of that event alone. */
const ConversionEvent = Type.Object(
  {
    event_name: Type.String({ description: '`Purchase`, `Lead` … or a name of your own' }),
    event_time: Type.Integer({ description: 'Unix seconds' }),
    event_id: Type.String({ description: 'Unique per conversion; repeats count once' }),
    action_source: maybe(Type.String({ description: 'For example `website`' })),
    event_source_url: maybe(Type.String({ description: 'The page it happened on' })),
    user_data: maybe(
      Type.Object(
        {
          click_id: maybe(
            Type.String({
              description:
                'Which click it came from: `grclid` of the landing page’s address. `grclid` is taken as its name, too; no other place is looked at',
            }),
          ),
          visitor_id: maybe(Type.String({ description: 'From the pixel' })),
          session_id: maybe(Type.String({ description: 'From the pixel' })),
          client_user_agent: maybe(Type.String()),
          em: someTexts,
          ph: someTexts,
          fn: maybe(Type.String()),
          ln: maybe(Type.String()),
          external_id: someTexts,
        },
        open,
      ),
    ),
    client_context: maybe(Type.Object({}, { ...open, description: 'From the pixel, as it is' })),
    custom_data: maybe(
      Type.Object(
        {
          value: maybe(Type.Number()),
          currency: maybe(Type.String({ description: 'ISO 4217; USD unless told' })),
          order_id: maybe(Type.String()),
          contents: maybe(
            Type.Array(
              Type.Object(
                {
                  id: maybe(Type.String()),
                  quantity: maybe(Type.Number()),
                  item_price: maybe(Type.Number()),
                  title: maybe(Type.String()),
                },
                open,
              ),
            ),
          ),
          content_name: maybe(Type.String()),
          content_category: maybe(Type.String()),
          predicted_ltv: maybe(Type.Number()),
        },
        open,
      ),
    ),
    opt_out: maybe(Type.Boolean({ description: 'True: nothing is kept' })),
    ...choices,
  },
  open,
);

/**
 * Events are checked one by one, so that a bad one does not reject its batch: see read-event.ts.
 */
export const ConversionRequest = Type.Object({
  ...choices,
  test_event_code: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  data: Type.Array(loosely(ConversionEvent), { minItems: 1, maxItems: 1000 }),
});
export type ConversionRequest = Static<typeof ConversionRequest>;

export const ConversionResult = Type.Object({
  event_id: Type.Union([Type.String(), Type.Null()]),
  status: Type.Union([
    Type.Literal('ok'),
    Type.Literal('duplicate'),
    Type.Literal('test_ok'),
    Type.Literal('skipped'),
    Type.Literal('error'),
  ]),
  attributed: Type.Boolean(),
  error: Type.Optional(Type.String()),
});
export type ConversionResult = Static<typeof ConversionResult>;

export const ConversionReport = Type.Object({
  events_received: Type.Integer(),
  events_processed: Type.Integer(),
  events_errored: Type.Integer(),
  results: Type.Array(ConversionResult),
  test_mode: Type.Boolean(),
});
export type ConversionReport = Static<typeof ConversionReport>;

const id = Type.String({ minLength: 1, maxLength: 500 });
const optionalId = Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Null()]));

export const PixelBatch = Type.Object({
  ...choices,
  pixel_id: id,
  visitor_id: optionalId,
  session_id: optionalId,
  events: Type.Array(Type.Unknown(), {
    minItems: 1,
    maxItems: 100,
    description:
      'Each: event_type, event_id?, url, timestamp (milliseconds), click_id?, properties?',
  }),
});
export type PixelBatch = Static<typeof PixelBatch>;
export const PixelAccepted = Type.Object({
  status: Type.Literal('accepted'),
  events_received: Type.Integer(),
});

export const SessionRequest = Type.Object({
  ...choices,
  pixel_id: id,
  visitor_id: id,
  session_id: optionalId,
});
export type SessionRequest = Static<typeof SessionRequest>;
export const SessionAnswer = Type.Object({ session_id: Type.String() });

const text = Type.String();
const optionalText = Type.Optional(Type.String());
const nullableText = Type.Union([Type.String(), Type.Null()]);

export const ConversionListQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the page before' })),
  campaign_id: optionalText,
  event_type: Type.Optional(Type.String({ description: 'Compared ignoring case' })),
});
export type ConversionListQuery = Static<typeof ConversionListQuery>;

export const ConversionList = Type.Object({
  conversions: Type.Array(
    Type.Object({
      conversion_id: text,
      event_type: text,
      value_cents: Type.Integer({ description: 'Hundredths of the currency given' }),
      currency: text,
      conversion_timestamp: text,
      campaign_id: nullableText,
      order_id: nullableText,
      page_url: nullableText,
      source: text,
      is_attributed: Type.Boolean(),
      attribution: Type.Union([Type.Literal('click'), Type.Literal('view'), Type.Null()]),
      ad_group_id: nullableText,
    }),
  ),
  total_conversions: Type.Integer(),
  has_more: Type.Boolean(),
  next_cursor: nullableText,
});
export type ConversionList = Static<typeof ConversionList>;

const days = { ...rangeFields({ default: 30, max: 365 }), ...zoneField, ...fillField };
export const AnalyticsQuery = Type.Object({
  ...days,
  domain: Type.Optional(Type.String({ description: 'Part of a host name' })),
  event_type: optionalText,
});
export type AnalyticsQuery = Static<typeof AnalyticsQuery>;
export const ConversionStatsQuery = Type.Object({ ...days, event_type: optionalText });
export type ConversionStatsQuery = Static<typeof ConversionStatsQuery>;

export const Analytics = Type.Object({
  domains: Type.Array(Type.Object({ domain: text, events: Type.Integer() })),
  time_series: Type.Array(Type.Object({ date: text, events: Type.Integer() })),
  event_types: Type.Array(
    Type.Object({ event_type: text, total: Type.Integer(), last_received: text }),
  ),
  has_historical_data: Type.Boolean(),
});
export type Analytics = Static<typeof Analytics>;

export const ConversionStats = Type.Object({
  time_series: Type.Array(Type.Object({ date: text, conversions: Type.Integer() })),
  total: Type.Integer(),
  by_event_type: Type.Array(Type.Object({ event_type: text, total: Type.Integer() })),
});
export type ConversionStats = Static<typeof ConversionStats>;

export const CurrencyRates = Type.Object({
  rates: Type.Record(
    Type.String({ pattern: '^[A-Za-z]{3}$' }),
    Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }),
    { description: 'US dollars for one unit of each currency' },
  ),
});
export type CurrencyRates = Static<typeof CurrencyRates>;
