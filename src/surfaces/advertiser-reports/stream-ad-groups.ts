import { csvLine } from '../../domain/csv.js';
import { decimalText, toDollars } from '../../domain/money.js';
import { costPerMicros, cpmMicros, percentMicros } from '../../domain/report-ratios.js';
import type { DayRange } from '../../domain/time/day-range.js';
import type { Db } from '../../platform/db/db.js';
import { readRange } from '../../platform/http/report-range.js';
import { type AdGroupDays, type AdGroupHead, countAdGroups, listAdGroups, sumAdGroupDays } from './queries.js';
import { requireAdGroup, requireCampaign } from './require-owned.js';
import { type AdGroupMetricsQuery, maxDays } from './schema.js';

const groupsPerCall = 2000;
/** Groups read at a time: the answer can reach a hundred megabytes and never stands in memory. */
const groupsPerRead = 64;

/** The report, piece by piece. Whatever can fail on the client's account fails before the first piece. */
export async function streamAdGroups(db: Db, advertiserId: string, query: AdGroupMetricsQuery, now: number, format: 'json' | 'csv'): Promise<AsyncGenerator<Buffer>> {
  const range = readRange(query, now, maxDays);
  const campaignId = await requireCampaign(db, advertiserId, query.campaign_id);
  const adGroupId = await requireAdGroup(db, advertiserId, query.ad_group_id, campaignId);
  const filter = { campaignId, adGroupId, includeArchived: query.include_archived || adGroupId !== null };
  const total = await countAdGroups(db, advertiserId, filter);
  const groups = await listAdGroups(db, advertiserId, filter, { offset: query.offset, limit: groupsPerCall });
  const series = readSeries(db, advertiserId, groups, range);
  const fill = query.fill === 'zero';
  if (format === 'csv') return csvPieces(series, range, fill);
  return jsonPieces(series, range, fill, { total_ad_groups: total, truncated: query.offset + groups.length < total && groups.length > 0, offset: query.offset });
}

interface Series {
  group: AdGroupHead;
  days: AdGroupDays;
}

/** Asks for the next groups while the last ones are written. */
async function* readSeries(db: Db, advertiserId: string, groups: readonly AdGroupHead[], range: DayRange): AsyncGenerator<Series[]> {
  const read = (from: number) => sumAdGroupDays(db, advertiserId, groups.slice(from, from + groupsPerRead).map((group) => group.id), range);
  let next = groups.length > 0 ? read(0) : null;
  for (let from = 0; next !== null; from += groupsPerRead) {
    const rows = await next;
    next = from + groupsPerRead < groups.length ? read(from + groupsPerRead) : null;
    // Should the reader stop here, nobody waits for this any more.
    next?.catch(() => undefined);
    yield rows.flatMap((row, index) => {
      const group = groups[from + index];
      return group === undefined ? [] : [{ group, days: row }];
    });
  }
}

/** Each group becomes bytes at once: text still in the making, a tree of small strings, must not outlive a group. */
async function* jsonPieces(batches: AsyncIterable<Series[]>, range: DayRange, fill: boolean, envelope: Record<string, unknown>): AsyncGenerator<Buffer> {
  let before = '{"ad_groups":[';
  for await (const batch of batches) {
    for (const { group, days } of batch) {
      yield Buffer.from(`${before}${groupJson(group, days, range, fill)}`);
      before = ',';
    }
  }
  yield Buffer.from(`${before === ',' ? '' : before}],${JSON.stringify(envelope).slice(1)}`);
}

function groupJson(group: AdGroupHead, days: AdGroupDays, range: DayRange, fill: boolean): string {
  const total = { impressions: 0, clicks: 0, conversions: 0, spendMicros: 0 };
  let data = '';
  eachDay(days, range, fill, (date, day) => {
    total.impressions += day.impressions;
    total.clicks += day.clicks;
    total.conversions += day.conversions;
    total.spendMicros += day.spendMicros;
    data += `${data === '' ? '' : ','}{"date":"${date}","impressions":${day.impressions},"clicks":${day.clicks},"spend":${decimalText(day.spendMicros)},"conversions":${day.conversions},"ctr":${ctr(day)},"cpc":${cpc(day)},"cpm":${cpm(day)},"conversion_rate":${conversionRate(day)},"cpa":${cpa(day)}}`;
  });
  const head = { ad_group_id: group.id, campaign_id: group.campaignId, name: group.name, group_type: group.groupType, status: group.status };
  const totals = { total_impressions: total.impressions, total_clicks: total.clicks, total_spend: toDollars(total.spendMicros), total_conversions: total.conversions };
  return `${JSON.stringify({ ...head, ...totals }).slice(0, -1)},"data":[${data}]}`;
}

async function* csvPieces(batches: AsyncIterable<Series[]>, range: DayRange, fill: boolean): AsyncGenerator<Buffer> {
  yield Buffer.from(csvLine(['ad_group_id', 'campaign_id', 'name', 'group_type', 'status', 'date', 'impressions', 'clicks', 'spend', 'conversions', 'ctr', 'cpc', 'cpm', 'conversion_rate', 'cpa']));
  for await (const batch of batches) {
    for (const { group, days } of batch) {
      const head = csvLine([group.id, group.campaignId, group.name, group.groupType, group.status]).trimEnd();
      let text = '';
      eachDay(days, range, fill, (date, day) => {
        text += `${head},${date},${day.impressions},${day.clicks},${decimalText(day.spendMicros)},${day.conversions},${ctr(day)},${cpc(day)},${cpm(day)},${conversionRate(day)},${cpa(day)}\r\n`;
      });
      if (text !== '') yield Buffer.from(text);
    }
  }
}

interface GroupDay {
  impressions: number;
  clicks: number;
  conversions: number;
  spendMicros: number;
}

const ctr = (day: GroupDay): string => decimalText(percentMicros(day.clicks, day.impressions));
const cpc = (day: GroupDay): string => decimalText(costPerMicros(day.spendMicros, day.clicks));
const cpm = (day: GroupDay): string => decimalText(cpmMicros(day.spendMicros, day.impressions));
const conversionRate = (day: GroupDay): string => decimalText(percentMicros(day.conversions, day.clicks));
const cpa = (day: GroupDay): string => decimalText(costPerMicros(day.spendMicros, day.conversions));

const noActivity: GroupDay = { impressions: 0, clicks: 0, conversions: 0, spendMicros: 0 };

/** Day by day in order, leaving out days whose events were all taken back. */
function eachDay(texts: AdGroupDays, range: DayRange, fill: boolean, take: (date: string, day: GroupDay) => void): void {
  const byDay: (GroupDay | undefined)[] = Array.from({ length: range.dates.length });
  const [days, impressions, clicks, conversions, spend] = [readNumbers(texts.days), readNumbers(texts.impressions), readNumbers(texts.clicks), readNumbers(texts.conversions), readNumbers(texts.spendMicros)];
  for (let index = 0; index < days.length; index += 1) {
    byDay[(days[index] ?? 0) - 1] = { impressions: impressions[index] ?? 0, clicks: clicks[index] ?? 0, conversions: conversions[index] ?? 0, spendMicros: spend[index] ?? 0 };
  }
  for (let index = 0; index < range.dates.length; index += 1) {
    const day = byDay[index];
    const isActive = day !== undefined && (day.impressions !== 0 || day.clicks !== 0 || day.conversions !== 0 || day.spendMicros !== 0);
    if (isActive) take(range.dates[index] ?? '', day);
    else if (fill) take(range.dates[index] ?? '', noActivity);
  }
}

/** `{1,-2,3}` without a substring per number. */
function readNumbers(text: string | null): number[] {
  const numbers: number[] = [];
  let [value, sign, isOpen] = [0, 1, false];
  for (let at = 0; text !== null && at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) {
      value = value * 10 + (code - 48);
      isOpen = true;
    } else if (code === 45) sign = -1;
    else if (isOpen) {
      numbers.push(sign * value);
      [value, sign, isOpen] = [0, 1, false];
    }
  }
  return numbers;
}
