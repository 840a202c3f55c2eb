import { createHash } from 'node:crypto';
import { grclidOf } from '../../src/domain/grclid.js';
import { createPartitions } from '../../src/platform/events/partitions.js';
import type { Db } from '../../src/platform/db/db.js';

const dayMs = 86_400_000;
const spanMs = 25 * dayMs;

/**
 * Counted clicks over the last 25 days and a visitor seen with each, straight into the tables.
 * Returns the time they count back from.
 */
export async function insertClicks(
  db: Db,
  advertiserId: string,
  publisherId: string,
  count: number,
  now: number,
): Promise<number> {
  if (count === 0) return now;
  const days = Array.from({ length: 27 }, (_, n) =>
    new Date(now - n * dayMs).toISOString().slice(0, 10),
  );
  await createPartitions(db).ensure(days);
  const [campaign] = await db.query<{ id: string }>(
    `select id from campaigns where advertiser_id = $1 limit 1`,
    [advertiserId],
  );
  const [group] = await db.query<{ id: string }>(
    `select id from ad_groups where campaign_id = $1 limit 1`,
    [campaign?.id],
  );
  for (let from = 0; from < count; from += 50_000) {
    const made = `
      with n as (
          select n, ($1::bigint - (n::numeric * ${spanMs} / $2::numeric)::bigint) as ms,
            md5(n::text) as h
          from generate_series($3::bigint, $4::bigint) as n
        ),
        ids as (
          select to_timestamp(ms / 1000.0) as at,
            (lpad(to_hex(ms), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid
              as id, h
          from n
        )`;
    const range = [now, count, from, Math.min(count, from + 50_000) - 1];
    await db.query(
      `${made}
       insert into events (
           day, id, kind, at, publisher_id, advertiser_id, campaign_id, ad_group_id, ad_id,
           placement, device, country, data
         )
       select (at at time zone 'UTC')::date, id, kind, at, $5, $6, $7, $8, $8,
         'below_response', 'desktop', 'DE',
         case when kind = 'win' then '{"charge":"cpm","price_micros":1000}'::jsonb end
       from ids cross join (values ('win'), ('click')) as k (kind)`,
      [...range, publisherId, advertiserId, campaign?.id, group?.id],
    );
    await db.query(
      `${made}
       insert into click_links (advertiser_id, identity, clicked_at, serve_id)
       select $5,
         ('01' || substr(encode(sha256(convert_to('gr_vis_' || h, 'UTF8')), 'hex'), 1, 30))::uuid,
         at, id
       from ids`,
      [...range, advertiserId],
    );
  }
  await db.query('vacuum analyze');
  return now;
}

/** The n-th click as `insertClicks` made it, and the visitor who came with it. */
export function clickAt(
  n: number,
  count: number,
  now: number,
): { grclid: string; visitorId: string } {
  // numeric::bigint rounds half away from zero.
  const ms = now - Math.round((n * spanMs) / count);
  const h = createHash('md5').update(String(n)).digest('hex');
  const hex = ms.toString(16).padStart(12, '0') + '7' + h.slice(0, 3) + '8' + h.slice(3, 18);
  const id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  return { grclid: grclidOf(id), visitorId: `gr_vis_${h}` };
}
