import type { Db } from '../../platform/db/db.js';

export interface WatchedCampaign {
  advertiserId: string;
  timeZone: string;
  campaignId: string;
  name: string;
  dailyBudgetMicros: number;
  /** Impressions of the last hours, and of the same hours a day ago. */
  impressionsNow: number;
  impressionsBefore: number;
  recentClicks: number;
  recentConversions: number;
  usualClicks: number;
  usualConversions: number;
}

export interface WatchTimes {
  quietFrom: Date;
  quietFromBefore: Date;
  quietToBefore: Date;
  recentFrom: Date;
  usualFrom: Date;
  now: Date;
}

/** Serving campaigns of advertisers who asked to be told, with what the rules look at. */
export function listWatchedCampaigns(db: Db, times: WatchTimes): Promise<WatchedCampaign[]> {
  return db.query<WatchedCampaign>(
    `select c.advertiser_id as "advertiserId", a.time_zone as "timeZone", c.id as "campaignId",
       c.name, c.daily_budget_micros as "dailyBudgetMicros", s.*
     from advertisers a
     join campaigns c on c.advertiser_id = a.id
     cross join lateral (
         select coalesce(
             sum(t.impressions) filter (where t.bucket >= $1 and t.bucket < $6), 0
           )::bigint as "impressionsNow",
           coalesce(sum(t.impressions) filter (where t.bucket >= $2 and t.bucket < $3), 0)::bigint
             as "impressionsBefore",
           coalesce(sum(t.clicks) filter (where t.bucket >= $4), 0)::bigint as "recentClicks",
           coalesce(
             sum(t.conversions - t.view_conversions) filter (where t.bucket >= $4), 0
           )::bigint as "recentConversions",
           coalesce(sum(t.clicks) filter (where t.bucket < $4), 0)::bigint as "usualClicks",
           coalesce(sum(t.conversions - t.view_conversions) filter (where t.bucket < $4), 0)::bigint
             as "usualConversions"
         from campaign_hours t
         where t.advertiser_id = a.id and t.campaign_id = c.id and t.bucket >= $5 and t.bucket < $6
       ) s
     where a.status = 'active' and c.status = 'active' and c.is_active and not c.is_archived
       and (
         c.shows_approved or (c.review_status = 'approved' and c.deployment_status = 'deployed')
       )
       and (c.start_time is null or c.start_time <= $6) and (c.end_time is null or c.end_time > $6)
       and exists (
         select 1
         from webhook_endpoints e
         where e.account_kind = 'advertiser' and e.account_id = a.id and e.is_active
       )`,
    [
      times.quietFrom,
      times.quietFromBefore,
      times.quietToBefore,
      times.recentFrom,
      times.usualFrom,
      times.now,
    ],
  );
}

export interface WatchedPublisher {
  publisherId: string;
  timeZone: string;
  requestsNow: number;
  impressionsNow: number;
  impressionsBefore: number;
}

export function listWatchedPublishers(db: Db, times: WatchTimes): Promise<WatchedPublisher[]> {
  return db.query<WatchedPublisher>(
    `select p.id as "publisherId", p.time_zone as "timeZone", s.*
     from publishers p
     cross join lateral (
         select coalesce(sum(t.requests) filter (where t.bucket >= $1), 0)::bigint as "requestsNow",
           coalesce(sum(t.impressions) filter (where t.bucket >= $1),
             0)::bigint as "impressionsNow",
           coalesce(sum(t.impressions) filter (where t.bucket >= $2 and t.bucket < $3), 0)::bigint
             as "impressionsBefore"
         from publisher_hours t
         where t.publisher_id = p.id and t.bucket >= $2 and t.bucket < $4
       ) s
     where p.status = 'approved'
       and exists (
         select 1
         from webhook_endpoints e
         where e.account_kind = 'publisher' and e.account_id = p.id and e.is_active
       )`,
    [times.quietFrom, times.quietFromBefore, times.quietToBefore, times.now],
  );
}
