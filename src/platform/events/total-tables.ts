import { utcDaySql } from '../db/utc-day-sql.js';

/**
 * What every total is made of. The statement that stores events, `verify` and `rebuild` are all
 * generated from this
 * table, so that they cannot disagree about what counts.
 */
export interface TotalTable {
  readonly table: string;
  /** Key column → expression over the columns of `counted`. */
  readonly key: Readonly<Record<string, string>>;
  /** Summed columns, by the name they have in `counted`. */
  readonly sums: readonly string[];
  /** Columns that keep the earliest or latest value instead of a sum. */
  readonly earliest?: readonly string[];
  readonly latest?: readonly string[];
  /** Columns that keep every different value once: column → expression, null adds nothing. */
  readonly sets?: Readonly<Record<string, string>>;
  readonly where: string;
  readonly from?: string;
  /**
   * Only events of these kinds count here; absent: any. A statement for other kinds leaves the
   * table out.
   */
  readonly kinds?: readonly string[];
}

/** Each measure as an expression over an event's columns. */
export const measures: Readonly<Record<string, string>> = {
  requests: `case when kind = 'request' and invalid is null then 1 else 0 end`,
  wins: `case when kind = 'win' and invalid is null then 1 else 0 end`,
  impressions: counted('impression'),
  viewable: counted('viewable'),
  disclosed: `case when kind = 'disclosed' and invalid is null then 1 else 0 end`,
  clicks: counted('click'),
  conversions: `case when attribution is null or invalid is not null then 0
    when kind = 'conversion' then 1 when kind = 'conversion_reversal' then -1 else 0 end`,
  view_conversions: `case when attribution is distinct from 'view' or invalid is not null then 0
    when kind = 'conversion' then 1 when kind = 'conversion_reversal' then -1 else 0 end`,
  group_conversions: `case when attribution is distinct from 'click' or invalid is not null then 0
    when kind = 'conversion' then 1 when kind = 'conversion_reversal' then -1 else 0 end`,
  received_conversions: counted('conversion'),
  pixel_events: `case when kind = 'pixel' and invalid is null then 1 else 0 end`,
  invalid_impressions: filtered('impression'),
  invalid_clicks: filtered('click'),
};

function counted(kind: string): string {
  return `case when invalid is not null then 0 when kind = '${kind}' then 1
    when kind = '${kind}_reversal' then -1 else 0 end`;
}

function filtered(kind: string): string {
  return `case when kind = '${kind}' and invalid is not null then 1 when kind = '${kind}_reversal'
    then 1 else 0 end`;
}

const quarterHour = `date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00')`;
const hour = `date_trunc('hour', at, 'UTC')`;
const utcDay = utcDaySql('at');
const none = `'00000000-0000-0000-0000-000000000000'::uuid`;
const money = ['spend_micros', 'revenue_micros', 'value_micros'];
const campaignSums = [
  'impressions',
  'viewable',
  'disclosed',
  'clicks',
  'conversions',
  'view_conversions',
  'invalid_impressions',
  'invalid_clicks',
  ...money,
];
const publisherSums = [
  'requests',
  'wins',
  'impressions',
  'viewable',
  'disclosed',
  'clicks',
  'conversions',
  'invalid_impressions',
  'invalid_clicks',
  'revenue_micros',
];
const isDelivery = `kind in ('win', 'impression', 'viewable', 'disclosed', 'click', 'conversion', 'impression_reversal', 'viewable_reversal', 'click_reversal', 'conversion_reversal', 'conversion_adjustment')`;
const campaignOnly = `${isDelivery} and campaign_id is not null and advertiser_id is not null`;
const adGroupSums = ['impressions', 'clicks', 'group_conversions as conversions', 'spend_micros'];
const adGroupOnly = `${campaignOnly} and ad_group_id is not null`;
const publisherOnly = `(kind = 'request' or ${isDelivery}) and publisher_id is not null`;
const user = `coalesce(user_id, 'anonymous')`;
/** Kinds that count in few tables, or in tables of their own. */
export const conversionKinds: readonly string[] = [
  'conversion',
  'conversion_reversal',
  'conversion_adjustment',
];
const userKinds = [
  'request',
  'win',
  'impression',
  'click',
  'impression_reversal',
  'click_reversal',
];
/** Of these a user's row knows only the money: most of them bring none. */
const paidUserKinds = ['viewable', 'viewable_reversal'];
const listOf = (kinds: readonly string[]): string => kinds.map((kind) => `'${kind}'`).join(', ');
const eventType = `coalesce(data ->> 'event_type', '')`;

export const totalTables: readonly TotalTable[] = [
  {
    table: 'totals',
    key: {
      advertiser_id: 'advertiser_id',
      campaign_id: 'campaign_id',
      ad_group_id: `coalesce(ad_group_id, ${none})`,
      ad_id: `coalesce(ad_id, ${none})`,
      bucket: quarterHour,
      publisher_id: `coalesce(publisher_id, ${none})`,
      placement: `coalesce(placement, '')`,
      device: `coalesce(device, '')`,
      country: `coalesce(country, '')`,
    },
    sums: ['wins', ...campaignSums],
    where: campaignOnly,
  },
  {
    table: 'campaign_totals',
    key: { advertiser_id: 'advertiser_id', campaign_id: 'campaign_id', bucket: quarterHour },
    sums: campaignSums,
    where: campaignOnly,
  },
  {
    table: 'campaign_hours',
    key: { advertiser_id: 'advertiser_id', campaign_id: 'campaign_id', bucket: hour },
    sums: campaignSums,
    where: campaignOnly,
  },
  {
    table: 'ad_group_totals',
    key: {
      advertiser_id: 'advertiser_id',
      ad_group_id: 'ad_group_id',
      bucket: quarterHour,
      campaign_id: 'campaign_id',
    },
    sums: adGroupSums,
    where: adGroupOnly,
  },
  {
    table: 'ad_group_days',
    key: {
      advertiser_id: 'advertiser_id',
      ad_group_id: 'ad_group_id',
      day: utcDay,
      campaign_id: 'campaign_id',
    },
    sums: adGroupSums,
    where: adGroupOnly,
  },
  {
    table: 'publisher_totals',
    key: { publisher_id: 'publisher_id', bucket: quarterHour },
    sums: publisherSums,
    where: publisherOnly,
  },
  {
    table: 'publisher_hours',
    key: { publisher_id: 'publisher_id', bucket: hour },
    sums: publisherSums,
    where: publisherOnly,
  },
  {
    table: 'publisher_days',
    key: {
      publisher_id: 'publisher_id',
      dimension: 'slice.dimension',
      day: utcDay,
      value: 'slice.value',
    },
    sums: ['impressions', 'clicks', 'revenue_micros'],
    from: `counted cross join lateral (values ('placement', coalesce(placement, '')),
      ('device', coalesce(device, '')), ('country', coalesce(country, ''))) as slice (dimension,
      value)`,
    where: `${isDelivery} and publisher_id is not null`,
  },
  {
    table: 'publisher_users',
    key: { publisher_id: 'publisher_id', user_id: user },
    sums: ['requests', 'wins as ads_served', 'impressions', 'clicks', 'revenue_micros'],
    earliest: ['first_seen'],
    latest: ['last_seen'],
    sets: {
      countries: `case when kind in ('request', 'win') and invalid is null
        then coalesce(nullif(country, ''), '--') end`,
    },
    where: `(kind in (${listOf(userKinds)}) or kind in (${listOf(paidUserKinds)})
      and revenue_micros <> 0) and publisher_id is not null`,
    kinds: [...userKinds, ...paidUserKinds],
  },
  {
    table: 'publisher_countries',
    key: { publisher_id: 'publisher_id', country: `coalesce(country, '')` },
    sums: ['requests', 'wins as ads_served'],
    where: `kind in ('request', 'win') and publisher_id is not null`,
    kinds: ['request', 'win'],
  },
  {
    table: 'conversion_totals',
    key: { advertiser_id: 'advertiser_id', bucket: quarterHour, event_type: eventType },
    sums: ['received_conversions as conversions'],
    where: `kind in ('conversion', 'conversion_reversal') and advertiser_id is not null`,
    kinds: conversionKinds,
  },
  {
    table: 'conversion_counts',
    key: {
      advertiser_id: 'advertiser_id',
      campaign_id: `coalesce(campaign_id, ${none})`,
      event_type: eventType,
    },
    sums: ['received_conversions as conversions'],
    where: `kind in ('conversion', 'conversion_reversal') and advertiser_id is not null`,
    kinds: conversionKinds,
  },
  {
    table: 'pixel_totals',
    key: {
      advertiser_id: 'advertiser_id',
      bucket: quarterHour,
      domain: `coalesce(data ->> 'domain', '')`,
      event_type: eventType,
    },
    sums: ['pixel_events as events'],
    latest: ['last_seen'],
    where: `kind = 'pixel' and advertiser_id is not null`,
    kinds: ['pixel'],
  },
];

/** `counted`: events that count at all, with every measure as a column. */
export function countedFrom(source: string): string {
  const columns = Object.entries(measures).map(([name, expression]) => `${expression} as ${name}`);
  return `
    select *, at as first_seen, at as last_seen, ${columns.join(', ')}
    from ${source}
    where not test`;
}

/** A `sums` entry is a measure, or a measure stored under another name. */
export function sumColumn(entry: string): { measure: string; column: string } {
  const [measure = entry, column = measure] = entry.split(' as ');
  return { measure, column };
}

/** Different values in order, in one text. */
function setOf(value: string): string {
  return `string_agg(distinct ${value} collate "C", ' ' order by ${value} collate "C")`;
}

/** How a row that is there takes in another one. */
export function totalUpdates(total: TotalTable): string[] {
  return totalColumns(total).values.map((column) => {
    const [there, added] = [`${total.table}.${column}`, `excluded.${column}`];
    if (total.earliest?.includes(column) === true) return `${column} = least(${there}, ${added})`;
    if (total.latest?.includes(column) === true) return `${column} = greatest(${there}, ${added})`;
    if (total.sets !== undefined && column in total.sets)
      return `${column} = case when ${added} in ('', ${there}) then ${there} else (
        select ${setOf('v')}
        from unnest(string_to_array(concat_ws(' ', nullif(${there}, ''), ${added}), ' ')) v
      ) end`;
    return `${column} = ${there} + ${added}`;
  });
}

/** The totals of a table computed from `counted`. */
export function totalsQuery(total: TotalTable): string {
  const keys = Object.values(total.key);
  const values = [
    ...total.sums.map(
      (entry) => `sum(${sumColumn(entry).measure})::bigint as ${sumColumn(entry).column}`,
    ),
    ...(total.earliest ?? []).map((column) => `min(${column}) as ${column}`),
    ...(total.latest ?? []).map((column) => `max(${column}) as ${column}`),
    ...Object.entries(total.sets ?? {}).map(
      ([column, value]) => `coalesce(${setOf(`(${value})`)}, '') as ${column}`,
    ),
  ];
  return `
    select
        ${Object.entries(total.key)
          .map(([name, expression]) => `${expression} as ${name}`)
          .join(', ')}, ${values.join(', ')}
    from ${total.from ?? 'counted'}
    where ${total.where}
    group by ${keys.map((_, index) => index + 1).join(', ')}`;
}

export function totalColumns(total: TotalTable): { keys: string[]; values: string[] } {
  return {
    keys: Object.keys(total.key),
    values: [
      ...total.sums.map((entry) => sumColumn(entry).column),
      ...(total.earliest ?? []),
      ...(total.latest ?? []),
      ...Object.keys(total.sets ?? {}),
    ],
  };
}
