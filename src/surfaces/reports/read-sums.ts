import { type DayRange, isUtc } from '../../domain/time/day-range.js';
import { dayMs } from '../../domain/time/utc-day.js';
import type { Db } from '../../platform/db/db.js';
import { inSteps } from './in-steps.js';
import type { Counted } from './measures.js';
import type { Dimension, Filters } from './schema.js';
import {
  findFirstKeptDay,
  listBusyCampaigns,
  listCampaignIds,
  type Parts,
  type Periods,
  sumAdGroupDays,
  sumAsked,
  sumBesideAdGroupDays,
  sumCampaigns,
  type Summed,
  sumOutcomes,
  sumPublishers,
  sumRequests,
  type Sums,
  sumStretch,
  sumTopics,
  sumWholeCampaigns,
  type TotalsDimension,
} from './sum-queries.js';

/** Whose numbers: an advertiser's or a publisher's own, or everybody's. */
export type Owner =
  { kind: 'advertiser'; id: string } | { kind: 'publisher'; id: string } | { kind: 'operator' };

export interface Asked {
  owner: Owner;
  by: Dimension;
  filters: Filters;
  /** Columns that are wanted; null: all. */
  columns: ReadonlySet<string> | null;
}

/** The sums of the days asked for and, where they are compared, of those before. */
export interface Found {
  now: Map<string, Sums>;
  before: Map<string, Sums>;
}

const noSums: Omit<Sums, 'key'> = {
  requests: 0,
  wins: 0,
  impressions: 0,
  clicks: 0,
  conversions: 0,
  viewConversions: 0,
  spendMicros: 0,
  payoutMicros: 0,
  valueMicros: 0,
};
// Its own keys, which the compiler knows only as strings.
const names = Object.keys(noSums) as (keyof typeof noSums)[];

export function emptySums(key: string): Sums {
  return { key, ...noSums };
}

export function addSums(into: Sums, row: Partial<Sums>): void {
  for (const name of names) into[name] += row[name] ?? 0;
}

/** What each is told of; nothing else is added up. */
const told: Record<Owner['kind'], readonly Exclude<Summed, 'wins'>[]> = {
  advertiser: [
    'impressions',
    'clicks',
    'conversions',
    'viewConversions',
    'spendMicros',
    'valueMicros',
  ],
  publisher: ['impressions', 'clicks', 'conversions', 'payoutMicros'],
  operator: ['impressions', 'clicks', 'conversions', 'spendMicros', 'payoutMicros', 'valueMicros'],
};

/** What can be counted by these rows and filters. */
export function countedBy(asked: Asked): Counted {
  const { by, filters, owner } = asked;
  const isNarrow = isAny(filters, ['campaignId', 'adGroupId', 'adId', 'placement', 'advertiserId']);
  const isPlaced = isAny(filters, ['country', 'device']);
  const requests =
    by === 'no_ad_reason' ||
    (owner.kind !== 'advertiser' &&
      !isNarrow &&
      (by === 'country' || by === 'device' || ((by === 'day' || by === 'publisher') && !isPlaced)));
  return {
    requests,
    conversions: by !== 'topic',
    wins: requests || wholeBy(asked) === null,
    spend: !isPublishersOnly(asked),
  };
}

const isAny = (filters: Filters, of: readonly (keyof Filters)[]): boolean =>
  of.some((name) => filters[name] !== null);

/**
 * What whole campaigns are added up by, where nothing finer is asked for: their totals are a small
 * part of all. They know nothing of the ads returned; requests bring those along where they are
 * counted.
 */
function wholeBy({ owner, by, filters, columns }: Asked): 'day' | 'campaign' | 'advertiser' | null {
  if (by !== 'day' && by !== 'campaign' && by !== 'advertiser') return null;
  if (isAny(filters, ['adGroupId', 'adId', 'country', 'device', 'placement', 'publisherId']))
    return null;
  const bringsWins = by === 'day' && !isAny(filters, ['campaignId', 'advertiserId']);
  const needsWins = owner.kind === 'operator' && (columns === null || columns.has('wins'));
  return needsWins && !bringsWins ? null : by;
}

/** What the totals of publishers know. */
const ofPublishers: ReadonlySet<string> = new Set([
  'requests',
  'wins',
  'fill_rate',
  'impressions',
  'clicks',
  'ctr',
  'conversions',
  'payout',
]);

/** Whether they are all that is needed: a publisher's own days, or publishers without spend. */
function isPublishersOnly({ owner, by, filters, columns }: Asked): boolean {
  const isFilteredOtherwise = Object.entries(filters).some(
    ([name, value]) => name !== 'publisherId' && value !== null,
  );
  if (isFilteredOtherwise) return false;
  if (owner.kind === 'publisher') return by === 'day';
  return (
    owner.kind === 'operator' &&
    by === 'publisher' &&
    columns !== null &&
    [...columns].every((name) => ofPublishers.has(name))
  );
}

export async function readSums(
  db: Db,
  asked: Asked,
  range: DayRange,
  before: DayRange | null,
): Promise<Found> {
  const found: Found = { now: new Map(), before: new Map() };
  await addTotals(
    db,
    asked,
    { range: joined(range, before), now: range.boundaries[0] ?? 0 },
    found,
  );
  await addCounted(db, asked, range, found.now);
  if (before !== null) await addCounted(db, asked, before, found.before);
  return found;
}

/** Days one after the other, as one range. */
function joined(range: DayRange, before: DayRange | null): DayRange {
  if (before === null) return range;
  return {
    startDate: before.startDate,
    endDate: range.endDate,
    boundaries: [...before.boundaries.slice(0, -1), ...range.boundaries],
    dates: [...before.dates, ...range.dates],
  };
}

function sumsOf(found: Map<string, Sums>, key: string): Sums {
  const known = found.get(key);
  if (known !== undefined) return known;
  const made = emptySums(key);
  found.set(key, made);
  return made;
}

/** At first; where there is little in them, more. */
const campaignsAtOnce = 25;
const daysAtOnce = 7;
const hourMs = 3_600_000;
/**
 * The totals lie in the order of time: what many campaigns did is found sooner by reading their days
 * from the first to the last than by looking up each campaign.
 */
const fewCampaigns = 100;

/** What is in the totals, both periods at once. */
async function addTotals(db: Db, asked: Asked, periods: Periods, found: Found): Promise<void> {
  const { owner, by, filters } = asked;
  // These are counted elsewhere.
  if (by === 'no_ad_reason' || by === 'topic' || isPublishersOnly(asked)) return;
  const { range } = periods;
  const add = (parts: Parts): number => addParts(parts, found, (key) => keyIn(by, range, key));
  const wholly = wholeBy(asked);
  const sums = told[owner.kind];
  if (wholly !== null) {
    const advertiserId = owner.kind === 'advertiser' ? owner.id : filters.advertiserId;
    const ids = await listCampaignIds(db, { advertiserId, campaignId: filters.campaignId });
    await inSteps(ids.length, campaignsAtOnce, async (from, to) =>
      add(await sumWholeCampaigns(db, ids.slice(from, to), periods, { by: wholly, sums })),
    );
    return;
  }
  if (owner.kind === 'advertiser' && isByDaysOfAdGroups(asked, range))
    return addAdGroupDays(db, owner.id, periods, add);
  const [first = 0, last = 0] = [range.boundaries[0], range.boundaries.at(-1)];
  const busy =
    owner.kind === 'advertiser'
      ? await busyCampaigns(db, owner.id, filters, range)
      : { ids: [], from: first, to: last };
  if (owner.kind === 'advertiser' && busy.ids.length <= fewCampaigns) {
    const { ids } = busy;
    const of = (from: number, to: number) => ({
      advertiserId: owner.id,
      campaignIds: ids.slice(from, to),
    });
    await inSteps(ids.length, campaignsAtOnce, async (from, to) =>
      add(await sumCampaigns(db, of(from, to), periods, { by, sums }, filters)),
    );
  } else {
    const stretch = { from: Math.max(first, busy.from), to: Math.min(last, busy.to) };
    await addStretches(db, asked, by, { ...periods, ...stretch }, add);
  }
}

/** Whether whole UTC days of ad groups are asked for, and nothing finer. */
function isByDaysOfAdGroups({ by, filters }: Asked, range: DayRange): boolean {
  const isFiltered = Object.values(filters).some((value) => value !== null);
  return by === 'ad_group' && !isFiltered && isUtc(range);
}

/** Ten thousand groups a day: each statement groups and answers all of them. */
const groupDaysAtOnce = 4;
const soldDaysAtOnce = 15;

/**
 * From the newest day back: how much there is changes little from one day to the one before, and
 * steps become longer where nothing was yet.
 */
async function addAdGroupDays(
  db: Db,
  advertiserId: string,
  periods: Periods,
  add: (parts: Parts) => number,
): Promise<void> {
  const { boundaries } = periods.range;
  const start = boundaries[0] ?? 0;
  const days = boundaries.length - 1;
  const ofNow = Math.round(((boundaries.at(-1) ?? 0) - periods.now) / dayMs);
  const stretch = (from: number, to: number) => ({
    from: start + (days - to) * dayMs,
    to: start + (days - from) * dayMs,
  });
  const read = (first: number, last: number): Promise<void> =>
    inSteps(last - first, groupDaysAtOnce, async (from, to) =>
      add(await sumAdGroupDays(db, advertiserId, stretch(first + from, first + to), periods)),
    );
  await read(0, ofNow);
  await read(ofNow, days);
  await inSteps(days, soldDaysAtOnce, async (from, to) => {
    const found = await sumBesideAdGroupDays(db, advertiserId, stretch(from, to), periods);
    return found.reduce((rows, parts) => rows + add(parts), 0);
  });
}

/** Adds them to what was found of their period; how many rows they were made of. */
function addParts(
  { keys, numbers, sums }: Parts,
  { now, before }: Found,
  named: (key: string) => string,
): number {
  const width = sums.length + 2;
  let rows = 0;
  for (const [index, key] of keys.entries()) {
    const at = index * width;
    const into = sumsOf(numbers[at] === 1 ? now : before, named(key));
    rows += numbers[at + 1] ?? 0;
    for (const [place, name] of sums.entries()) into[name] += numbers[at + 2 + place] ?? 0;
  }
  return rows;
}

/** Campaigns to look at, and from when to when they did anything: the rest need not be read. */
async function busyCampaigns(
  db: Db,
  advertiserId: string,
  filters: Filters,
  range: DayRange,
): Promise<{ ids: readonly string[]; from: number; to: number }> {
  const busy =
    filters.campaignId === null
      ? await listBusyCampaigns(db, advertiserId, range)
      : [
          {
            id: filters.campaignId,
            first: new Date(0),
            last: new Date(range.boundaries.at(-1) ?? 0),
          },
        ];
  return {
    ids: busy.map(({ id }) => id),
    from: busy.reduce((least, { first }) => Math.min(least, first.getTime()), Infinity),
    to: busy.reduce((most, { last }) => Math.max(most, last.getTime()), 0) + hourMs,
  };
}

/** Of the whole network or a large part of it, from week to week. */
async function addStretches(
  db: Db,
  { owner, filters }: Asked,
  by: TotalsDimension,
  { from: first, to: last, ...periods }: Periods & { from: number; to: number },
  add: (parts: Parts) => number,
): Promise<void> {
  const sums: readonly Summed[] =
    owner.kind === 'advertiser' ? told.advertiser : [...told[owner.kind], 'wins'];
  const own = owner.kind === 'advertiser' ? { ...filters, advertiserId: owner.id } : filters;
  const read = (start: number, end: number): Promise<void> =>
    inSteps(Math.ceil((end - start) / dayMs), daysAtOnce, async (from, to) => {
      const stretch = { from: start + from * dayMs, to: Math.min(end, start + to * dayMs) };
      return add(await sumStretch(db, stretch, periods, { by, sums }, own));
    });
  await read(first, Math.min(last, periods.now));
  await read(Math.max(first, periods.now), last);
}

/** What is counted in other ways, by period: requests, what became of them, topics. */
async function addCounted(
  db: Db,
  asked: Asked,
  range: DayRange,
  found: Map<string, Sums>,
): Promise<void> {
  const { owner, by, filters } = asked;
  const add = (rows: readonly Partial<Sums>[]): void => {
    for (const row of rows) addSums(sumsOf(found, keyIn(by, range, row.key ?? '')), row);
  };
  if (by === 'no_ad_reason') add(await sumOutcomes(db, range, filters.publisherId));
  else if (by === 'topic') {
    const own = owner.kind === 'advertiser' ? { ...filters, advertiserId: owner.id } : filters;
    const kept = await findFirstKeptDay(db);
    for (const date of range.dates)
      if (kept !== null && date >= kept) add(await sumTopics(db, date, own));
  } else if ((by === 'day' || by === 'publisher') && isPublishersOnly(asked))
    add(await sumPublishers(db, range, by, filters.publisherId));
  else if ((by === 'day' || by === 'publisher') && countedBy(asked).requests) {
    // The totals of publishers know the ads returned too.
    for (const sums of found.values()) sums.wins = 0;
    add(await sumRequests(db, range, by, filters.publisherId));
  } else if ((by === 'country' || by === 'device') && countedBy(asked).requests) {
    const rows = await sumAsked(db, range, by, filters);
    // Days from before they were counted so keep the ads returned and say nothing of requests.
    if (rows.length > 0) for (const sums of found.values()) sums.wins = 0;
    add(rows);
  }
}

/** Days come as their place in the range. */
function keyIn(by: Dimension, range: DayRange, key: string): string {
  return by === 'day' ? (range.dates[Number(key) - 1] ?? '') : key;
}
