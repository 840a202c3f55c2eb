import type { PublisherTraffic } from '../../domain/traffic/judge-publishers.js';
import type { Db } from '../../platform/db/db.js';
import { eventFacts } from '../../platform/events/event-facts.js';
import { type CountedEvent, countedEvents } from '../../platform/events/reverse-events.js';

/** A click this soon after its impression is no person's. */
const fastMs = 1000;

/** So long after a click most of the purchases it leads to were made. */
const settledAfter = '24 hours';
/** Others tell what is usual from so many views in a place, clicks to a campaign or advertiser. */
const fewest = { views: 500, clicks: 100 };

/** What is usual in the network weighs as much as so many clicks to an advertiser. */
const usualClicks = 20;

/** What was bought and given back shows no buyer. */
const withdrawn = `'orders/cancelled', 'orders/updated', 'refunds/create'`;
/** Whether an advertiser tells of purchases is seen by its newest conversions, so many of them. */
const newest = 500;

const sumOver = (what: string, by: string): string =>
  `(sum(${what}) filter (where not is_found) over (partition by ${by})
     - coalesce(sum(${what}) filter (where not is_found)
       over (partition by ${by}, publisher_id), 0))`;

/**
 * What was counted of each publisher's traffic since then, and what others made of the same ads in
 * the same places; also what was taken back since, or the rest of it would look like little. Those
 * found out in this time are nobody's measure.
 */
export function loadTraffic(db: Db, since: Date, until: Date): Promise<PublisherTraffic[]> {
  return db.query<PublisherTraffic>(
    // One row an ad, gathered and not joined: a join of these would be tried row by row.
    `with shown as (
         select case when kind = 'conversion' then data ->> 'serve' else id::text end as serve,
           publisher_id, advertiser_id, campaign_id, placement,
           min(at) filter (where kind = 'impression') as seen_at,
           min(at) filter (where kind = 'click') as clicked_at,
           bool_or(
             kind = 'impression' and country is not null and data ->> 'from' is not null
           ) as placed,
           bool_or(
             kind = 'impression' and country is not null and data ->> 'from' <> country
           ) as displaced,
           bool_or(
             kind = 'conversion' and attribution = 'click'
               and coalesce(data ->> 'source', '') <> 'pixel'
               and not exists (
                 select 1
                 from events r
                 where r.day = e.day and r.id = e.id and r.kind = 'conversion_reversal'
                   and r.data ->> 'reason' in (${withdrawn})
               )
           ) as trusted,
           bool_or(
             kind = 'conversion' and attribution = 'click' and data ->> 'source' = 'pixel'
           ) as claimed
         from ${eventFacts((day) => `${day} >= $1::timestamptz::date - 1`)} e
         where at >= $1 and at < $2
           and kind in ('impression', 'click', 'conversion') and invalid is null
           and not test and publisher_id is not null
         group by 1, 2, 3, 4, 5
       ),
       cells as (
         select publisher_id, advertiser_id, campaign_id, placement,
           exists (
             select 1
             from traffic_findings f
             where f.publisher_id = shown.publisher_id and f.to_at > $1
           ) as is_found,
           count(seen_at) as views, count(clicked_at) as clicks,
           count(*) filter (
             where clicked_at - seen_at < interval '${fastMs} milliseconds'
           ) as fast,
           count(*) filter (where placed) as placed, count(*) filter (where displaced) as displaced,
           count(clicked_at) filter (where trusted) as converted,
           count(clicked_at) filter (where claimed) as claimed,
           count(*) filter (
             where clicked_at < $2::timestamptz - interval '${settledAfter}'
           ) as settled,
           count(*) filter (
             where trusted and clicked_at < $2::timestamptz - interval '${settledAfter}'
           ) as settled_conversions
         from shown
         group by 1, 2, 3, 4
       ),
       tellers as (
         select advertiser_id, (
           select bool_or(c.source <> 'pixel')
           from (
               select source
               from conversions
               where advertiser_id = a.advertiser_id
               order by id desc
               limit ${newest}
             ) c
         ) as tells
         from (
             select distinct advertiser_id
             from cells
           ) a
       ),
       compared as (
         select cells.*, (
           select tells
           from tellers t
           where t.advertiser_id = cells.advertiser_id
         ) as tells, ${sumOver('views', 'placement')} as placement_views,
           ${sumOver('clicks', 'placement')} as placement_clicks,
           ${sumOver('settled', 'campaign_id')} as campaign_settled,
           ${sumOver('settled_conversions', 'campaign_id')} as campaign_conversions,
           ${sumOver('settled', 'advertiser_id')} as advertiser_settled,
           ${sumOver('settled_conversions', 'advertiser_id')} as advertiser_conversions
         from cells
       ),
       told as (
         select compared.*, ${sumOver('settled', 'tells')} as network_settled,
           ${sumOver('settled_conversions', 'tells')} as network_conversions
         from compared
       ),
       rated as (
         select told.*,
           case when tells then settled * (
             coalesce(advertiser_conversions, 0)
               + ${usualClicks} * coalesce(network_conversions / nullif(network_settled, 0), 0)
           ) / (coalesce(advertiser_settled, 0) + ${usualClicks}) else 0 end as due,
           case when placement_views >= ${fewest.views} then placement_clicks / placement_views
             end as click_rate,
           case when campaign_settled >= ${fewest.clicks}
             then campaign_conversions / campaign_settled
             when advertiser_settled >= ${fewest.clicks}
             then advertiser_conversions / advertiser_settled end as conversion_rate
         from told
       ),
       voiced as (
         select rated.*, sum(settled_conversions) over advertiser as voice,
           sum(due) over advertiser as voice_due, row_number() over advertiser as nth
         from rated
         window advertiser as (partition by publisher_id, advertiser_id)
       ),
       ranked as (
         select voiced.*,
           tells and nth = 1 and dense_rank() over (
             partition by publisher_id
             order by coalesce(tells, false) desc, voice - voice_due desc, advertiser_id
           ) > 1 as is_elsewhere
         from voiced
       )
     select publisher_id as "publisherId", bool_or(is_found) as "wasFound",
       sum(views)::bigint as impressions,
       coalesce(sum(views) filter (where tells), 0)::bigint as "toldImpressions",
       sum(clicks)::bigint as clicks, sum(fast)::bigint as "fastClicks",
       sum(placed)::bigint as placed, sum(displaced)::bigint as displaced,
       sum(converted)::bigint as converted, sum(claimed)::bigint as claimed,
       coalesce(sum(views * click_rate), 0)::float8 as "expectedClicks",
       coalesce(
         sum(settled_conversions) filter (where conversion_rate is not null), 0
       )::bigint as "settledConversions",
       coalesce(sum(settled * conversion_rate), 0)::float8 as "expectedConversions",
       coalesce(
         sum(least(voice, 2 * voice_due)) filter (where is_elsewhere), 0
       )::float8 as "elsewhereConversions",
       coalesce(sum(voice_due) filter (where is_elsewhere), 0)::float8 as "elsewhereDue"
     from ranked
     group by 1`,
    [since, until],
  );
}

/** What of a publisher's traffic counts since then and was not taken back, oldest first. */
export function findStanding(
  tx: Db,
  publisherId: string,
  since: Date,
  until: Date,
  limit: number,
): Promise<CountedEvent[]> {
  return tx.query<CountedEvent>(
    `${countedEvents((day) => `${day} >= $2::timestamptz::date - 31`)}
       and e.publisher_id = $1 and e.at >= $2 and e.at < $3
     order by e.day, e.id, e.kind limit $4`,
    [publisherId, since, until, limit],
  );
}

export interface ShownRow {
  publisherId: string;
  name: string;
  impressions: number;
  viewable: number;
  disclosed: number;
}

/** What one publisher, or each that showed anything, has shown since then. */
export function sumShown(db: Db, publisherId: string | null, since: Date): Promise<ShownRow[]> {
  return db.query<ShownRow>(
    `select p.id as "publisherId", p.name, sum(h.impressions)::bigint as impressions,
       sum(h.viewable)::bigint as viewable, sum(h.disclosed)::bigint as disclosed
     from publishers p
     join publisher_hours h on h.publisher_id = p.id and h.bucket >= $2
     where $1::uuid is null or p.id = $1
     group by p.id, p.name
     having sum(h.impressions) > 0
     order by p.name, p.id`,
    [publisherId, since],
  );
}

export interface FilteredRow {
  reason: string;
  kind: string;
  events: number;
  /** Given back for it, or no longer earned. */
  micros: number;
}

/** What did not count of an account's traffic since then, and what was taken back later, by reason. */
export function sumFiltered(
  db: Db,
  account: { side: 'advertiser' | 'publisher'; id: string },
  since: Date,
): Promise<FilteredRow[]> {
  const column = account.side === 'advertiser' ? 'advertiser_id' : 'publisher_id';
  const money = account.side === 'advertiser' ? 'spend_micros' : 'revenue_micros';
  return db.query<FilteredRow>(
    `select case when right(kind, 9) = '_reversal' then coalesce(data ->> 'reason', 'taken_back')
       else coalesce(invalid, unbilled) end as reason, replace(kind, '_reversal', '') as kind,
       count(*) as events, coalesce(-sum(${money}), 0)::bigint as micros
     from ${eventFacts((day) => `${day} >= $2::timestamptz::date - 31`)} e
     where at >= $2 and ${column} = $1 and not test
       and (
         invalid is not null or unbilled is not null
         or kind in (
           'impression_reversal', 'viewable_reversal', 'click_reversal', 'conversion_reversal'
         )
       )
     group by 1, 2
     order by 3 desc, 1, 2
     limit 200`,
    [account.id, since],
  );
}
