import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { compareField, rangeFields, zoneField } from '../../platform/http/report-range.js';

export const maxDays = 366;

/** What a report is narrowed to; null is everything. */
export interface Filters {
  campaignId: string | null;
  adGroupId: string | null;
  adId: string | null;
  country: string | null;
  device: string | null;
  placement: string | null;
  publisherId: string | null;
  advertiserId: string | null;
}

export const advertiserDimensions = [
  'day',
  'campaign',
  'ad_group',
  'ad',
  'country',
  'device',
  'placement',
  'publisher',
  'topic',
] as const;
export const publisherDimensions = [
  'day',
  'advertiser',
  'placement',
  'country',
  'device',
  'no_ad_reason',
] as const;
export const operatorDimensions = [
  'day',
  'publisher',
  'advertiser',
  'campaign',
  'ad_group',
  'ad',
  'country',
  'device',
  'placement',
  'topic',
  'no_ad_reason',
] as const;
export type Dimension =
  | (typeof advertiserDimensions)[number]
  | (typeof publisherDimensions)[number]
  | (typeof operatorDimensions)[number];

const id = Type.Optional(Type.String({ maxLength: 100 }));
const value = Type.Optional(Type.String({ maxLength: 100 }));
const shared = {
  ...rangeFields({ default: 30, max: maxDays }),
  ...zoneField,
  ...compareField,
  sort: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'A column of the answer; `change` is the difference to the period before. Days come in their order',
    }),
  ),
  order: Type.Optional(
    Type.Unsafe<'asc' | 'desc'>({ type: 'string', enum: ['asc', 'desc'], default: 'desc' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: 10_000, default: 200 }),
  country: value,
  device: value,
  placement: value,
};

function by<const Names extends readonly string[]>(names: Names) {
  return Type.Unsafe<Names[number]>({
    type: 'string',
    enum: [...names],
    default: 'day',
    description: 'What each row is about',
  });
}

export const AdvertiserReportQuery = Type.Object({
  by: by(advertiserDimensions),
  ...shared,
  campaign_id: id,
  ad_group_id: id,
  ad_id: id,
  publisher_id: id,
});
export type AdvertiserReportQuery = Static<typeof AdvertiserReportQuery>;

export const PublisherReportQuery = Type.Object({
  by: by(publisherDimensions),
  ...shared,
  advertiser_id: id,
});
export type PublisherReportQuery = Static<typeof PublisherReportQuery>;

export const OperatorReportQuery = Type.Object({
  by: by(operatorDimensions),
  ...shared,
  columns: Type.Optional(
    Type.String({
      maxLength: 400,
      description:
        'Columns that are wanted, separated by commas; all, where none are named. What takes long to count and is not among them may be null',
    }),
  ),
  campaign_id: id,
  ad_group_id: id,
  ad_id: id,
  publisher_id: id,
  advertiser_id: id,
});
export type OperatorReportQuery = Static<typeof OperatorReportQuery>;

export type ReportQuery = { by: Dimension } & Omit<AdvertiserReportQuery, 'by'> &
  Omit<OperatorReportQuery, 'by'>;

const count = Type.Integer();
const amount = Type.Number();
/** null: not counted by what the rows are about, or by what was filtered. */
const sometimes = Type.Unsafe<number | null>({
  type: ['number', 'null'],
  description: 'null where it is not counted by this',
});

const delivered = { impressions: count, clicks: count, ctr: amount };
export const advertiserMeasures = {
  ...delivered,
  spend: amount,
  conversions: sometimes,
  revenue: sometimes,
  cpc: amount,
  cpm: amount,
  conversion_rate: sometimes,
  cpa: sometimes,
  roas: sometimes,
  view_through_conversions: sometimes,
};
export const publisherMeasures = {
  requests: sometimes,
  wins: sometimes,
  fill_rate: sometimes,
  ...delivered,
  revenue: amount,
  cpm: amount,
  cpc: amount,
  conversions: count,
};
/** What an operator's report does not count unless it is asked for. */
const wanted = (description: string) =>
  Type.Unsafe<number | null>({
    type: ['number', 'null'],
    description: `${description}; null where \`columns\` leaves it out`,
  });
export const operatorMeasures = {
  requests: sometimes,
  wins: sometimes,
  fill_rate: sometimes,
  ...delivered,
  conversions: sometimes,
  spend: wanted('What advertisers pay'),
  payout: Type.Number({ description: 'What publishers get of it' }),
  margin: wanted('What stays here'),
  margin_rate: wanted('Per cent of spend'),
  cpm: wanted('Spend for 1,000 impressions'),
  conversion_value: wanted('What was sold'),
};

const text = Type.String();
function reportOf<M extends Record<string, TSchema>>(measures: M) {
  return Type.Object({
    by: text,
    start_date: text,
    end_date: text,
    previous: Type.Unsafe<{ start_date: string; end_date: string } | null>({
      type: ['object', 'null'],
      properties: { start_date: { type: 'string' }, end_date: { type: 'string' } },
    }),
    note: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'What these numbers do not say',
    }),
    filters: Type.Array(Type.Object({ field: text, name: text })),
    rows: Type.Array(
      Type.Object({
        key: Type.String({ description: 'To filter by; empty where it is not known' }),
        name: text,
        ...measures,
        before: Type.Optional(Type.Object(measures)),
      }),
    ),
    total: Type.Object(measures),
    total_before: Type.Optional(Type.Object(measures)),
    row_count: Type.Integer({ description: 'How many there are beyond `limit` too' }),
  });
}
export const AdvertiserReport = reportOf(advertiserMeasures);
export const PublisherReport = reportOf(publisherMeasures);
export const OperatorReport = reportOf(operatorMeasures);

export const NewView = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' }),
  path: Type.String({ maxLength: 200, pattern: '^/app/' }),
  search: Type.String({ maxLength: 2000 }),
});
export type NewView = Static<typeof NewView>;
export const View = Type.Object({ id: text, name: text, path: text, search: text });
export const Views = Type.Object({ views: Type.Array(View) });
