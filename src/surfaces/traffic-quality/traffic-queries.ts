import type { PublisherTraffic } from '../../domain/traffic/judge-publishers.js';
import type { Db } from '../../platform/db/db.js';
import { eventFactsWhere } from '../../platform/events/event-facts.js';
import {
  type EventPage,
  eventPages,
  isInPage,
  pageParameters,
} from '../../platform/events/event-pages.js';

/** A click this soon after its impression is no person's. */
const fastMs = 1000;

/** So long after a click most of the purchases it leads to were made. */
const settledAfterMs = 24 * 3_600_000;
/** Others tell what is usual from so many views in a place, clicks to a campaign or advertiser. */
const fewest = { views: 500, clicks: 100 };

/** What is usual in the network weighs as much as so many clicks to an advertiser. */
const usualClicks = 20;

/** What was bought and given back shows no buyer. */
const withdrawn = `'orders/cancelled', 'orders/updated', 'refunds/create'`;
/** Whether an advertiser tells of purchases is seen by its newest conversions, so many of them. */
const newest = 500;

/** What a publisher's ads of one campaign did in one place. */
interface Cell {
  publisher_id: string;
  advertiser_id: string | null;
  campaign_id: string | null;
  placement: string | null;
  views: number;
  clicks: number;
  fast: number;
  placed: number;
  displaced: number;
  converted: number;
  claimed: number;
  settled: number;
  settled_conversions: number;
}

interface CellOfPage extends Omit<Cell, 'converted' | 'claimed' | 'settled_conversions'> {
  /** The ads that were clicked, and whether that was long enough ago. */
  clicked: { serve: string; settled: boolean }[] | null;
}

/** What came of a clicked ad. */
interface Bought {
  trusted: boolean;
  claimed: boolean;
}

/**
 * What was counted of each publisher's traffic since then, and what others made of the same ads in
 * the same places; also what was taken back since, or the rest of it would look like little. Those
 * found out in this time are nobody's measure.
 */
export async function loadTraffic(db: Db, since: Date, until: Date): Promise<PublisherTraffic[]> {
  // Events belong to the day of their ad.
  const days = { from: new Date(since.getTime() - dayMs), to: until };
  const bought = new Map<string, Bought>();
  for await (const page of eventPages(db, days))
    for (const { serve, ...what } of await readBought(db, page, since, until)) {
      const known = bought.get(serve);
      bought.set(serve, {
        trusted: what.trusted || known?.trusted === true,
        claimed: what.claimed || known?.claimed === true,
      });
    }
  const cells = new Map<string, Cell>();
  for await (const page of eventPages(db, days))
    for (const row of await readCells(db, page, since, until)) addTo(cells, row, bought);
  return compare(db, [...cells.values()], since);
}

const dayMs = 24 * 3_600_000;

function readBought(
  db: Db,
  page: EventPage,
  since: Date,
  until: Date,
): Promise<(Bought & { serve: string })[]> {
  return db.query(
    `select e.data ->> 'serve' as serve,
       bool_or(
         coalesce(e.data ->> 'source', '') <> 'pixel'
           and not exists (
             select 1
             from events r
             where r.day = e.day and r.id = e.id and r.kind = 'conversion_reversal'
               and r.data ->> 'reason' in (${withdrawn})
           )
       ) as trusted,
       bool_or(coalesce(e.data ->> 'source', '') = 'pixel') as claimed
     from events e
     where ${isInPage('e')} and e.kind = 'conversion' and e.attribution = 'click'
       and e.at >= $4 and e.at < $5 and e.invalid is null and not e.test
       and e.publisher_id is not null and e.data ->> 'serve' is not null
     group by 1`,
    [...pageParameters(page), since, until],
  );
}

function readCells(db: Db, page: EventPage, since: Date, until: Date): Promise<CellOfPage[]> {
  return db.query<CellOfPage>(
    // One row an ad, gathered and not joined: a join of these would be tried row by row.
    `with shown as (
         select id, publisher_id, advertiser_id, campaign_id, placement,
           min(at) filter (where kind = 'impression') as seen_at,
           min(at) filter (where kind = 'click') as clicked_at,
           bool_or(
             kind = 'impression' and country is not null and data ->> 'from' is not null
           ) as placed,
           bool_or(
             kind = 'impression' and country is not null and data ->> 'from' <> country
           ) as displaced
         from ${eventFactsWhere(isInPage)} e
         where at >= $4 and at < $5 and kind in ('impression', 'click') and invalid is null
           and not test and publisher_id is not null
         group by 1, 2, 3, 4, 5
       )
     select publisher_id, advertiser_id, campaign_id, placement, count(seen_at) as views,
       count(clicked_at) as clicks,
       count(*) filter (
         where clicked_at - seen_at < interval '${fastMs} milliseconds'
       ) as fast,
       count(*) filter (where placed) as placed, count(*) filter (where displaced) as displaced,
       count(*) filter (where clicked_at < $6) as settled,
       json_agg(
         json_build_object('serve', id, 'settled', clicked_at < $6)
       ) filter (where clicked_at is not null) as clicked
     from shown
     group by 1, 2, 3, 4`,
    [...pageParameters(page), since, until, new Date(until.getTime() - settledAfterMs)],
  );
}

function addTo(
  cells: Map<string, Cell>,
  { clicked, ...row }: CellOfPage,
  bought: ReadonlyMap<string, Bought>,
): void {
  const key = JSON.stringify([row.publisher_id, row.advertiser_id, row.campaign_id, row.placement]);
  const { views, clicks, fast, placed, displaced, settled } = row;
  const counts = { views, clicks, fast, placed, displaced, settled };
  const cell = cells.get(key);
  const sum: Cell = cell ?? { ...row, converted: 0, claimed: 0, settled_conversions: 0 };
  if (cell !== undefined)
    for (const [name, count] of Object.entries(counts)) sum[name as keyof typeof counts] += count;
  for (const { serve, settled: isSettled } of clicked ?? []) {
    const what = bought.get(serve);
    if (what?.trusted === true) sum.converted += 1;
    if (what?.trusted === true && isSettled) sum.settled_conversions += 1;
    if (what?.claimed === true) sum.claimed += 1;
  }
  cells.set(key, sum);
}

const sumOver = (what: string, by: string): string =>
  `(sum(${what}) filter (where not is_found) over (partition by ${by})
     - coalesce(sum(${what}) filter (where not is_found)
       over (partition by ${by}, publisher_id), 0))`;

/** Of `$2`, the cells as JSON; `$1` is when findings begin to count. */
const comparison = `with cells as (
         select c.*, exists (
           select 1
           from traffic_findings f
           where f.publisher_id = c.publisher_id and f.to_at > $1
         ) as is_found
         from json_to_recordset($2::json) as c (
             publisher_id uuid, advertiser_id uuid, campaign_id uuid, placement text, views bigint,
             clicks bigint, fast bigint, placed bigint, displaced bigint, converted bigint,
             claimed bigint, settled bigint, settled_conversions bigint
           )
       ),
       tellers as materialized (
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
     group by 1`;

function compare(db: Db, cells: readonly Cell[], since: Date): Promise<PublisherTraffic[]> {
  return db.query<PublisherTraffic>(comparison, [since, JSON.stringify(cells)]);
}
