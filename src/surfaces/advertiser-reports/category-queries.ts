import type { Db } from '../../platform/db/db.js';

export interface CategorySums {
  /** Id of the IAB content category; empty where nobody could tell it. */
  category: string;
  impressions: number;
  viewable: number;
  clicks: number;
  spendMicros: number;
}

const sumOf = (kind: string): string =>
  `sum(case b.kind when '${kind}' then 1 when '${kind}_reversal' then -1 else 0 end)::bigint`;

/**
 * By what the conversations were about in which ads were served since then: nothing of what was
 * said is known here. One look-up by primary key an ad; a limit leaves no other choice.
 */
export function sumCategories(
  db: Db,
  advertiserId: string,
  campaignId: string | null,
  since: Date,
): Promise<CategorySums[]> {
  return db.query<CategorySums>(
    `select coalesce(w.data ->> 'category', '') as category,
       ${sumOf('impression')} as impressions, ${sumOf('viewable')} as viewable,
       ${sumOf('click')} as clicks, coalesce(sum(b.spend_micros), 0)::bigint as "spendMicros"
     from events w
     cross join lateral (
         select e.kind, e.spend_micros
         from events e
         where e.day = w.day and e.id = w.id and e.invalid is null and e.kind in (
             'impression', 'impression_reversal', 'viewable', 'viewable_reversal', 'click',
             'click_reversal'
           )
         limit 10
       ) b
     where w.kind = 'win' and not w.test and w.day >= $2::timestamptz::date and w.at >= $2
       and w.advertiser_id = $1 and ($3::uuid is null or w.campaign_id = $3)
     group by 1
     order by 2 desc, 1`,
    [advertiserId, since, campaignId],
  );
}
