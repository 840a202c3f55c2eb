import type { DashboardSite } from '../../test/support/dashboard-site.js';

/**
 * 1,000 campaigns with 10,000 ad groups and two weeks of numbers, as copies of one campaign, its
 * group and its ad. Nobody is told: only pages are measured.
 */
export async function growAccount({ app, advertiser, publisher }: DashboardSite): Promise<void> {
  const copy = (table: string, count: number, changes: string): Promise<unknown> =>
    app.db.query(
      `insert into ${table}
       select (jsonb_populate_record(null::${table}, to_jsonb(first) || jsonb_build_object(${changes}))).*
       from (select * from ${table} where advertiser_id = $1 order by id limit 1) first
       cross join generate_series(1, ${count}) n`,
      [advertiser.id],
    );
  const some = (table: string): string =>
    `(array(select id from ${table} where advertiser_id = $1 order by id))[1 + n % 1000]`;
  await copy('campaigns', 950, `'id', gen_random_uuid(), 'name', 'Campaign ' || n`);
  await copy(
    'ad_groups',
    9950,
    `'id', gen_random_uuid(), 'name', 'Group ' || n, 'campaign_id', ${some('campaigns')}`,
  );
  const group = (column: string): string =>
    `(array(select ${column} from ad_groups where advertiser_id = $1 order by id))[1 + n]`;
  await copy(
    'ads',
    9950,
    `'id', gen_random_uuid(), 'headline', 'Headline ' || n, 'ad_group_id', ${group('id')}, 'campaign_id', ${group('campaign_id')}`,
  );
  // Two weeks of every ad group, an hour a day.
  const days = `generate_series(date_trunc('day', now()) - interval '14 days', now(), interval '1 day') bucket`;
  const numbers = `100 as impressions, 3 as clicks, 900000 as spend_micros`;
  // Of the days of a group one in ten sells something.
  const sold = `(abs(hashtext(g.id::text || bucket::text)) % 10 = 0)::int`;
  await app.db.query(
    `insert into totals (bucket, advertiser_id, campaign_id, ad_group_id, ad_id, publisher_id,
       placement, device, country, impressions, clicks, spend_micros, conversions, value_micros)
     select bucket, g.advertiser_id, g.campaign_id, g.id, g.id, $2, 'below_response', 'mobile', 'US',
       ${numbers}, ${sold}, ${sold} * 40000000
     from ad_groups g cross join ${days}
     where g.advertiser_id = $1
     order by bucket`,
    [advertiser.id, publisher.id],
  );
  for (const table of ['campaign_hours', 'campaign_totals'])
    await app.db.query(
      `insert into ${table} (bucket, advertiser_id, campaign_id, impressions, clicks, spend_micros)
       select bucket, c.advertiser_id, c.id, ${numbers}
       from campaigns c cross join ${days}
       where c.advertiser_id = $1`,
      [advertiser.id],
    );
  await app.db.query(
    `insert into ad_group_days (advertiser_id, campaign_id, ad_group_id, day, impressions, clicks,
       spend_micros, conversions)
     select g.advertiser_id, g.campaign_id, g.id, bucket::date, ${numbers}, ${sold}
     from ad_groups g cross join ${days}
     where g.advertiser_id = $1
     order by bucket`,
    [advertiser.id],
  );
  // As the upkeep of a running server leaves them.
  await app.db.script('vacuum analyze');
}
