import type { Db } from '../../platform/db/db.js';

/** Name of a step → whether it is done, in the order people do them. */
export type Steps = Record<string, boolean>;

export async function advertiserSteps(db: Db, advertiserId: string): Promise<Steps> {
  const [row] = await db.query<Steps>(
    `select exists (select 1 from campaigns where advertiser_id = $1) as campaign,
       exists (
         select 1
         from advertisers
         where id = $1 and (billing_enabled or credit_micros > 0)
       ) as billing,
       exists (
         select 1
         from campaigns
         where advertiser_id = $1 and (review_status = 'approved' or shows_approved)
       ) as approved,
       exists (select 1 from campaign_hours where advertiser_id = $1 and impressions > 0) as
         impression,
       exists (select 1 from campaign_hours where advertiser_id = $1 and clicks > 0) as click,
       exists (select 1 from pixels where advertiser_id = $1) as pixel,
       exists (select 1 from pixel_totals where advertiser_id = $1) as pixel_seen,
       exists (select 1 from conversions where advertiser_id = $1) as conversion`,
    [advertiserId],
  );
  return row ?? {};
}

/** Of the key an account was opened with its people may know nothing, until it is used. */
export async function publisherSteps(db: Db, publisherId: string): Promise<Steps> {
  const [row] = await db.query<Steps>(
    `select exists (
         select 1
         from api_keys
         where account_kind = 'publisher' and account_id = $1 and revoked_at is null
           and name <> 'default'
       )
       or asked.request as key,
       asked.request,
       (select status = 'approved' from publishers where id = $1) as approved,
       exists (select 1 from publisher_hours where publisher_id = $1 and wins > 0) as served,
       exists (select 1 from publisher_hours where publisher_id = $1 and impressions > 0) as
         impression
     from (
         select exists (
             select 1
             from api_keys k
             join key_requests r on r.key_id = k.id
             where k.account_kind = 'publisher' and k.account_id = $1 and r.route = '/api/v1/ad'
           )
           or exists (select 1 from publisher_hours where publisher_id = $1 and requests > 0) as
             request
       ) asked`,
    [publisherId],
  );
  return row ?? {};
}

/** Of the whole installation, and of the operator who looks. */
export async function operatorSteps(db: Db, personId: string): Promise<Steps> {
  const [row] = await db.query<Steps>(
    `select exists (select 1 from people where id = $1 and totp_confirmed_at is not null) as
         second_factor,
       exists (select 1 from publishers where status = 'approved') as publisher,
       exists (select 1 from advertisers where billing_enabled or credit_micros > 0) as advertiser,
       exists (select 1 from campaigns where review_status = 'approved') as campaign,
       exists (select 1 from publisher_hours where wins > 0) as served,
       exists (select 1 from publisher_hours where impressions > 0) as impression,
       exists (select 1 from invoices) as invoice,
       exists (select 1 from payouts) as payout`,
    [personId],
  );
  return row ?? {};
}
