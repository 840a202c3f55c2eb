import type { Db } from '../../platform/db/db.js';
import type { UserSort } from './schema.js';

export interface UserRow {
  /** The pseudonym; of nobody in particular `anonymous`. */
  userId: string;
  /** What the publisher calls them; null where that is not known. */
  nameSealed: string | null;
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

const userColumns = `u.user_id as "userId", coalesce(u.name_sealed, n.name_sealed) as "nameSealed",
  u.requests, u.ads_served, u.impressions, u.clicks, u.revenue_micros as revenue_microdollars,
  u.first_seen, u.last_seen`;

/** Names of users last seen by earlier versions stand in a table of their own. */
const named = `left join publisher_user_names n on n.publisher_id = u.publisher_id
  and n.user_id = u.user_id`;

const reading = {
  /** One statement reads so many users at the most, or everybody else waits behind it. */
  usersAtOnce: 10_000,
  /** A page further down sorts all users at once: in pieces nearly all of them would be moved. */
  deepest: 2_000,
};

/**
 * A page of users by any figure. Nothing but the id is indexed, because figures change with every
 * ad: users are read in pieces, of each the best, and the page is chosen among those.
 */
export async function listUsers(
  db: Db,
  publisherId: string,
  page: UserPage,
  { usersAtOnce, deepest } = reading,
): Promise<UserRow[]> {
  const needed = page.offset + page.limit;
  if (needed > deepest) return sortUsers(db, publisherId, page, null);
  let best: ListedUser[] = [];
  let after: string | null = null;
  do {
    const piece: Piece = await readPiece(db, publisherId, page, { after, usersAtOnce, needed });
    best = bestOf([...best, ...piece.users], needed, page.order);
    after = piece.last;
  } while (after !== null);
  const ids = best.map(({ id }) => id);
  return sortUsers(db, publisherId, page, ids);
}

interface ListedUser {
  id: string;
  value: number;
}

interface Piece {
  users: ListedUser[];
  /** Null when no users come after it. */
  last: string | null;
}

async function readPiece(
  db: Db,
  publisherId: string,
  { sort, order }: UserPage,
  { after, usersAtOnce, needed }: { after: string | null; usersAtOnce: number; needed: number },
): Promise<Piece> {
  const column = sortColumns[sort];
  const value = sort.endsWith('_seen') ? `extract(epoch from ${column})` : column;
  const [piece] = await db.query<{
    users: ListedUser[] | null;
    last: string | null;
    count: number;
  }>(
    `with piece as materialized (
         select user_id, ${column}
         from publisher_users
         where publisher_id = $1${after === null ? '' : ' and user_id > $4'}
         order by user_id
         limit $2
       )
     select (
         select json_agg(json_build_object('id', b.user_id, 'value', ${value}))
         from (
             select *
             from piece
             order by ${column} ${order}, user_id ${order}
             limit $3
           ) b
       ) as users, count(*) as count, max(user_id) as last
     from piece`,
    [publisherId, usersAtOnce, needed, ...(after === null ? [] : [after])],
  );
  return {
    users: piece?.users ?? [],
    last: piece === undefined || piece.count < usersAtOnce ? null : piece.last,
  };
}

/**
 * Those that can be on the page. Who is equal to the last one stays: ids are put in order there.
 */
function bestOf(users: ListedUser[], needed: number, order: 'asc' | 'desc'): ListedUser[] {
  if (users.length <= needed) return users;
  const sign = order === 'asc' ? 1 : -1;
  users.sort((a, b) => sign * (a.value - b.value));
  const worst = users[needed - 1]?.value ?? 0;
  return users.filter(({ value }) => sign * (value - worst) <= 0);
}

/** A page of all users, or of these. */
export function sortUsers(
  db: Db,
  publisherId: string,
  { sort, order, offset, limit }: UserPage,
  ids: readonly string[] | null,
): Promise<UserRow[]> {
  const column = sortColumns[sort];
  return db.query<UserRow>(
    `select ${userColumns}
     from publisher_users u
     ${named}
     where u.publisher_id = $1${ids === null ? '' : ' and u.user_id = any($4::text[])'}
     order by u.${column} ${order}, u.user_id ${order}
     offset $2 limit $3`,
    [publisherId, offset, limit, ...(ids === null ? [] : [ids])],
  );
}

/** Users after one, in the order of their pseudonyms, with their names as they are kept. */
export function listNames(
  db: Db,
  publisherId: string,
  after: string,
  limit: number,
): Promise<Pick<UserRow, 'userId' | 'nameSealed'>[]> {
  return db.query(
    `select u.user_id as "userId", coalesce(u.name_sealed, n.name_sealed) as "nameSealed"
     from publisher_users u
     ${named}
     where u.publisher_id = $1 and u.user_id > $2
     order by u.user_id
     limit $3`,
    [publisherId, after, limit],
  );
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
    `with users as (
         select code, sum(users)::bigint as users
         from (
             select countries, count(*) as users
             from publisher_users
             where publisher_id = $1
             group by 1
           ) g, unnest(string_to_array(countries, ' ')) code
         group by 1
       )
     select c.country, c.requests, c.ads_served as "adsServed", u.users as "uniqueUsers",
       (sum(c.requests) over ())::bigint as "allRequests"
     from publisher_countries c
     join users u on u.code = coalesce(nullif(c.country, ''), '--')
     where c.publisher_id = $1
     order by 4 desc, 2 desc, 1
     limit $2`,
    [publisherId, limit],
  );
}
