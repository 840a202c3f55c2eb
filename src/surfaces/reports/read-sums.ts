import type { DayRange } from '../../domain/time/day-range.js';
import type { Db } from '../../platform/db/db.js';
import type { Counted } from './measures.js';
import {
  listBusyCampaigns,
  sumAsked,
  sumCampaigns,
  sumDays,
  sumOutcomes,
  sumRequests,
  type Sums,
  sumStretch,
  sumTopics,
} from './queries.js';
import type { Dimension, Filters } from './schema.js';
import { dayMs } from '../../domain/time/utc-day.js';

/** Whose numbers: an advertiser's or a publisher's own, or everybody's. */
export type Owner =
  { kind: 'advertiser'; id: string } | { kind: 'publisher'; id: string } | { kind: 'operator' };

export interface Asked {
  owner: Owner;
  by: Dimension;
  filters: Filters;
}

/** One statement reads this much at a time: on the embedded engine everybody waits behind it. */
const campaignsAtOnce = 25;
const stretchMs = 7 * dayMs;

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

/** What can be counted by these rows and filters. */
export function countedBy({ by, filters, owner }: Asked): Counted {
  const isSome = (value: string | null): boolean => value !== null;
  const isNarrow = [
    filters.campaignId,
    filters.adGroupId,
    filters.adId,
    filters.placement,
    filters.advertiserId,
  ].some(isSome);
  const isPlaced = [filters.country, filters.device].some(isSome);
  return {
    requests:
      by === 'no_ad_reason' ||
      (owner.kind !== 'advertiser' &&
        !isNarrow &&
        (by === 'country' ||
          by === 'device' ||
          ((by === 'day' || by === 'publisher') && !isPlaced))),
    conversions: by !== 'topic',
  };
}

export async function readSums(
  db: Db,
  asked: Asked,
  range: DayRange,
): Promise<ReadonlyMap<string, Sums>> {
  const found = new Map<string, Sums>();
  const add = (rows: readonly Partial<Sums>[]): void => {
    for (const row of rows) {
      const key = keyIn(asked.by, range, row.key ?? '');
      const known = found.get(key) ?? emptySums(key);
      addSums(known, row);
      found.set(key, known);
    }
  };
  const { owner, by, filters } = asked;
  if (by === 'no_ad_reason') add(await sumOutcomes(db, range, filters.publisherId));
  else if (by === 'topic') {
    if (owner.kind === 'advertiser')
      for (const date of range.dates) add(await sumTopics(db, owner.id, date, filters));
  } else if (owner.kind === 'advertiser') {
    const campaigns =
      filters.campaignId === null
        ? await listBusyCampaigns(db, owner.id, range)
        : [filters.campaignId];
    for (let at = 0; at < campaigns.length; at += campaignsAtOnce)
      add(
        await sumCampaigns(
          db,
          { advertiserId: owner.id, campaignIds: campaigns.slice(at, at + campaignsAtOnce) },
          range,
          by,
          filters,
        ),
      );
  } else {
    const [first = 0, end = 0] = [range.boundaries[0], range.boundaries.at(-1)];
    // The ads returned are added below, so days alone need nothing finer than campaigns.
    const isCoarse = by === 'day' && Object.values(filters).every((value) => value === null);
    for (let from = first; from < end; from += stretchMs) {
      const stretch = { from, to: Math.min(end, from + stretchMs) };
      add(
        isCoarse
          ? await sumDays(db, stretch, range)
          : await sumStretch(db, stretch, range, by, filters),
      );
    }
    if ((by === 'day' || by === 'publisher') && countedBy(asked).requests) {
      // The totals of publishers know the ads returned too.
      for (const sums of found.values()) sums.wins = 0;
      add(await sumRequests(db, range, by, filters.publisherId));
    }
    if ((by === 'country' || by === 'device') && countedBy(asked).requests) {
      const rows = await sumAsked(db, range, by, filters);
      // Days from before they were counted so keep the ads returned and say nothing of requests.
      if (rows.length > 0) for (const sums of found.values()) sums.wins = 0;
      add(rows);
    }
  }
  return found;
}

/** Days come as their place in the range. */
function keyIn(by: Dimension, range: DayRange, key: string): string {
  return by === 'day' ? (range.dates[Number(key) - 1] ?? '') : key;
}
