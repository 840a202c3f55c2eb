import type { EventRecord } from './event.js';
import { nilUuid } from '../../domain/uuid.js';

/**
 * Adds events up in memory, one row a key and table, by the rules `total-tables` states in SQL:
 * `verify` compares the two after every test.
 */
export type CountedTable =
  | 'totals'
  | 'campaign_totals'
  | 'campaign_hours'
  | 'ad_group_totals'
  | 'ad_group_days'
  | 'publisher_totals'
  | 'publisher_hours'
  | 'publisher_days'
  | 'publisher_users'
  | 'publisher_countries'
  | 'conversion_totals'
  | 'conversion_counts'
  | 'pixel_totals';

export type TotalRow = Record<string, string | number>;
export type CountedRows = ReadonlyMap<CountedTable, TotalRow[]>;

/** Which of the measures an event has; most have one or two. */
interface Measures {
  requests: number;
  wins: number;
  impressions: number;
  viewable: number;
  disclosed: number;
  clicks: number;
  conversions: number;
  viewConversions: number;
  groupConversions: number;
  receivedConversions: number;
  invalidImpressions: number;
  invalidClicks: number;
}

const deliveryKinds: ReadonlySet<string> = new Set([
  'win',
  'impression',
  'viewable',
  'disclosed',
  'click',
  'conversion',
  'impression_reversal',
  'viewable_reversal',
  'click_reversal',
  'conversion_reversal',
  'conversion_adjustment',
]);
const userKinds: ReadonlySet<string> = new Set([
  'request',
  'win',
  'impression',
  'click',
  'impression_reversal',
  'click_reversal',
]);

/** Views are counted by user only where they brought money. */
const paidUserKinds: ReadonlySet<string> = new Set(['viewable', 'viewable_reversal']);

function isOfUser({ kind, revenueMicros }: EventRecord): boolean {
  return userKinds.has(kind) || (paidUserKinds.has(kind) && (revenueMicros ?? 0) !== 0);
}

export function countEvents(events: readonly EventRecord[]): CountedRows {
  const sums = new TableSums();
  const alike = new Map<string, Alike>();
  for (const event of events) {
    if (event.test === true) continue;
    if (event.publisherId != null && isOfUser(event)) countUser(event, sums);
    if (tellMore.has(event.kind)) countAlike({ event, times: 1 }, sums);
    else gather(event, alike);
  }
  for (const group of alike.values()) countAlike(group, sums);
  return sums.rows();
}

/**
 * Events that count in the same rows, as one that happened so many times with the money of all.
 * Thousands of a batch are a few dozen of these, and every table but that of users is added up from
 * them.
 */
interface Alike {
  event: EventRecord;
  times: number;
}

/** These count by what they tell beside the columns all events have. */
const tellMore: ReadonlySet<string> = new Set(['conversion', 'conversion_reversal', 'pixel']);

function gather(event: EventRecord, alike: Map<string, Alike>): void {
  const { kind, invalid, attribution, publisherId, advertiserId, campaignId } = event;
  const { adGroupId, adId, placement, device, country } = event;
  const quarter = Math.floor(event.at / quarterMs);
  const name =
    `${kind} ${invalid ?? ''} ${attribution ?? ''} ${publisherId ?? ''} ${advertiserId ?? ''} ` +
    `${campaignId ?? ''} ${adGroupId ?? ''} ${adId ?? ''} ${quarter}\u0000${placement ?? ''}\u0000` +
    `${device ?? ''}\u0000${country ?? ''}`;
  const known = alike.get(name);
  if (known === undefined) return void alike.set(name, { event, times: 1 });
  known.times += 1;
  if (hasMoney(event))
    known.event = {
      ...known.event,
      spendMicros: (known.event.spendMicros ?? 0) + (event.spendMicros ?? 0),
      revenueMicros: (known.event.revenueMicros ?? 0) + (event.revenueMicros ?? 0),
      valueMicros: (known.event.valueMicros ?? 0) + (event.valueMicros ?? 0),
    };
}

function hasMoney({ spendMicros, revenueMicros, valueMicros }: EventRecord): boolean {
  return spendMicros !== undefined || revenueMicros !== undefined || valueMicros !== undefined;
}

function countAlike({ event, times }: Alike, sums: TableSums): void {
  const of = measure(event, times);
  const at = timesOf(event.at, sums.times);
  const isDelivery = deliveryKinds.has(event.kind);
  if (isDelivery && event.campaignId != null && event.advertiserId != null) {
    countCampaign(event, of, at, sums);
    if (event.adGroupId != null) countAdGroup(event, of, at, sums);
  }
  if (event.publisherId != null) {
    if (isDelivery || event.kind === 'request') countPublisher(event, of, at, sums);
    if (isDelivery) countSlices(event, of, at, sums);
    if (event.kind === 'request' || event.kind === 'win') countCountry(event, of, sums);
  }
  if (event.advertiserId == null) return;
  if (event.kind === 'conversion' || event.kind === 'conversion_reversal')
    countConversion(event, of, at, sums);
  if (event.kind === 'pixel') countPixel(event, at, sums);
}

function measure({ kind, invalid, attribution }: EventRecord, times = 1): Measures {
  const isValid = invalid == null;
  const counted = (name: string, reversal: string): number =>
    !isValid ? 0 : kind === name ? times : kind === reversal ? -times : 0;
  const filtered = (name: string, reversal: string): number =>
    (kind === name && !isValid) || kind === reversal ? times : 0;
  const conversions = counted('conversion', 'conversion_reversal');
  return {
    requests: kind === 'request' && isValid ? times : 0,
    wins: kind === 'win' && isValid ? times : 0,
    impressions: counted('impression', 'impression_reversal'),
    viewable: counted('viewable', 'viewable_reversal'),
    disclosed: kind === 'disclosed' && isValid ? times : 0,
    clicks: counted('click', 'click_reversal'),
    conversions: attribution == null ? 0 : conversions,
    viewConversions: attribution === 'view' ? conversions : 0,
    groupConversions: attribution === 'click' ? conversions : 0,
    receivedConversions: conversions,
    invalidImpressions: filtered('impression', 'impression_reversal'),
    invalidClicks: filtered('click', 'click_reversal'),
  };
}

const quarterMs = 900_000;

interface Times {
  quarterHour: string;
  hour: string;
  day: string;
}

/** Texts of the quarter of an hour an event counts in; a batch knows one or two. */
function timesOf(at: number, known: Map<number, Times>): Times {
  const quarter = Math.floor(at / quarterMs) * quarterMs;
  let times = known.get(quarter);
  if (times === undefined) {
    const quarterHour = new Date(quarter).toISOString();
    const hour = `${quarterHour.slice(0, 13)}:00:00.000Z`;
    times = { quarterHour, hour, day: quarterHour.slice(0, 10) };
    known.set(quarter, times);
  }
  return times;
}

function countCampaign(event: EventRecord, of: Measures, at: Times, sums: TableSums): void {
  const { advertiserId, campaignId } = event;
  const measures = {
    impressions: of.impressions,
    viewable: of.viewable,
    disclosed: of.disclosed,
    clicks: of.clicks,
    conversions: of.conversions,
    view_conversions: of.viewConversions,
    invalid_impressions: of.invalidImpressions,
    invalid_clicks: of.invalidClicks,
    spend_micros: event.spendMicros ?? 0,
    revenue_micros: event.revenueMicros ?? 0,
    value_micros: event.valueMicros ?? 0,
  };
  const campaign = { advertiser_id: advertiserId ?? '', campaign_id: campaignId ?? '' };
  sums.add(
    'totals',
    {
      ...campaign,
      ad_group_id: event.adGroupId ?? nilUuid,
      ad_id: event.adId ?? nilUuid,
      bucket: at.quarterHour,
      publisher_id: event.publisherId ?? nilUuid,
      placement: event.placement ?? '',
      device: event.device ?? '',
      country: event.country ?? '',
    },
    { wins: of.wins, ...measures },
  );
  sums.add('campaign_totals', { ...campaign, bucket: at.quarterHour }, measures);
  sums.add('campaign_hours', { ...campaign, bucket: at.hour }, measures);
}

function countAdGroup(event: EventRecord, of: Measures, at: Times, sums: TableSums): void {
  const measures = {
    impressions: of.impressions,
    clicks: of.clicks,
    conversions: of.groupConversions,
    spend_micros: event.spendMicros ?? 0,
  };
  const group = {
    advertiser_id: event.advertiserId ?? '',
    ad_group_id: event.adGroupId ?? '',
    campaign_id: event.campaignId ?? '',
  };
  sums.add('ad_group_totals', { ...group, bucket: at.quarterHour }, measures);
  sums.add('ad_group_days', { ...group, day: at.day }, measures);
}

function countPublisher(event: EventRecord, of: Measures, at: Times, sums: TableSums): void {
  const measures = {
    requests: of.requests,
    wins: of.wins,
    impressions: of.impressions,
    viewable: of.viewable,
    disclosed: of.disclosed,
    clicks: of.clicks,
    conversions: of.conversions,
    invalid_impressions: of.invalidImpressions,
    invalid_clicks: of.invalidClicks,
    revenue_micros: event.revenueMicros ?? 0,
  };
  const publisher = { publisher_id: event.publisherId ?? '' };
  sums.add('publisher_totals', { ...publisher, bucket: at.quarterHour }, measures);
  sums.add('publisher_hours', { ...publisher, bucket: at.hour }, measures);
}

function countSlices(event: EventRecord, of: Measures, at: Times, sums: TableSums): void {
  const measures = {
    impressions: of.impressions,
    clicks: of.clicks,
    revenue_micros: event.revenueMicros ?? 0,
  };
  for (const [dimension, value] of [
    ['placement', event.placement],
    ['device', event.device],
    ['country', event.country],
  ] as const)
    sums.add(
      'publisher_days',
      { publisher_id: event.publisherId ?? '', dimension, day: at.day, value: value ?? '' },
      measures,
    );
}

/** The one table that needs every event by itself: hardly two of a batch are of the same user. */
function countUser(event: EventRecord, sums: TableSums): void {
  const of = measure(event);
  const isAsking = event.kind === 'request' || event.kind === 'win';
  const user = { publisher_id: event.publisherId ?? '', user_id: event.userId ?? 'anonymous' };
  sums.add(
    'publisher_users',
    user,
    {
      requests: of.requests,
      ads_served: of.wins,
      impressions: of.impressions,
      clicks: of.clicks,
      revenue_micros: event.revenueMicros ?? 0,
    },
    {
      first: 'first_seen',
      last: 'last_seen',
      at: event.at,
      countries: isAsking && event.invalid == null ? event.country || '--' : '',
    },
  );
}

function countCountry(event: EventRecord, of: Measures, sums: TableSums): void {
  sums.add(
    'publisher_countries',
    { publisher_id: event.publisherId ?? '', country: event.country ?? '' },
    { requests: of.requests, ads_served: of.wins },
  );
}

function countConversion(event: EventRecord, of: Measures, at: Times, sums: TableSums): void {
  const measures = { conversions: of.receivedConversions };
  const kind = { advertiser_id: event.advertiserId ?? '', event_type: textOf(event, 'event_type') };
  sums.add('conversion_totals', { ...kind, bucket: at.quarterHour }, measures);
  sums.add('conversion_counts', { ...kind, campaign_id: event.campaignId ?? nilUuid }, measures);
}

function countPixel(event: EventRecord, at: Times, sums: TableSums): void {
  sums.add(
    'pixel_totals',
    {
      advertiser_id: event.advertiserId ?? '',
      bucket: at.quarterHour,
      domain: textOf(event, 'domain'),
      event_type: textOf(event, 'event_type'),
    },
    { events: event.invalid == null ? 1 : 0 },
    { last: 'last_seen', at: event.at },
  );
}

function textOf(event: EventRecord, name: string): string {
  const value = event.data?.[name];
  return typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);
}

interface Seen {
  first?: string;
  last?: string;
  at: number;
  /** A code, or nothing to add. */
  countries?: string;
}

class TableSums {
  readonly times = new Map<number, Times>();
  readonly #tables = new Map<CountedTable, Map<string, TotalRow>>();

  add(
    table: CountedTable,
    key: Readonly<Record<string, string>>,
    measures: Readonly<Record<string, number>>,
    seen?: Seen,
  ): void {
    // A row of zeros says nothing that its absence does not.
    if (seen === undefined && isAllZero(measures)) return;
    let rows = this.#tables.get(table);
    if (rows === undefined) this.#tables.set(table, (rows = new Map()));
    const name = Object.values(key).join('\u0000');
    const row = rows.get(name);
    if (row === undefined) rows.set(name, { ...key, ...measures, ...seenAt(seen) });
    else {
      for (const column in measures) row[column] = Number(row[column]) + (measures[column] ?? 0);
      if (seen !== undefined) widen(row, seen);
    }
  }

  rows(): CountedRows {
    const all = new Map<CountedTable, TotalRow[]>();
    for (const [table, rows] of this.#tables) all.set(table, [...rows.values()].map(withTimes));
    return all;
  }
}

function isAllZero(measures: Readonly<Record<string, number>>): boolean {
  for (const name in measures) if (measures[name] !== 0) return false;
  return true;
}

function seenAt(seen: Seen | undefined): TotalRow {
  if (seen === undefined) return {};
  return {
    ...(seen.first === undefined ? {} : { [seen.first]: seen.at }),
    ...(seen.last === undefined ? {} : { [seen.last]: seen.at }),
    ...(seen.countries === undefined ? {} : { countries: seen.countries }),
  };
}

function widen(row: TotalRow, { first, last, at, countries = '' }: Seen): void {
  if (countries !== '' && row['countries'] !== countries) {
    const known = String(row['countries']).split(' ');
    row['countries'] = [...new Set([...known, countries])].filter(Boolean).sort().join(' ');
  }
  if (first !== undefined) row[first] = Math.min(Number(row[first]), at);
  if (last !== undefined) row[last] = Math.max(Number(row[last]), at);
}

function withTimes(row: TotalRow): TotalRow {
  for (const name of ['first_seen', 'last_seen'])
    if (row[name] !== undefined) row[name] = new Date(Number(row[name])).toISOString();
  return row;
}
