import type { Db } from '../../platform/db/db.js';

export interface Seller {
  id: string;
  name: string;
  url: string;
}

/** Publishers whose places can be bought, by name; or the one asked for. */
export function listSellers(db: Db, id: string | null): Promise<Seller[]> {
  return db.query<Seller>(
    `select id, name, url
     from publishers
     where status = 'approved' and ($1::uuid is null or id = $1)
     order by name, id`,
    [id],
  );
}
