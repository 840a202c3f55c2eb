import { uuidTime } from '../../domain/uuid.js';
import { binaryList, type ListType } from '../db/binary-list.js';
import type { EventRecord } from './event.js';
import { type ServedAd, withoutServedAd } from './served-ads.js';
import type { Slices } from './slices.js';
import { dayMs } from '../../domain/time/utc-day.js';

/** A column of `events` as a batch brings it: one list with a value an event. */
interface Column {
  readonly name: string;
  /** What each element is sent as; `json`: one JSON list of all of them. */
  readonly type: ListType | 'json';
  /** From what was sent to what is stored. */
  readonly stored?: (sent: string) => string;
  readonly of: (event: EventRecord) => string | number | boolean | object | null | undefined;
}

const orZero = (sent: string): string => `coalesce(${sent}, 0)`;

/** What a beacon knows that its ad does not. */
const narrow: readonly Column[] = [
  { name: 'day', type: 'date', of: ({ id }) => Math.floor(uuidTime(id) / dayMs) },
  { name: 'id', type: 'uuid', of: ({ id }) => id },
  { name: 'kind', type: 'text', of: ({ kind }) => kind },
  { name: 'at', type: 'timestamptz', of: ({ at }) => at },
  { name: 'device', type: 'text', of: ({ device }) => device },
  { name: 'country', type: 'text', of: ({ country }) => country },
  { name: 'spend_micros', type: 'bigint', stored: orZero, of: (event) => event.spendMicros },
  { name: 'revenue_micros', type: 'bigint', stored: orZero, of: (event) => event.revenueMicros },
  { name: 'node', type: 'smallint', of: ({ node }) => node },
  {
    name: 'budget_day',
    type: 'date',
    of: ({ budgetDay }) => (budgetDay == null ? null : dayNumber(budgetDay)),
  },
];
const whose: readonly Column[] = [
  { name: 'publisher_id', type: 'uuid', of: ({ publisherId }) => publisherId },
  { name: 'advertiser_id', type: 'uuid', of: ({ advertiserId }) => advertiserId },
  { name: 'campaign_id', type: 'uuid', of: ({ campaignId }) => campaignId },
  { name: 'ad_group_id', type: 'uuid', of: ({ adGroupId }) => adGroupId },
  { name: 'ad_id', type: 'uuid', of: ({ adId }) => adId },
  { name: 'placement', type: 'text', of: ({ placement }) => placement },
  { name: 'user_id', type: 'text', of: ({ userId }) => userId },
];
const rare: readonly Column[] = [
  {
    name: 'test',
    type: 'boolean',
    stored: (sent) => `coalesce(${sent}, false)`,
    of: ({ test }) => (test === true ? true : null),
  },
  { name: 'invalid', type: 'text', of: ({ invalid }) => invalid },
  { name: 'unbilled', type: 'text', of: ({ unbilled }) => unbilled },
  { name: 'attribution', type: 'text', of: ({ attribution }) => attribution },
  { name: 'value_micros', type: 'bigint', stored: orZero, of: (event) => event.valueMicros },
];
const more: readonly Column[] = [
  { name: 'request_id', type: 'uuid', of: ({ requestId }) => requestId },
  { name: 'record', type: 'bytea', of: ({ record }) => record },
  {
    name: 'data',
    type: 'json',
    stored: (sent) => `nullif(${sent}, 'null'::jsonb)`,
    of: ({ data }) => data,
  },
];

/** Groups of columns nobody in a batch has a value for are left out of its statement. */
const groups = { narrow, whose, rare, more } as const;
type Group = keyof typeof groups;

export interface EventLists {
  /** Which columns: the statement is made from this. */
  readonly name: string;
  readonly values: (string | Buffer)[];
}

/** What is stored of events that know what their ads say, in the order of their keys. */
export async function eventLists(
  events: readonly EventRecord[],
  served: ReadonlyMap<string, ServedAd>,
  slices: Slices,
): Promise<EventLists> {
  const rows: EventRecord[] = [];
  for (const event of events) {
    if (slices.isOver()) await slices.next();
    rows.push(withoutServedAd(event, served));
  }
  rows.sort(byKey);
  const used = (Object.keys(groups) as Group[]).filter(
    (group) =>
      group === 'narrow' ||
      rows.some((event) => groups[group].some((column) => column.of(event) != null)),
  );
  const values: (string | Buffer)[] = [];
  for (const column of used.flatMap((group) => groups[group])) {
    if (slices.isLong()) await slices.next();
    values.push(listOf(column, rows));
  }
  return { name: `events:${used.join('+')}`, values };
}

/** The statement that stores the lists of this name, and how many parameters it takes. */
export function insertEvents(name: string, first: number): { text: string; parameters: number } {
  const columns = name
    .slice('events:'.length)
    .split('+')
    // The name was put together from these.
    .flatMap((group) => groups[group as Group]);
  const lists = columns.map(({ name: column, type }, at) =>
    type === 'json'
      ? `jsonb_array_elements($${first + at}::jsonb) as ${column}`
      : `unnest($${first + at}::${type}[]) as ${column}`,
  );
  const sent = columns.map(({ name: column }) => `r.${column}`);
  const stored = columns.map(({ stored: convert = same }, at) => convert(sent[at] ?? ''));
  return {
    text: `
    insert into events (${columns.map((column) => column.name).join(', ')})
    select ${stored.join(', ')}
    from (select ${lists.join(', ')}) r`,
    parameters: columns.length,
  };
}

const same = (sent: string): string => sent;

function listOf({ type, of }: Column, rows: readonly EventRecord[]): string | Buffer {
  if (type === 'json') return JSON.stringify(rows.map((event) => of(event) ?? null));
  // Of every other type values are texts, numbers or truths.
  return binaryList(type, rows.map(of) as (string | number | boolean | null | undefined)[]);
}

/** In one order everywhere, or batches that meet would lock each other out. */
function byKey(one: EventRecord, other: EventRecord): number {
  if (one.id !== other.id) return one.id < other.id ? -1 : 1;
  return one.kind < other.kind ? -1 : one.kind > other.kind ? 1 : 0;
}

function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / dayMs;
}
