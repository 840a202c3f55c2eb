import { createMintId } from '../../src/platform/ids.js';
import type { Db } from '../../src/platform/db/db.js';

const things =
  'insurance,hotel,flight,loan,mortgage,laptop,headphones,mattress,sofa,bicycle,running shoes,coffee,meal kit,dog food,yoga,guitar lessons,language course,web hosting,database,email marketing,accounting software,tax filing,solar panels,car rental,moving company,plumber,dentist,skin care,vitamins,camping tent'.split(
    ',',
  );
const qualities =
  'affordable,premium,eco friendly,fast,family,student,business,local,online,luxury,organic,compact,beginner,professional,weekend,monthly,quiet,durable,lightweight,award winning'.split(
    ',',
  );
const places =
  'Berlin,London,Austin,Toronto,Madrid,Oslo,Lisbon,Chicago,Dublin,Sydney,Rome,Vienna,Prague,Tokyo,Denver,Paris'.split(
    ',',
  );

/** So many texts are different: each takes the model some milliseconds. */
const distinct = 9600;

/** `count` ad groups, ten to a campaign, each about something a little different. Deterministic. */
export async function insertInventory(db: Db, advertiserId: string, count: number): Promise<void> {
  const mintId = createMintId();
  const now = Date.now();
  for (let from = 0; from < count; from += 1000) {
    const groups = Array.from({ length: Math.min(1000, count - from) }, (_, at) => from + at);
    const campaigns = [...new Set(groups.map((n) => Math.floor(n / 10)))].map((n) => ({
      n,
      id: mintId(now),
    }));
    const rows = groups.map((n) => {
      const thing = things[n % things.length] ?? '';
      const quality = qualities[Math.floor(n / things.length) % qualities.length] ?? '';
      const place = places[Math.floor(n / 600) % places.length] ?? '';
      return {
        id: mintId(now),
        ad: mintId(now),
        campaign: campaigns[Math.floor((n - from) / 10)]?.id ?? '',
        context: `${quality} ${thing} in ${place}, offer ${n % distinct}`,
      };
    });
    await db.query(
      `insert into campaigns (
           id, advertiser_id, name, status, is_active, landing_page, daily_budget_micros,
           max_cpm_micros, review_status, deployment_status
         )
       select id, $2, 'Bench', 'active', true, 'https://bench.example/', 1000000000000, 5000000,
         'approved', 'deployed'
       from unnest($1::uuid[]) as id`,
      [campaigns.map((campaign) => campaign.id), advertiserId],
    );
    await db.query(
      `insert into ad_groups (id, campaign_id, advertiser_id, name, group_type, context)
       select id, campaign, $4, 'Group', 'manual', context
       from unnest($1::uuid[], $2::uuid[], $3::text[]) as g (id, campaign, context)`,
      [
        rows.map((row) => row.id),
        rows.map((row) => row.campaign),
        rows.map((row) => row.context),
        advertiserId,
      ],
    );
    await db.query(
      `insert into ads (
           id, ad_group_id, campaign_id, advertiser_id, name, headline, copy, review_status
         )
       select ad, g, campaign, $5, 'Ad', 'Headline', context, 'approved'
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) as a (ad, g, campaign, context)`,
      [
        rows.map((row) => row.ad),
        rows.map((row) => row.id),
        rows.map((row) => row.campaign),
        rows.map((row) => row.context),
        advertiserId,
      ],
    );
  }
}
