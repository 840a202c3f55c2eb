import type { Db } from '../../platform/db/db.js';

/**
 * Takes a publisher's user out of everything that names them; what they did counts on as nobody's.
 * What they decided about their ads stays: it is what keeps ads from them.
 */
export async function forgetUser(db: Db, publisherId: string, userId: string): Promise<void> {
  const who = [publisherId, userId];
  await db.transaction(async (tx) => {
    await tx.query(
      `update events
       set user_id = null, data = data - 'session' - 'identity'
       where publisher_id = $1 and user_id = $2`,
      who,
    );
    await tx.query(
      `update ad_feedback
       set user_id = null, session_id = ''
       where publisher_id = $1 and user_id = $2`,
      who,
    );
    await tx.query(`delete from ad_dislikes where publisher_id = $1 and subject = $2`, who);
    await tx.query(
      `delete from publisher_user_names where publisher_id = $1 and user_id = $2`,
      who,
    );
    await tx.query(
      `with gone as (
           delete from publisher_users
           where publisher_id = $1 and user_id = $2
           returning *
         )
       insert into publisher_users as a (
           publisher_id, user_id, requests, ads_served, impressions, clicks, revenue_micros,
           first_seen, last_seen, countries
         )
       select publisher_id, 'anonymous', requests, ads_served, impressions, clicks, revenue_micros,
         first_seen, last_seen, countries
       from gone
       on conflict (publisher_id, user_id) do update set requests = a.requests + excluded.requests,
         ads_served = a.ads_served + excluded.ads_served,
         impressions = a.impressions + excluded.impressions, clicks = a.clicks + excluded.clicks,
         revenue_micros = a.revenue_micros + excluded.revenue_micros,
         first_seen = least(a.first_seen, excluded.first_seen),
         last_seen = greatest(a.last_seen, excluded.last_seen),
         countries = (
           select coalesce(string_agg(distinct v collate "C", ' ' order by v collate "C"), '')
           from unnest(
               string_to_array(
                 concat_ws(' ', nullif(a.countries, ''), nullif(excluded.countries, '')), ' '
               )
             ) v
         )`,
      who,
    );
  });
}
