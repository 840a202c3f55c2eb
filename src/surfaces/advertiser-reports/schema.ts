import { type Static, Type } from '@sinclair/typebox';
import {
  compareField,
  fillField,
  rangeFields,
  zoneField,
} from '../../platform/http/report-range.js';

export const maxDays = 365;
const range = { ...rangeFields({ default: 30, max: maxDays }), ...zoneField, ...fillField };
const id = (description: string) => Type.Optional(Type.String({ description }));
const count = Type.Integer();
const amount = Type.Number();

export const AdvertiserInfo = Type.Object({
  advertiser_id: Type.String(),
  name: Type.String(),
  email: Type.String(),
});

export const MetricsQuery = Type.Object({
  ...range,
  ...compareField,
  campaign_id: id('Only this campaign'),
});
export type MetricsQuery = Static<typeof MetricsQuery>;

export const MetricsDay = Type.Object({
  date: Type.String(),
  impressions: count,
  clicks: count,
  spend: amount,
  conversions: count,
  revenue: amount,
  ctr: amount,
  cpc: amount,
  cpm: amount,
  conversion_rate: amount,
  cpa: amount,
  roas: amount,
  view_through_conversions: count,
  viewable_impressions: Type.Integer({ description: 'At least half in view for a second' }),
  disclosed_impressions: Type.Integer({
    description: 'Those of which the page proved that the label could be read',
  }),
});
export type MetricsDay = Static<typeof MetricsDay>;

const metricsPeriod = {
  data: Type.Array(MetricsDay),
  total_impressions: count,
  total_clicks: count,
  total_spend: amount,
  total_conversions: count,
  total_revenue: amount,
  total_view_through_conversions: count,
  total_viewable_impressions: count,
  total_disclosed_impressions: count,
  filtered_impressions: Type.Integer({ description: 'Impressions kept out as invalid traffic' }),
  filtered_clicks: Type.Integer({ description: 'Clicks kept out as invalid traffic' }),
};

export const MetricsPeriod = Type.Object(metricsPeriod);
export type MetricsPeriod = Static<typeof MetricsPeriod>;

export const Metrics = Type.Object({
  ...metricsPeriod,
  previous: Type.Optional(
    Type.Object({ start_date: Type.String(), end_date: Type.String(), ...metricsPeriod }),
  ),
});
export type Metrics = Static<typeof Metrics>;

export const CategoriesQuery = Type.Object({
  days: Type.Integer({ minimum: 1, maximum: 90, default: 30 }),
  campaign_id: id('Only this campaign'),
});
export type CategoriesQuery = Static<typeof CategoriesQuery>;

export const CategoryReport = Type.Object({
  period_days: count,
  categories: Type.Array(
    Type.Object({
      category_id: Type.Union([Type.String(), Type.Null()], {
        description: 'IAB content category of the conversation; null where it is not known',
      }),
      category: Type.String(),
      impressions: count,
      viewable_impressions: count,
      clicks: count,
      spend: amount,
      ctr: amount,
      cpm: amount,
    }),
  ),
});
export type CategoryReport = Static<typeof CategoryReport>;

export const AdUnitMetricsQuery = Type.Object({
  ...range,
  campaign_id: id('Only this campaign'),
  ad_unit_id: id('Only this ad unit'),
});
export type AdUnitMetricsQuery = Static<typeof AdUnitMetricsQuery>;

export const AdUnitDay = Type.Object({
  date: Type.String(),
  impressions: count,
  clicks: count,
  spend: amount,
  ctr: amount,
  cpc: amount,
  cpm: amount,
});
export type AdUnitDay = Static<typeof AdUnitDay>;

export const AdUnitSeries = Type.Object({
  ad_unit_id: Type.String(),
  campaign_id: Type.String(),
  name: Type.String(),
  data_source: Type.Union([Type.Literal('ad_unit_stats'), Type.Literal('campaign_fallback')]),
  total_impressions: count,
  total_clicks: count,
  total_spend: amount,
  data: Type.Array(AdUnitDay),
});
export type AdUnitSeries = Static<typeof AdUnitSeries>;
export const AdUnitMetrics = Type.Object({ ad_units: Type.Array(AdUnitSeries) });

export const AdGroupMetricsQuery = Type.Object({
  ...range,
  campaign_id: id('Only this campaign'),
  ad_group_id: id('Only this ad group, archived or not'),
  include_archived: Type.Boolean({ default: false }),
  offset: Type.Integer({
    default: 0,
    minimum: 0,
    maximum: 100_000_000,
    description: 'Ad groups to skip; add 2000 while truncated is true',
  }),
});
export type AdGroupMetricsQuery = Static<typeof AdGroupMetricsQuery>;

export const AdGroupDay = Type.Object({
  date: Type.String(),
  impressions: count,
  clicks: count,
  spend: amount,
  conversions: count,
  ctr: amount,
  cpc: amount,
  cpm: amount,
  conversion_rate: amount,
  cpa: amount,
});

/** Streamed by hand in `stream-ad-groups.ts`; this says what it must look like. */
export const AdGroupMetrics = Type.Object({
  ad_groups: Type.Array(
    Type.Object({
      ad_group_id: Type.String(),
      campaign_id: Type.String(),
      name: Type.String(),
      group_type: Type.String(),
      status: Type.String(),
      total_impressions: count,
      total_clicks: count,
      total_spend: amount,
      total_conversions: count,
      data: Type.Array(AdGroupDay),
    }),
  ),
  total_ad_groups: count,
  truncated: Type.Boolean(),
  offset: count,
});
