import type { App } from '../../app.js';
import { createRandom } from '../../domain/decision/seeded-random.js';
import { splitRevenue } from '../../domain/money.js';
import type { Db } from '../../platform/db/db.js';
import type { DemoCampaign } from './demo-campaigns.js';
import { storeYear, type YearConversion, type YearRow } from './store-year.js';
import { networkVolume, popularity, seasonOf, startedDaysAgo } from './year-shape.js';
import { dayMs, utcDay, utcMidnight } from '../../domain/time/utc-day.js';

const days = 365;
/** When the demo's history begins. */
export const yearBegin = (now: number): number => utcMidnight(now) - days * dayMs;
/** A conversion may count a week before the day it is told of: `verify` begins after that. */
const verifiedAfterDays = 8;
const placements = ['below_response', 'below_response', 'inline_response', 'right_response'];
const devices = ['mobile', 'mobile', 'desktop', 'desktop', 'desktop', 'tablet'];
const countries = 'US US US US US GB GB DE DE FR CA AU IN NL ES BR JP IT SE MX'.split(' ');
const names = ['Purchase', 'Purchase', 'Purchase', 'Lead', 'AddToCart', 'CompleteRegistration'];

interface SeededAd {
  adId: string;
  adGroupId: string;
  campaignId: string;
  advertiserId: string;
  maxCpmMicros: number;
  name: string;
}

/**
 * A year before today, as a network of some size would have had it. Written as totals in one
 * transaction, the way a store looks whose raw events were dropped: the number of rows does not
 * grow with the number of people, and the first start stays quick. Same seed, same shape.
 */
export async function seedYear(
  { services }: Pick<App, 'services'>,
  publisherIds: readonly string[],
  campaigns: readonly DemoCampaign[],
): Promise<void> {
  const { db, clock, mintId, pseudonyms } = services;
  const today = utcMidnight(clock());
  const firstDay = utcDay(today - verifiedAfterDays * dayMs);
  const ads = await firstAds(db);
  const known = new Map(campaigns.map((campaign) => [`Demo: ${campaign.name}`, campaign]));
  await db.transaction(async (tx) => {
    const [done] = await tx.query(`select 1 from installation where name = 'events_kept_from'`);
    if (done !== undefined || ads.length === 0) return;
    const year = imagineYear({ ads, known, publisherIds, today, mintId });
    await storeYear(tx, year, pseudonyms);
    await tx.query(`insert into installation (name, value) values ('events_kept_from', $1)`, [
      firstDay,
    ]);
  });
}

/** One ad a campaign carries its past. */
function firstAds(db: Db): Promise<SeededAd[]> {
  return db.query<SeededAd>(
    `select distinct on (c.name, c.id) d.id as "adId", d.ad_group_id as "adGroupId",
       d.campaign_id as "campaignId", d.advertiser_id as "advertiserId", c.name,
       coalesce(c.max_cpm_micros, 3000000) as "maxCpmMicros"
     from ads d
     join campaigns c on c.id = d.campaign_id
     where c.review_status = 'approved'
     order by c.name, c.id, d.name`,
  );
}

interface Imagined {
  readonly ads: readonly SeededAd[];
  readonly known: ReadonlyMap<string, DemoCampaign>;
  readonly publisherIds: readonly string[];
  readonly today: number;
  readonly mintId: (at: number) => string;
}

function imagineYear({ ads, known, publisherIds, today, mintId }: Imagined): {
  rows: YearRow[];
  conversions: YearConversion[];
} {
  const random = createRandom(20_251_117);
  const rows: YearRow[] = [];
  const conversions: YearConversion[] = [];
  for (let daysAgo = days; daysAgo >= 1; daysAgo -= 1) {
    const start = today - daysAgo * dayMs;
    const volume = networkVolume(start, daysAgo, days);
    const running = ads.flatMap((ad, rank) => {
      const campaign = known.get(ad.name);
      return campaign === undefined || startedDaysAgo(rank, days) < daysAgo
        ? []
        : [{ ad, campaign, weight: popularity(rank) * seasonOf(campaign.season, start) }];
    });
    const all = running.reduce((sum, { weight }) => sum + weight, 0);
    for (const { ad, campaign, weight } of running) {
      // Half of it at the first publisher, the rest at one of the others.
      const others = publisherIds.slice(1);
      const other = others[Math.floor(random() * others.length)];
      for (const [publisherId, share] of [
        [publisherIds[0], 0.5],
        [other, 0.5],
      ] as const) {
        if (publisherId === undefined) continue;
        const impressions = Math.round(((volume * weight) / all) * share * (0.85 + 0.3 * random()));
        if (impressions === 0) continue;
        const made = imagineRow({ ad, campaign, publisherId, start, impressions }, random, mintId);
        rows.push(made.row);
        conversions.push(...made.conversions);
      }
    }
  }
  return { rows, conversions };
}

function imagineRow(
  of: {
    ad: SeededAd;
    campaign: DemoCampaign;
    publisherId: string;
    start: number;
    impressions: number;
  },
  random: () => number,
  mintId: (at: number) => string,
): { row: YearRow; conversions: YearConversion[] } {
  const { ad, campaign, publisherId, start, impressions } = of;
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? '';
  const some = (count: number, rate: number): number =>
    Math.floor(count * rate * (0.85 + 0.3 * random()) + random());
  // More by day than by night, in quarters of an hour.
  const quarter = Math.floor(24 + 68 * Math.sqrt(random()) * random() + 4 * random());
  const bucket = start + quarter * 900_000;
  const price = Math.floor((ad.maxCpmMicros / 1000) * (0.5 + 0.3 * random()));
  const clicks = some(impressions, 0.013);
  const bought = Math.min(clicks, some(clicks, 0.031));
  const conversions = Array.from({ length: bought }, () =>
    imagineConversion(ad, campaign, bucket, random, mintId),
  );
  const spend = price * impressions;
  const viewable = Math.min(impressions, some(impressions, 0.78));
  const wins = Math.round(impressions * (1.12 + 0.04 * random()));
  return {
    conversions,
    row: {
      advertiser_id: ad.advertiserId,
      campaign_id: ad.campaignId,
      ad_group_id: ad.adGroupId,
      ad_id: ad.adId,
      publisher_id: publisherId,
      bucket: new Date(bucket).toISOString(),
      placement: pick(placements),
      device: pick(devices),
      country: pick(countries),
      requests: Math.round(wins * (1.35 + 0.1 * random())),
      wins,
      impressions,
      viewable,
      disclosed: Math.floor(viewable * 0.97),
      clicks,
      conversions: bought,
      invalid_impressions: some(impressions, 0.012),
      spend_micros: spend,
      revenue_micros: splitRevenue(spend, 7000).revenueMicros,
      value_micros: conversions.reduce((sum, one) => sum + one.value_micros, 0),
    },
  };
}

function imagineConversion(
  ad: SeededAd,
  campaign: DemoCampaign,
  bucket: number,
  random: () => number,
  mintId: (at: number) => string,
): YearConversion {
  const at = bucket + Math.floor(random() * 899_000);
  const name = names[Math.floor(random() * names.length)] ?? '';
  const dollars = campaign.orderDollars * (0.6 + 0.8 * random());
  return {
    id: mintId(at),
    at: new Date(at).toISOString(),
    name,
    advertiser_id: ad.advertiserId,
    campaign_id: ad.campaignId,
    ad_group_id: ad.adGroupId,
    value_micros: name === 'Purchase' ? Math.round(dollars * 100) * 10_000 : 0,
  };
}
