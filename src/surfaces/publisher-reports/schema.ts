import { type Static, Type } from '@sinclair/typebox';
import {
  compareField,
  fillField,
  rangeFields,
  zoneField,
} from '../../platform/http/report-range.js';

const count = Type.Integer();
const amount = Type.Number();

export const limits = {
  stats: { default: 30, max: 3650 },
  activity: { default: 7, max: 30 },
  placements: { default: 7, max: 365 },
  devices: { default: 30, max: 365 },
  geography: { default: 30, max: 365 },
  funnel: { default: 30, max: 365 },
} as const;

export const StatsQuery = Type.Object({
  ...rangeFields(limits.stats),
  ...zoneField,
  ...fillField,
  ...compareField,
});
export type StatsQuery = Static<typeof StatsQuery>;
export const ActivityQuery = Type.Object({
  ...rangeFields(limits.activity),
  ...zoneField,
  ...fillField,
  ...compareField,
});
export type ActivityQuery = Static<typeof ActivityQuery>;
export const FunnelQuery = Type.Object({
  ...rangeFields(limits.funnel),
  ...zoneField,
  ...fillField,
  ...compareField,
});
export type FunnelQuery = Static<typeof FunnelQuery>;
export const PlacementsQuery = Type.Object(rangeFields(limits.placements));
export const DevicesQuery = Type.Object(rangeFields(limits.devices));
export const GeographyQuery = Type.Object(rangeFields(limits.geography));
export type SliceQuery = Static<typeof PlacementsQuery>;

export const PublisherInfo = Type.Object({
  publisher_id: Type.String(),
  name: Type.String(),
  url: Type.String(),
  payout_model: Type.String(),
  total_impressions: count,
  total_clicks: count,
});

export const StatsDay = Type.Object({
  date: Type.String(),
  impressions: count,
  clicks: count,
  revenue: amount,
  cpm: amount,
  cpc: amount,
  ctr: amount,
});
export type StatsDay = Static<typeof StatsDay>;
const statsPeriod = {
  totalImpressions: count,
  totalClicks: count,
  totalRevenue: amount,
  avgCpm: amount,
  avgCpc: amount,
  avgCtr: amount,
  timeSeries: Type.Array(StatsDay),
};
const previousDates = { start_date: Type.String(), end_date: Type.String() };
export const StatsPeriod = Type.Object(statsPeriod);
export type StatsPeriod = Static<typeof StatsPeriod>;
export const Stats = Type.Object({
  ...statsPeriod,
  previous: Type.Optional(Type.Object({ ...previousDates, ...statsPeriod })),
});
export type Stats = Static<typeof Stats>;

export const ActivityDay = Type.Object({
  date: Type.String(),
  requests: count,
  wins: count,
  impressions: count,
  revenue: amount,
});
export type ActivityDay = Static<typeof ActivityDay>;
const activityPeriod = {
  data: Type.Array(ActivityDay),
  total_requests: count,
  total_wins: count,
  total_impressions: count,
  total_revenue: amount,
  fill_rate: Type.Number({ description: 'wins / requests' }),
  show_rate: Type.Number({ description: 'impressions / wins' }),
};
export const ActivityPeriod = Type.Object(activityPeriod);
export type ActivityPeriod = Static<typeof ActivityPeriod>;
export const Activity = Type.Object({
  ...activityPeriod,
  previous: Type.Optional(Type.Object({ ...previousDates, ...activityPeriod })),
});
export type Activity = Static<typeof Activity>;

const steps = {
  requests: count,
  wins: count,
  impressions: count,
  viewable: count,
  clicks: count,
  conversions: count,
};
const disclosed = Type.Integer({
  description: 'Impressions of which the page proved that the label could be read',
});
export const FunnelDay = Type.Object({
  date: Type.String(),
  ...steps,
  disclosed,
  revenue: amount,
});
export type FunnelDay = Static<typeof FunnelDay>;
const funnelPeriod = {
  steps: Type.Array(
    Type.Object({
      step: Type.String(),
      count,
      rate_from_previous: amount,
      rate_from_first: amount,
    }),
  ),
  filtered_impressions: Type.Integer({ description: 'Impressions kept out as invalid traffic' }),
  filtered_clicks: Type.Integer({ description: 'Clicks kept out as invalid traffic' }),
  total_disclosed: disclosed,
  disclosed_rate: Type.Number({ description: 'total_disclosed / viewable' }),
  total_revenue: amount,
  data: Type.Array(FunnelDay),
};
export const FunnelPeriod = Type.Object(funnelPeriod);
export type FunnelPeriod = Static<typeof FunnelPeriod>;
export const Funnel = Type.Object({
  ...funnelPeriod,
  previous: Type.Optional(Type.Object({ ...previousDates, ...funnelPeriod })),
});
export type Funnel = Static<typeof Funnel>;

const slice = {
  impressions: count,
  clicks: count,
  ctr: amount,
  revenue: amount,
  cpm: amount,
  cpc: amount,
};
export const SliceMetrics = Type.Object(slice);
export type SliceMetrics = Static<typeof SliceMetrics>;

export const Placements = Type.Object({
  placements: Type.Array(
    Type.Object({
      placement: Type.String(),
      ...slice,
      daily: Type.Array(Type.Object({ date: Type.String(), ...slice })),
    }),
  ),
  period_days: count,
});
export const Devices = Type.Object({
  devices: Type.Array(
    Type.Object({
      device_type: Type.String(),
      ...slice,
      daily: Type.Array(Type.Object({ date: Type.String(), device_type: Type.String(), ...slice })),
    }),
  ),
  period_days: count,
});
export const Geography = Type.Object({
  countries: Type.Array(Type.Object({ country_code: Type.String(), ...slice })),
  period_days: count,
});

export const userSorts = [
  'requests',
  'ads_served',
  'impressions',
  'clicks',
  'revenue_microdollars',
  'first_seen',
  'last_seen',
] as const;
export type UserSort = (typeof userSorts)[number];

export const UsersQuery = Type.Object({
  page: Type.Integer({ default: 1, minimum: 1, maximum: 10_000_000 }),
  per_page: Type.Integer({ default: 50, minimum: 1, maximum: 200 }),
  sort: Type.Unsafe<UserSort>({ type: 'string', enum: [...userSorts], default: 'requests' }),
  order: Type.Unsafe<'asc' | 'desc'>({ type: 'string', enum: ['asc', 'desc'], default: 'desc' }),
  search: Type.Optional(
    Type.String({ maxLength: 500, description: 'Part of a user id, in any case' }),
  ),
});
export type UsersQuery = Static<typeof UsersQuery>;

export const Users = Type.Object({
  users: Type.Array(
    Type.Object({
      pub_user_id: Type.String(),
      requests: count,
      ads_served: count,
      impressions: count,
      clicks: count,
      revenue_microdollars: count,
      first_seen: Type.String(),
      last_seen: Type.String(),
    }),
  ),
  total: count,
  has_more: Type.Boolean(),
  page: count,
  per_page: count,
});
export type Users = Static<typeof Users>;

export const CountriesQuery = Type.Object({
  limit: Type.Integer({ default: 20, minimum: 1, maximum: 100 }),
});
export type CountriesQuery = Static<typeof CountriesQuery>;
export const Countries = Type.Object({
  countries: Type.Array(
    Type.Object({
      country_code: Type.String(),
      requests: count,
      ads_served: count,
      unique_users: count,
      pct_requests: amount,
    }),
  ),
});
