import { type DayRange, MAX_RANGE_DAYS } from '../../../domain/time/day-range.js';
import { readRange } from '../../../platform/http/report-range.js';
import { formatTimestamp } from '../../../domain/time/format-timestamp.js';
import { isPlainInstant } from '../../../domain/time/read-instant.js';
import { isUuid } from '../../../domain/uuid.js';
import type { Db } from '../../../platform/db/db.js';
import { AppError } from '../../../platform/errors.js';
import {
  countConversions,
  hasPixelEvents,
  listConversions,
  type ListedConversion,
  type Slice,
  sliceConversions,
  slicePixelEvents,
} from './report-queries.js';
import type {
  Analytics,
  AnalyticsQuery,
  ConversionList,
  ConversionListQuery,
  ConversionStats,
  ConversionStatsQuery,
} from '../schema.js';
import { ownsCampaign } from '../../../platform/owns-campaign.js';

/**
 * Conversions by when they happened, latest first. A page never shows a row of an earlier one,
 * whatever arrives meanwhile.
 */
export async function listOfConversions(
  db: Db,
  advertiserId: string,
  query: ConversionListQuery,
): Promise<ConversionList> {
  const campaignId = query.campaign_id ?? null;
  const before = readCursor(query.cursor);
  if (
    campaignId !== null &&
    (!isUuid(campaignId) || !(await ownsCampaign(db, advertiserId, campaignId)))
  )
    throw new AppError('not_found');
  const filter = { campaignId, eventType: given(query.event_type) };
  const rows = await listConversions(db, advertiserId, filter, before, query.limit + 1);
  const page = rows.slice(0, query.limit);
  const hasMore = rows.length > query.limit;
  const last = page.at(-1);
  return {
    conversions: page.map(present),
    total_conversions: await countConversions(db, advertiserId, filter),
    has_more: hasMore,
    next_cursor: hasMore && last !== undefined ? cursorAfter(last.at.getTime(), last.id) : null,
  };
}

function present(row: ListedConversion): ConversionList['conversions'][number] {
  return {
    conversion_id: row.id,
    event_type: row.eventName,
    value_cents: Math.round(row.amountMicros / 10_000),
    currency: row.currency,
    conversion_timestamp: formatTimestamp(row.at.getTime()),
    campaign_id: row.campaignId,
    order_id: row.orderId,
    page_url: row.pageUrl,
    source: row.source,
    is_attributed: row.attribution !== null,
    attribution: row.attribution,
    ad_group_id: row.adGroupId,
  };
}

function cursorAfter(at: number, id: string): string {
  return Buffer.from(`c2:${at}:${id}`).toString('base64url');
}

function readCursor(cursor: string | undefined): { at: Date; id: string } | null {
  if (cursor === undefined) return null;
  const [kind, time, id] = Buffer.from(cursor, 'base64url').toString().split(':');
  const at = new Date(Number(time));
  if (
    kind !== 'c2' ||
    !isUuid(id) ||
    !isPlainInstant(at.getTime()) ||
    cursorAfter(at.getTime(), id) !== cursor
  )
    throw new AppError('invalid_cursor');
  return { at, id };
}

/** What the pixel saw, by host name, day and event type. */
export async function pixelAnalytics(
  db: Db,
  advertiserId: string,
  query: AnalyticsQuery,
  now: number,
): Promise<Analytics> {
  const range = readRange(query, now, MAX_RANGE_DAYS);
  const slices = await slicePixelEvents(db, advertiserId, range.boundaries, {
    domain: given(query.domain),
    eventType: given(query.event_type),
  });
  return {
    domains: ranked(slices, 'domain').map(({ name, count }) => ({ domain: name, events: count })),
    time_series: series(slices, range, query.fill === 'zero').map(({ date, count }) => ({
      date,
      events: count,
    })),
    event_types: ranked(slices, 'eventType').map(({ name, count, lastSeen }) => ({
      event_type: name,
      total: count,
      last_received: formatTimestamp(lastSeen?.getTime() ?? 0),
    })),
    has_historical_data: await hasPixelEvents(db, advertiserId),
  };
}

/** How many conversions were received, attributed or not, by the day they happened. */
export async function conversionStats(
  db: Db,
  advertiserId: string,
  query: ConversionStatsQuery,
  now: number,
): Promise<ConversionStats> {
  const range = readRange(query, now, MAX_RANGE_DAYS);
  const slices = await sliceConversions(
    db,
    advertiserId,
    range.boundaries,
    given(query.event_type),
  );
  const days = series(slices, range, query.fill === 'zero');
  return {
    time_series: days.map(({ date, count }) => ({ date, conversions: count })),
    total: days.reduce((sum, { count }) => sum + count, 0),
    by_event_type: ranked(slices, 'eventType').map(({ name, count }) => ({
      event_type: name,
      total: count,
    })),
  };
}

function ranked(
  slices: readonly Slice[],
  by: 'domain' | 'eventType',
): { name: string; count: number; lastSeen: Date | null }[] {
  return slices
    .flatMap((slice) =>
      slice[by] === null ? [] : [{ name: slice[by], count: slice.count, lastSeen: slice.lastSeen }],
    )
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

function series(
  slices: readonly Slice[],
  range: DayRange,
  padded: boolean,
): { date: string; count: number }[] {
  const counts = new Map(
    slices.flatMap((slice) => (slice.day === null ? [] : [[slice.day - 1, slice.count] as const])),
  );
  return range.dates.flatMap((date, day) => {
    const count = counts.get(day);
    return count === undefined && !padded ? [] : [{ date, count: count ?? 0 }];
  });
}

function given(text: string | undefined): string | null {
  const trimmed = text?.replaceAll('\u0000', '').trim() ?? '';
  return trimmed === '' ? null : trimmed;
}
