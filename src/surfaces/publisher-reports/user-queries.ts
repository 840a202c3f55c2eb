import type { Db } from '../../platform/db/db.js';
import type { UserSort } from './schema.js';

export interface UserRow {
  pub_user_id: string;
  requests: number;
  ads_served: number;
  impressions: number;
  clicks: number;
  revenue_microdollars: number;
  first_seen: Date;
  last_seen: Date;
}

const sortColumns: Record<UserSort, string> = {
  requests: 'requests',
  ads_served: 'ads_served',
  impressions: 'impressions',
  clicks: 'clicks',
  revenue_microdollars: 'revenue_micros',
  first_seen: 'first_seen',
  last_seen: 'last_seen',
};

export async function countUsers(db: Db, publisherId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from publisher_users where publisher_id = $1`,
    [publisherId],
  );
  return row?.count ?? 0;
}

export interface UserPage {
  sort: UserSort;
  order: 'asc' | 'desc';
  offset: number;
  limit: number;
}

const userColumns = `u.user_id as pub_user_id, u.requests, u.ads_served, u.impressions, u.clicks, u.revenue_micros as revenue_microdollars, u.first_seen, u.last_seen`;

/** The page is found in the index of its column alone; only its rows are then fetched. */
export function listUsers(db: Db, publisherId: string, page: UserPage): Promise<UserRow[]> {
  const column = sortColumns[page.sort];
  const order = page.order === 'asc' ? 'asc' : 'desc';
  return db.query<UserRow>(
    `select ${userColumns}
     from (
         select user_id, ${column}
         from publisher_users
         where publisher_id = $1
         order by ${column} ${order}, user_id ${order}
         offset $2 limit $3
       ) found
     join publisher_users u on u.publisher_id = $1 and u.user_id = found.user_id
     order by found.${column} ${order}, found.user_id ${order}`,
    [publisherId, page.offset, page.limit],
  );
}

/**
 * The same among the users whose id holds the text, with how many there are: every id is looked at,
 * so it is done once.
 */
export async function searchUsers(
  db: Db,
  publisherId: string,
  text: string,
  page: UserPage,
): Promise<{ rows: UserRow[]; total: number }> {
  const column = sortColumns[page.sort];
  const order = page.order === 'asc' ? 'asc' : 'desc';
  const rows = await db.query<UserRow & { total: number }>(
    `with found as materialized (
         select user_id, ${column}
         from publisher_users
         where publisher_id = $1 and user_id ilike $4
       )
     select n.total, ${userColumns}
     from (select count(*) as total from found) n
     left join (select * from found order by ${column} ${order}, user_id ${order} offset $2 limit $3) f
       on true
     left join publisher_users u on u.publisher_id = $1 and u.user_id = f.user_id
     order by f.${column} ${order}, f.user_id ${order}`,
    [publisherId, page.offset, page.limit, `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`],
  );
  // Without users on the page there is one row, with the total alone.
  return {
    rows: rows.filter((row) => row.pub_user_id !== null).map(({ total: _total, ...row }) => row),
    total: rows[0]?.total ?? 0,
  };
}

export interface UserCountry {
  country: string;
  requests: number;
  adsServed: number;
  uniqueUsers: number;
  allRequests: number;
}

export function listUserCountries(
  db: Db,
  publisherId: string,
  limit: number,
): Promise<UserCountry[]> {
  return db.query<UserCountry>(
    `select country, sum(requests)::bigint as requests, sum(ads_served)::bigint as "adsServed",
       count(*) as "uniqueUsers", (sum(sum(requests)) over ())::bigint as "allRequests"
     from publisher_user_countries
     where publisher_id = $1
     group by 1
     order by 4 desc, 2 desc, 1 limit $2`,
    [publisherId, limit],
  );
}
