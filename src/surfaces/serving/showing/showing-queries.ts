import { uuidDay } from '../../../domain/uuid.js';
import type { Db } from '../../../platform/db/db.js';

/** An ad that was served, as frequency caps count it. */
export interface Showing {
  id: string;
  at: Date;
  publisherId: string;
  userId: string;
  session: string | null;
  campaignId: string;
}

const showing = `id, at, publisher_id as "publisherId", coalesce(user_id, 'anonymous') as "userId",
  data ->> 'session' as session, campaign_id as "campaignId"`;

/** The newest that were served between two ids, newest first. */
export function loadShowings(
  db: Db,
  from: string,
  before: string,
  limit: number,
): Promise<Showing[]> {
  return db.query(
    `select ${showing}
     from events
     where day >= $3 and day <= $4 and id >= $1 and id < $2 and kind = 'win' and not test
     order by day desc, id desc limit $5`,
    [from, before, uuidDay(from), uuidDay(before), limit],
  );
}

/** What other nodes served since an id; nothing is read while there are none. */
export function loadShowingsElsewhere(
  db: Db,
  node: number,
  aliveSince: Date,
  from: string,
): Promise<Showing[]> {
  return db.query(
    `select ${showing}
     from events
     where exists (select 1 from nodes where seen_at >= $2 and number <> $1) and day >= $4
       and id >= $3 and kind = 'win' and not test and node is distinct from $1
     order by day, id limit 50000`,
    [node, aliveSince, from, uuidDay(from)],
  );
}
