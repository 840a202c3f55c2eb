import { uuidDay } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';

export interface ServedRow {
  advertiserId: string;
  adId: string;
  /** What the conversation was about, where that was read. */
  topic: string;
  /** The pseudonym of the session, where it is kept. */
  session: string | null;
  brand: string | null;
}

/** The ad a link came with; null once it is no longer kept. */
export async function findServed(
  db: Db,
  serveId: string,
  publisherId: string,
): Promise<ServedRow | null> {
  const [row] = await db.query<ServedRow>(
    `select w.advertiser_id as "advertiserId", w.ad_id as "adId",
       coalesce(w.data ->> 'topic', '') as topic, w.data ->> 'session' as session,
       coalesce(nullif(g.brand_name, ''), nullif(u.brand_name, ''), a.name) as brand
     from events w
     left join advertisers a on a.id = w.advertiser_id
     left join ad_groups g on g.id = w.ad_group_id
     left join ad_units u on u.id = w.ad_id
     where w.day = $1 and w.id = $2 and w.kind = 'win' and w.publisher_id = $3`,
    [uuidDay(serveId), serveId, publisherId],
  );
  return row ?? null;
}

export interface KeptRow {
  ads: number;
  firstSeen: Date;
  lastSeen: Date;
}

/** What is counted of one user of a publisher. */
export async function findKept(
  db: Db,
  publisherId: string,
  userId: string,
): Promise<KeptRow | null> {
  const [row] = await db.query<KeptRow>(
    `select ads_served as ads, first_seen as "firstSeen", last_seen as "lastSeen"
     from publisher_users
     where publisher_id = $1 and user_id = $2`,
    [publisherId, userId],
  );
  return row ?? null;
}
