import { spendCreditOf } from '../../platform/budgets/charge-budgets.js';
import type { Db } from '../../platform/db/db.js';
import type { Pseudonyms } from '../../platform/secrets/pseudonyms.js';
import { utcDaySql } from '../../platform/db/utc-day-sql.js';

/** What one ad did at one publisher on one day, all of it in one quarter of an hour. */
export interface YearRow {
  advertiser_id: string;
  campaign_id: string;
  ad_group_id: string;
  ad_id: string;
  publisher_id: string;
  bucket: string;
  placement: string;
  device: string;
  country: string;
  requests: number;
  wins: number;
  impressions: number;
  viewable: number;
  disclosed: number;
  clicks: number;
  conversions: number;
  invalid_impressions: number;
  spend_micros: number;
  revenue_micros: number;
  value_micros: number;
}

export interface YearConversion {
  id: string;
  at: string;
  name: string;
  advertiser_id: string;
  campaign_id: string;
  ad_group_id: string;
  value_micros: number;
}

const campaignSums = `sum(impressions), sum(viewable), sum(disclosed), sum(clicks), sum(conversions),
  sum(invalid_impressions), sum(spend_micros), sum(revenue_micros), sum(value_micros)`;
const campaignColumns = `impressions, viewable, disclosed, clicks, conversions,
  invalid_impressions, spend_micros, revenue_micros, value_micros`;
const publisherSums = `sum(requests), sum(wins), sum(impressions), sum(viewable), sum(disclosed),
  sum(clicks), sum(conversions), sum(invalid_impressions), sum(revenue_micros)`;
const publisherColumns = `requests, wins, impressions, viewable, disclosed, clicks, conversions,
  invalid_impressions, revenue_micros`;
const hour = `date_trunc('hour', bucket, 'UTC')`;
const day = utcDaySql('bucket');

/** Every table a report reads, from the same rows, so that they all say the same. */
const derived: readonly string[] = [
  `insert into totals (advertiser_id, campaign_id, ad_group_id, ad_id, publisher_id, bucket,
     placement, device, country, wins, ${campaignColumns})
   select advertiser_id, campaign_id, ad_group_id, ad_id, publisher_id, bucket, placement, device,
     country, sum(wins), ${campaignSums}
   from demo_year
   group by 1, 2, 3, 4, 5, 6, 7, 8, 9`,
  `insert into campaign_totals (advertiser_id, campaign_id, bucket, ${campaignColumns})
   select advertiser_id, campaign_id, bucket, ${campaignSums}
   from demo_year
   group by 1, 2, 3`,
  `insert into campaign_hours (advertiser_id, campaign_id, bucket, ${campaignColumns})
   select advertiser_id, campaign_id, ${hour}, ${campaignSums}
   from demo_year
   group by 1, 2, 3`,
  `insert into ad_group_totals (advertiser_id, ad_group_id, campaign_id, bucket, impressions, clicks,
     conversions, spend_micros)
   select advertiser_id, ad_group_id, campaign_id, bucket, sum(impressions), sum(clicks),
     sum(conversions), sum(spend_micros)
   from demo_year
   group by 1, 2, 3, 4`,
  `insert into ad_group_days (advertiser_id, ad_group_id, campaign_id, day, impressions, clicks,
     conversions, spend_micros)
   select advertiser_id, ad_group_id, campaign_id, ${day}, sum(impressions), sum(clicks),
     sum(conversions), sum(spend_micros)
   from demo_year
   group by 1, 2, 3, 4`,
  `insert into publisher_totals (publisher_id, bucket, ${publisherColumns})
   select publisher_id, bucket, ${publisherSums}
   from demo_year
   group by 1, 2`,
  `insert into publisher_hours (publisher_id, bucket, ${publisherColumns})
   select publisher_id, ${hour}, ${publisherSums}
   from demo_year
   group by 1, 2`,
  `insert into publisher_days (publisher_id, dimension, day, value, impressions, clicks,
     revenue_micros)
   select publisher_id, slice.dimension, ${day}, slice.value, sum(impressions), sum(clicks),
     sum(revenue_micros)
   from demo_year
   cross join lateral (
       values ('placement', placement), ('device', device), ('country', country)
     ) as slice (dimension, value)
   group by 1, 2, 3, 4`,
  `insert into publisher_countries (publisher_id, country, requests, ads_served)
   select publisher_id, country, sum(requests), sum(wins)
   from demo_year
   group by 1, 2`,
  `insert into request_days (publisher_id, day, country, device, requests, wins)
   select publisher_id, ${day}, country, device, sum(requests), sum(wins)
   from demo_year
   group by 1, 2, 3, 4`,
  // What an account has spent in all, which its credit is set against.
  spendCreditOf('demo_year'),
  `insert into conversion_totals (advertiser_id, bucket, event_type, conversions)
   select advertiser_id, date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00'),
     event_name, count(*)
   from conversions
   group by 1, 2, 3`,
  `insert into conversion_counts (advertiser_id, campaign_id, event_type, conversions)
   select advertiser_id, campaign_id, event_name, count(*)
   from conversions
   group by 1, 2, 3`,
];

/** Why the rest got no ad, in parts that add up to all requests. */
const outcomes = `
  insert into reading_days (publisher_id, day, outcome, requests)
  select publisher_id, day, outcome, requests
  from (
      select publisher_id, ${day} as day, sum(requests) as asked, sum(wins) as served
      from demo_year
      group by 1, 2
    ) d
  cross join lateral (
      values ('served', served), ('no_need', (asked - served) * 55 / 100),
        ('no_fit', (asked - served) * 30 / 100), ('sensitive', (asked - served) * 6 / 100),
        ('capped', (asked - served) * 5 / 100),
        ('excluded', asked - served - (asked - served) * 55 / 100 - (asked - served) * 30 / 100
          - (asked - served) * 6 / 100 - (asked - served) * 5 / 100)
    ) as part (outcome, requests)
  where requests > 0`;

const usersOfAPublisher = 400;

/**
 * The people of each publisher, the busiest first. What the shares leave over by rounding down is
 * the first one's, so that together they did all of it.
 */
const users = `
  with people as (
      select n, (1.0 / (n + 6)) / sum(1.0 / (n + 6)) over () as share
      from generate_series(1, ${usersOfAPublisher}) n
    ),
    named as (
      select *
      from json_to_recordset($1::json) as r (publisher_id uuid, n int, user_id text,
        name_sealed text)
    ),
    all_of_it as (
      select publisher_id, sum(requests) as requests, sum(wins) as wins,
        sum(impressions) as impressions, sum(clicks) as clicks, sum(revenue_micros) as revenue,
        min(bucket) as first_seen, max(bucket) as last_seen
      from demo_year
      group by 1
    ),
    shared as (
      select publisher_id, n, first_seen, last_seen, floor(requests * share) as requests,
        floor(wins * share) as wins, floor(impressions * share) as impressions,
        floor(clicks * share) as clicks, floor(revenue * share) as revenue
      from all_of_it
      cross join people
    ),
    left_over as (
      select a.publisher_id, a.requests - sum(s.requests) as requests, a.wins - sum(s.wins) as wins,
        a.impressions - sum(s.impressions) as impressions, a.clicks - sum(s.clicks) as clicks,
        a.revenue - sum(s.revenue) as revenue
      from all_of_it a
      join shared s on s.publisher_id = a.publisher_id
      group by a.publisher_id, a.requests, a.wins, a.impressions, a.clicks, a.revenue
    )
  insert into publisher_users (publisher_id, user_id, requests, ads_served, impressions, clicks,
    revenue_micros, first_seen, last_seen, countries, name_sealed)
  select s.publisher_id, named.user_id, s.requests + coalesce(l.requests, 0),
    s.wins + coalesce(l.wins, 0), s.impressions + coalesce(l.impressions, 0),
    s.clicks + coalesce(l.clicks, 0), s.revenue + coalesce(l.revenue, 0),
    first_seen + (s.n % 300) * interval '1 day', last_seen,
    (array['US', 'GB', 'DE', 'FR'])[1 + s.n % 4], named.name_sealed
  from shared s
  join named on named.publisher_id = s.publisher_id and named.n = s.n
  left join left_over l on l.publisher_id = s.publisher_id and s.n = 1`;

/** The embedded engine never gives back what it needed for one statement. */
const rowsAStatement = 500;

function* piecesOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += rowsAStatement)
    yield rows.slice(at, at + rowsAStatement);
}

export async function storeYear(
  tx: Db,
  { rows, conversions }: { rows: readonly YearRow[]; conversions: readonly YearConversion[] },
  pseudonyms: Pick<Pseudonyms, 'user' | 'seal'>,
): Promise<void> {
  await tx.script(
    `create temporary table demo_year (advertiser_id uuid, campaign_id uuid, ad_group_id uuid,
       ad_id uuid, publisher_id uuid, bucket timestamptz, placement text, device text, country text,
       requests bigint, wins bigint, impressions bigint, viewable bigint, disclosed bigint,
       clicks bigint, conversions bigint, invalid_impressions bigint, spend_micros bigint,
       revenue_micros bigint, value_micros bigint) on commit drop`,
  );
  for (const piece of piecesOf(rows))
    await tx.query(
      `insert into demo_year
       select *
       from json_populate_recordset(null::demo_year, $1::json)`,
      [JSON.stringify(piece)],
    );
  for (const piece of piecesOf(conversions))
    await tx.query(
      `insert into conversions (advertiser_id, id, at, event_name, event_id, source, attribution,
         evidence, campaign_id, ad_group_id, amount_micros, value_micros)
       select advertiser_id, id, at, name, 'demo-' || id, 'capi', 'click', 'click_id', campaign_id,
         ad_group_id, value_micros, value_micros
       from json_to_recordset($1::json) as c (id uuid, at timestamptz, name text,
         advertiser_id uuid, campaign_id uuid, ad_group_id uuid, value_micros bigint)`,
      [JSON.stringify(piece)],
    );
  for (const statement of derived) await tx.query(statement);
  await tx.query(outcomes);
  await tx.query(users, [JSON.stringify(namedUsers(rows, pseudonyms))]);
}

function namedUsers(
  rows: readonly YearRow[],
  pseudonyms: Pick<Pseudonyms, 'user' | 'seal'>,
): object[] {
  return [...new Set(rows.map((row) => row.publisher_id))].flatMap((publisherId) =>
    Array.from({ length: usersOfAPublisher }, (_, index) => {
      const name = `demo-user-${index + 1}`;
      return {
        publisher_id: publisherId,
        n: index + 1,
        user_id: pseudonyms.user(publisherId, name),
        name_sealed: pseudonyms.seal(publisherId, name),
      };
    }),
  );
}
