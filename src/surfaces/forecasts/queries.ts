import type { BidSettings } from '../../domain/decision/derive-bid.js';
import type { Db } from '../../platform/db/db.js';
import type { AskedRow } from './forecast-delivery.js';

/** Rows of these hours; a day at a time keeps nobody waiting. */
export async function loadAsked(
  db: Db,
  { from, to, modelId }: { from: Date; to: Date; modelId: string },
): Promise<AskedRow[]> {
  const rows = await db.query<Omit<AskedRow, 'hourMs'> & { hour: Date }>(
    `select hour, country, device, topic, signs as bits, reach, need, never, trade, shift,
       min_relevance as "minRelevance", floor_cpm_micros as "floorCpmMicros", places,
       advertiser_ids as "advertiserIds", scores, weight
     from asked_requests
     where hour >= $1 and hour < $2 and model_id = $3
     order by hour`,
    [from, to, modelId],
  );
  return rows.map(({ hour, ...row }) => ({
    ...row,
    hourMs: hour.getTime(),
    scores: row.scores.map(Number),
  }));
}

/** Which share of the ads that were returned lately was seen. */
export async function loadShownShare(
  db: Db,
  since: Date,
): Promise<{ wins: number; impressions: number }> {
  const [row] = await db.query<{ wins: number; impressions: number }>(
    `select coalesce(sum(wins), 0)::bigint as wins,
       coalesce(sum(impressions), 0)::bigint as impressions
     from publisher_hours
     where bucket >= $1`,
    [since],
  );
  return row ?? { wins: 0, impressions: 0 };
}

export interface PlannedCampaign extends Omit<BidSettings, 'groupMaxCpcMicros'> {
  allowedCountries: string[];
  allowedDevices: string[];
  startTime: Date | null;
  endTime: Date | null;
}

export async function findCampaign(
  db: Db,
  advertiserId: string,
  id: string,
): Promise<PlannedCampaign | null> {
  const [row] = await db.query<PlannedCampaign>(
    `select campaign_objective as objective, billing_model as "billingModel",
       bid_strategy as "bidStrategy", daily_budget_micros as "dailyBudgetMicros",
       click_goal as "clickGoal", impression_goal as "impressionGoal",
       max_cpc_micros as "maxCpcMicros", max_cpm_micros as "maxCpmMicros",
       max_cpa_micros as "maxCpaMicros", allowed_countries as "allowedCountries",
       allowed_devices as "allowedDevices", start_time as "startTime", end_time as "endTime"
     from campaigns
     where id = $1 and advertiser_id = $2`,
    [id, advertiserId],
  );
  return row ?? null;
}

export interface PlannedGroup {
  context: string;
  negativeContext: string | null;
  maxCpcMicros: number | null;
  allowedCountries: string[];
  allowedDevices: string[];
  /** One of its ads: what is known of its clicks. */
  adId: string | null;
}

/** The first groups on the air or to be, enough for a forecast of any of them. */
export function listGroups(db: Db, campaignId: string, most: number): Promise<PlannedGroup[]> {
  return db.query<PlannedGroup>(
    `select g.context, g.negative_context as "negativeContext",
       g.max_cpc_micros as "maxCpcMicros", g.allowed_countries as "allowedCountries",
       g.allowed_devices as "allowedDevices",
       (
         select d.id
         from ads d
         where d.ad_group_id = g.id and d.status = 'active'
         order by d.created_at, d.id
         limit 1
       ) as "adId"
     from ad_groups g
     where g.campaign_id = $1 and g.status = 'active' and trim(coalesce(g.context, '')) <> ''
     order by g.sort_order, g.id
     limit $2`,
    [campaignId, most],
  );
}
