import { toDollars } from '../../domain/money.js';
import { costPer, cpm, percent } from '../../domain/report-ratios.js';
import type { DayRange } from '../../domain/time/day-range.js';
import type { Db } from '../../platform/db/db.js';
import { readRange } from '../../platform/http/report-range.js';
import { type AdUnitLink, listAdUnitLinks, sumAdUnitDays, sumDaysOfCampaigns } from './queries.js';
import { requireAdUnit, requireCampaign } from './require-owned.js';
import { type AdUnitDay, type AdUnitMetricsQuery, type AdUnitSeries, maxDays } from './schema.js';

interface Delivered {
  day: number;
  impressions: number;
  clicks: number;
  spendMicros: number;
}

/**
 * One series per linked ad unit. A campaign whose only unit has no rows of its own answers with the
 * campaign's.
 */
export async function reportAdUnits(
  db: Db,
  advertiserId: string,
  query: AdUnitMetricsQuery,
  now: number,
): Promise<{ ad_units: AdUnitSeries[] }> {
  const range = readRange(query, now, maxDays);
  const campaignId = await requireCampaign(db, advertiserId, query.campaign_id);
  const adUnitId = await requireAdUnit(db, advertiserId, query.ad_unit_id);
  const links = await listAdUnitLinks(db, advertiserId, { campaignId, adUnitId });
  const own = new Map<string, Delivered[]>();
  for (const row of links.length === 0 ? [] : await sumAdUnitDays(db, advertiserId, links, range))
    add(own, `${row.campaignId} ${row.adUnitId}`, row);
  const fallsBack = (link: AdUnitLink): boolean =>
    link.isOnlyOne && !own.has(`${link.campaignId} ${link.adUnitId}`);
  const campaignIds = links.filter(fallsBack).map((link) => link.campaignId);
  const ofCampaign = new Map<string, Delivered[]>();
  for (const row of campaignIds.length === 0
    ? []
    : await sumDaysOfCampaigns(db, advertiserId, campaignIds, range))
    add(ofCampaign, row.campaignId, row);
  const fill = query.fill === 'zero';
  return {
    ad_units: links.map((link) =>
      fallsBack(link)
        ? adUnitSeries(
            link,
            'campaign_fallback',
            ofCampaign.get(link.campaignId) ?? [],
            range,
            fill,
          )
        : adUnitSeries(
            link,
            'ad_unit_stats',
            own.get(`${link.campaignId} ${link.adUnitId}`) ?? [],
            range,
            fill,
          ),
    ),
  };
}

function add(lists: Map<string, Delivered[]>, key: string, row: Delivered): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [row]);
  else list.push(row);
}

function adUnitSeries(
  link: AdUnitLink,
  source: AdUnitSeries['data_source'],
  rows: readonly Delivered[],
  range: DayRange,
  fill: boolean,
): AdUnitSeries {
  const byDate = new Map<string, AdUnitDay>();
  let [impressions, clicks, spendMicros] = [0, 0, 0];
  for (const row of rows) {
    const date = range.dates[row.day - 1];
    if (date === undefined) continue;
    impressions += row.impressions;
    clicks += row.clicks;
    spendMicros += row.spendMicros;
    if (row.impressions !== 0 || row.clicks !== 0 || row.spendMicros !== 0)
      byDate.set(date, adUnitDay(date, row));
  }
  return {
    ad_unit_id: link.adUnitId,
    campaign_id: link.campaignId,
    name: link.name,
    data_source: source,
    total_impressions: impressions,
    total_clicks: clicks,
    total_spend: toDollars(spendMicros),
    data: fill
      ? range.dates.map(
          (date) =>
            byDate.get(date) ??
            adUnitDay(date, { day: 0, impressions: 0, clicks: 0, spendMicros: 0 }),
        )
      : [...byDate.values()],
  };
}

function adUnitDay(date: string, row: Delivered): AdUnitDay {
  return {
    date,
    impressions: row.impressions,
    clicks: row.clicks,
    spend: toDollars(row.spendMicros),
    ctr: percent(row.clicks, row.impressions),
    cpc: costPer(row.spendMicros, row.clicks),
    cpm: cpm(row.spendMicros, row.impressions),
  };
}
