import type { DayEdges } from '../../../domain/time/day-edges.js';
import { type DayRange, isUtc } from '../../../domain/time/day-range.js';
import type { Db } from '../../../platform/db/db.js';
import { readRange } from '../../../platform/http/report-range.js';
import { type AdGroupHead, countAdGroups, listAdGroups } from './ad-group-queries.js';
import { csvWriter, jsonWriter } from './ad-group-rows.js';
import { AdGroupSeries } from './ad-group-series.js';
import { readAdGroupDays } from './read-ad-group-days.js';
import { requireAdGroup, requireCampaign } from '../require-owned.js';
import { type AdGroupMetricsQuery, maxDays } from '../schema.js';

const groupsPerCall = 2000;
/**
 * Groups read at a time: the answer can reach a hundred megabytes and never stands in memory. Fewer
 * where a day takes more than one row.
 */
const groupsPerRead = { utc: 128, other: 64 };
const portionsAhead = 2;

/**
 * The report, piece by piece, and the offset at which it goes on. Whatever can fail on the client's
 * account fails before the first piece.
 */
export async function streamAdGroups(
  db: Db,
  advertiserId: string,
  query: AdGroupMetricsQuery,
  now: number,
  format: 'json' | 'csv',
): Promise<{ pieces: AsyncGenerator<Buffer>; nextOffset: number | null }> {
  const range = readRange(query, now, maxDays);
  const campaignId = await requireCampaign(db, advertiserId, query.campaign_id);
  const adGroupId = await requireAdGroup(db, advertiserId, query.ad_group_id, campaignId);
  const filter = {
    campaignId,
    adGroupId,
    includeArchived: query.include_archived || adGroupId !== null,
  };
  const total = await countAdGroups(db, advertiserId, filter);
  const groups = await listAdGroups(db, advertiserId, filter, {
    offset: query.offset,
    limit: groupsPerCall,
  });
  const envelope = {
    total_ad_groups: total,
    truncated: query.offset + groups.length < total && groups.length > 0,
    offset: query.offset,
  };
  const pieces = writePieces(
    readDays(db, advertiserId, groups, range),
    range,
    query.fill === 'zero',
    format === 'csv' ? null : envelope,
  );
  return { pieces, nextOffset: envelope.truncated ? query.offset + groupsPerCall : null };
}

/** Without an envelope it is CSV. */
async function* writePieces(
  batches: AsyncIterable<GroupDays[]>,
  range: DayRange,
  fill: boolean,
  envelope: Record<string, unknown> | null,
): AsyncGenerator<Buffer> {
  const writer = envelope === null ? csvWriter(range.dates) : jsonWriter(range.dates);
  const series = new AdGroupSeries(range.dates.length, fill);
  let isFirst = true;
  yield writer.head;
  for await (const batch of batches) {
    for (const { group, rows, edges } of batch) {
      series.clear();
      for (const text of rows) series.add(text, edges);
      const bytes = writer.group(group, series, isFirst);
      isFirst = false;
      // An empty piece would end the stream.
      if (bytes.length > 0) yield bytes;
    }
  }
  if (envelope !== null) yield Buffer.from(`],${JSON.stringify(envelope).slice(1)}`);
}

interface GroupDays {
  group: AdGroupHead;
  rows: string[];
  edges: DayEdges | null;
}

/**
 * Asks for the next portions while the last one is written: two at a time, so that the database is
 * never waited for.
 */
async function* readDays(
  db: Db,
  advertiserId: string,
  groups: readonly AdGroupHead[],
  range: DayRange,
): AsyncGenerator<GroupDays[]> {
  const asked: Promise<GroupDays[]>[] = [];
  const size = isUtc(range) ? groupsPerRead.utc : groupsPerRead.other;
  for (let from = 0; from < groups.length || asked.length > 0;) {
    for (; asked.length < portionsAhead && from < groups.length; from += size)
      asked.push(readPortion(db, advertiserId, groups.slice(from, from + size), range));
    // Should the reader stop or a portion fail, nobody waits for the others any more.
    for (const portion of asked) portion.catch(() => undefined);
    yield (await asked.shift()) ?? [];
  }
}

async function readPortion(
  db: Db,
  advertiserId: string,
  groups: readonly AdGroupHead[],
  range: DayRange,
): Promise<GroupDays[]> {
  const { days, edges } = await readAdGroupDays(
    db,
    advertiserId,
    groups.map((group) => group.id),
    range,
  );
  const rows = new Map<string, string[]>(groups.map((group) => [group.id, []]));
  for (const one of days) rows.get(one.adGroupId)?.push(one.rows);
  return groups.map((group) => ({ group, rows: rows.get(group.id) ?? [], edges }));
}
