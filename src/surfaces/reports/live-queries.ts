import type { Db } from '../../platform/db/db.js';

export interface LiveRow {
  at: Date;
  kind: string;
  country: string | null;
  device: string | null;
  placement: string | null;
  campaign: string | null;
  publisher: string | null;
  reason: string | null;
}

/** However much happens, no more rows than these are looked at. */
const looked = 4000;

/**
 * The newest events of the last minutes, of one account or all. Beacons stand under the id of their
 * ad, so the ids of those minutes are read from the newest back, and no further than the bound.
 */
export function listLiveEvents(
  db: Db,
  asked: {
    days: readonly string[];
    firstId: string;
    since: Date;
    advertiserId: string | null;
    publisherId: string | null;
    limit: number;
  },
): Promise<LiveRow[]> {
  return db.query<LiveRow>(
    `select e.at, e.kind, coalesce(e.country, w.country) as country,
       coalesce(e.device, w.device) as device, coalesce(e.placement, w.placement) as placement,
       c.name as campaign, p.name as publisher,
       case when e.kind = 'request' then nullif(e.data ->> 'need', '') end as reason
     from (
         select *
         from events
         where day = any($1::date[]) and id >= $2::uuid
         order by day desc, id desc
         limit ${looked}
       ) e
     left join events w on w.day = e.day and w.id = e.id and w.kind = 'win' and e.kind <> 'win'
     left join campaigns c on c.id = coalesce(e.campaign_id, w.campaign_id)
     left join publishers p on p.id = coalesce(e.publisher_id, w.publisher_id)
     where e.at > $3 and not e.test and e.invalid is null
       and e.kind in ('request', 'win', 'impression', 'click', 'conversion')
       and ($4::uuid is null or coalesce(e.advertiser_id, w.advertiser_id) = $4)
       and ($5::uuid is null or coalesce(e.publisher_id, w.publisher_id) = $5)
     order by e.at desc, e.id desc
     limit $6`,
    [asked.days, asked.firstId, asked.since, asked.advertiserId, asked.publisherId, asked.limit],
  );
}
