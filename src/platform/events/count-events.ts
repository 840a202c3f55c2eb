import { deliveryKinds, type EventRecord } from './event.js';
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
  | 'publisher_countries'
  | 'conversion_totals'
  | 'conversion_counts'
  | 'pixel_totals';

export type TotalRow = Record<string, string | number>;

export interface CountedRows {
  readonly tables: ReadonlyMap<CountedTable, TotalRow[]>;
  /** Of `publisher_users`: nearly as many as events. */
  readonly users: readonly UserRow[];
}

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

const isOfDelivery: ReadonlySet<string> = new Set(deliveryKinds);
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

export class EventCounter {
  readonly #sums = new TableSums();
  readonly #users = new UserSums();
  readonly #alike = new AlikeEvents();

  add(event: EventRecord): void {
    if (event.test === true) return;
    if (event.publisherId != null && isOfUser(event)) this.#users.add(event);
    if (tellMore.has(event.kind)) countAlike({ event, times: 1 }, this.#sums);
    else this.#alike.add(event);
  }

  /** What all of them add up to; nothing is added afterwards. */
  rows(): CountedRows {
    for (const { event, times, ...money } of this.#alike.groups)
      countAlike({ event: { ...event, ...money }, times }, this.#sums);
    return { tables: this.#sums.rows(), users: this.#users.rows };
  }
}

/**
 * Events that count in the same rows, as one that happened so many times with the money of all.
 * Thousands of a batch are a few dozen of these, and every table but that of users is added up from
 * them.
 */
interface Alike {
  readonly event: EventRecord;
  times: number;
}

interface AlikeGroup extends Alike {
  spendMicros: number;
  revenueMicros: number;
  valueMicros: number;
}

/** These count by what they tell beside the columns all events have. */
const tellMore: ReadonlySet<string> = new Set(['conversion', 'conversion_reversal', 'pixel']);

/**
 * Found step by step by what differs most: a name made of everything would cost more than all the
 * adding up.
 */
class AlikeEvents {
  readonly groups: AlikeGroup[] = [];
  readonly #ads = new Map<string, Map<string, Map<string, AlikeGroup[]>>>();

  add(event: EventRecord): void {
    const group = this.#groupOf(event);
    group.times += 1;
    group.spendMicros += event.spendMicros ?? 0;
    group.revenueMicros += event.revenueMicros ?? 0;
    group.valueMicros += event.valueMicros ?? 0;
  }

  #groupOf(event: EventRecord): AlikeGroup {
    const ofAd = within(this.#ads, event.adId ?? '', newMap<Map<string, AlikeGroup[]>>);
    const there = within(ofAd, event.publisherId ?? '', newMap<AlikeGroup[]>);
    const few = within(there, event.country ?? '', () => []);
    const known = few.find((group) => isAlike(group.event, event));
    if (known !== undefined) return known;
    const group = { event, times: 0, spendMicros: 0, revenueMicros: 0, valueMicros: 0 };
    few.push(group);
    this.groups.push(group);
    return group;
  }
}

function newMap<V>(): Map<string, V> {
  return new Map();
}

function within<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** Of two events of one ad, publisher and country. */
function isAlike(one: EventRecord, other: EventRecord): boolean {
  return (
    one.kind === other.kind &&
    (one.device ?? '') === (other.device ?? '') &&
    (one.placement ?? '') === (other.placement ?? '') &&
    (one.invalid ?? '') === (other.invalid ?? '') &&
    (one.attribution ?? '') === (other.attribution ?? '') &&
    (one.campaignId ?? '') === (other.campaignId ?? '') &&
    (one.adGroupId ?? '') === (other.adGroupId ?? '') &&
    (one.advertiserId ?? '') === (other.advertiserId ?? '') &&
    Math.floor(one.at / quarterMs) === Math.floor(other.at / quarterMs)
  );
}

function countAlike({ event, times }: Alike, sums: TableSums): void {
  const of = measure(event, times);
  const at = timesOf(event.at, sums.times);
  const isDelivery = isOfDelivery.has(event.kind);
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

/** One user of a publisher as a batch changes it. */
export interface UserRow {
  readonly publisherId: string;
  readonly userId: string;
  requests: number;
  adsServed: number;
  impressions: number;
  clicks: number;
  revenueMicros: number;
  firstSeen: number;
  lastSeen: number;
  countries: string;
  nameSealed: string | null;
}

/** The one table that needs every event by itself: hardly two of a batch are of the same user. */
class UserSums {
  readonly rows: UserRow[] = [];
  readonly #publishers = new Map<string, Map<string, UserRow>>();

  add(event: EventRecord): void {
    const row = this.#rowOf(event.publisherId ?? '', event.userId ?? 'anonymous', event.at);
    row.revenueMicros += event.revenueMicros ?? 0;
    if (event.at < row.firstSeen) row.firstSeen = event.at;
    if (event.at > row.lastSeen) row.lastSeen = event.at;
    if (event.userName !== undefined) row.nameSealed ??= event.userName;
    if (event.invalid != null) return;
    switch (event.kind) {
      case 'request':
        row.requests += 1;
        return addCountry(row, event.country || '--');
      case 'win':
        row.adsServed += 1;
        return addCountry(row, event.country || '--');
      case 'impression':
        return void (row.impressions += 1);
      case 'impression_reversal':
        return void (row.impressions -= 1);
      case 'click':
        return void (row.clicks += 1);
      case 'click_reversal':
        return void (row.clicks -= 1);
      default:
    }
  }

  #rowOf(publisherId: string, userId: string, at: number): UserRow {
    const users = within(this.#publishers, publisherId, newMap<UserRow>);
    let row = users.get(userId);
    if (row === undefined) {
      row = {
        publisherId,
        userId,
        requests: 0,
        adsServed: 0,
        impressions: 0,
        clicks: 0,
        revenueMicros: 0,
        firstSeen: at,
        lastSeen: at,
        countries: '',
        nameSealed: null,
      };
      users.set(userId, row);
      this.rows.push(row);
    }
    return row;
  }
}

function addCountry(row: UserRow, country: string): void {
  if (row.countries === country) return;
  const known = row.countries === '' ? [] : row.countries.split(' ');
  row.countries = [...new Set([...known, country])].sort().join(' ');
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
    event.at,
  );
}

function textOf(event: EventRecord, name: string): string {
  const value = event.data?.[name];
  return typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value);
}

class TableSums {
  readonly times = new Map<number, Times>();
  readonly #tables = new Map<CountedTable, Map<string, TotalRow>>();

  add(
    table: CountedTable,
    key: Readonly<Record<string, string>>,
    measures: Readonly<Record<string, number>>,
    seenAt?: number,
  ): void {
    // A row of zeros says nothing that its absence does not.
    if (seenAt === undefined && isAllZero(measures)) return;
    const rows = within(this.#tables, table, newMap<TotalRow>);
    const name = Object.values(key).join('\u0000');
    const row = rows.get(name);
    if (row === undefined)
      rows.set(name, {
        ...key,
        ...measures,
        ...(seenAt === undefined ? {} : { last_seen: seenAt }),
      });
    else {
      for (const column in measures) row[column] = Number(row[column]) + (measures[column] ?? 0);
      if (seenAt !== undefined) row['last_seen'] = Math.max(Number(row['last_seen']), seenAt);
    }
  }

  rows(): ReadonlyMap<CountedTable, TotalRow[]> {
    const all = new Map<CountedTable, TotalRow[]>();
    for (const [table, rows] of this.#tables) all.set(table, [...rows.values()].map(withTime));
    return all;
  }
}

function isAllZero(measures: Readonly<Record<string, number>>): boolean {
  for (const name in measures) if (measures[name] !== 0) return false;
  return true;
}

function withTime(row: TotalRow): TotalRow {
  if (row['last_seen'] !== undefined)
    row['last_seen'] = new Date(Number(row['last_seen'])).toISOString();
  return row;
}
