import { percent } from '../../domain/report-ratios.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import type { Db } from '../../platform/db/db.js';
import {
  countUsers,
  listUserCountries,
  listUsers,
  searchUsers,
  type UserPage,
  type UserRow,
} from './user-queries.js';
import type { CountriesQuery, Users, UsersQuery } from './schema.js';

/** Counts of large publishers, so that paging does not count a million users at every step. */
export type UserCounts = Map<string, { count: number; until: number }>;

const largeCount = 100_000;
const keepCountMs = 30_000;

async function userCount(
  db: Db,
  publisherId: string,
  now: number,
  counts: UserCounts,
): Promise<number> {
  const known = counts.get(publisherId);
  if (known !== undefined && known.until > now) return known.count;
  counts.delete(publisherId);
  const count = await countUsers(db, publisherId);
  if (count >= largeCount) counts.set(publisherId, { count, until: now + keepCountMs });
  return count;
}

/** One page of the publisher's users, by any of their columns. */
export async function reportUsers(
  db: Db,
  publisherId: string,
  query: UsersQuery,
  now: number,
  counts: UserCounts,
): Promise<Users> {
  const { page, per_page: perPage, sort, order } = query;
  const search = query.search?.replaceAll('\u0000', '') ?? '';
  const asked = { sort, order, offset: (page - 1) * perPage, limit: perPage };
  const { rows, total } =
    search === ''
      ? await pageOfAll(db, publisherId, asked, await userCount(db, publisherId, now, counts))
      : await searchUsers(db, publisherId, search, asked);
  return {
    users: rows.map((row) => ({
      ...row,
      first_seen: formatTimestamp(row.first_seen.getTime()),
      last_seen: formatTimestamp(row.last_seen.getTime()),
    })),
    total,
    has_more: asked.offset + rows.length < total,
    page,
    per_page: perPage,
  };
}

/** The last pages are counted from the end: skipping costs what is skipped. */
async function pageOfAll(
  db: Db,
  publisherId: string,
  page: UserPage,
  total: number,
): Promise<{ rows: UserRow[]; total: number }> {
  const limit = Math.min(page.limit, total - page.offset);
  if (limit <= 0) return { rows: [], total };
  const fromEnd = total - page.offset - limit;
  if (page.offset <= fromEnd)
    return { rows: await listUsers(db, publisherId, { ...page, limit }), total };
  const rows = await listUsers(db, publisherId, {
    ...page,
    order: page.order === 'asc' ? 'desc' : 'asc',
    offset: fromEnd,
    limit,
  });
  return { rows: rows.reverse(), total };
}

export async function reportUserCountries(
  db: Db,
  publisherId: string,
  query: CountriesQuery,
  unknown: string,
) {
  const rows = await listUserCountries(db, publisherId, query.limit);
  return {
    countries: rows.map((row) => ({
      country_code: row.country === '' ? unknown : row.country,
      requests: row.requests,
      ads_served: row.adsServed,
      unique_users: row.uniqueUsers,
      pct_requests: percent(row.requests, row.allRequests),
    })),
  };
}
