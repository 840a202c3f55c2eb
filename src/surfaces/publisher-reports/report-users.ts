import { percent } from '../../domain/report-ratios.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import type { Db } from '../../platform/db/db.js';
import { countUsers, listUserCountries, listUsers } from './queries.js';
import type { CountriesQuery, Users, UsersQuery } from './schema.js';

/** Counts of large publishers, so that paging does not count a million users at every step. */
export type UserCounts = Map<string, { count: number; until: number }>;

const largeCount = 100_000;
const keepCountMs = 30_000;

async function userCount(db: Db, publisherId: string, search: string | null, now: number, counts: UserCounts): Promise<number> {
  const known = search === null ? counts.get(publisherId) : undefined;
  if (known !== undefined && known.until > now) return known.count;
  counts.delete(publisherId);
  const count = await countUsers(db, publisherId, search);
  if (search === null && count >= largeCount) counts.set(publisherId, { count, until: now + keepCountMs });
  return count;
}

/** One page of the publisher's users, by any of their columns. */
export async function reportUsers(db: Db, publisherId: string, query: UsersQuery, now: number, counts: UserCounts): Promise<Users> {
  const { page, per_page: perPage } = query;
  const search = query.search === undefined || query.search === '' ? null : query.search.replaceAll('\u0000', '');
  const total = await userCount(db, publisherId, search, now, counts);
  const offset = (page - 1) * perPage;
  const limit = Math.min(perPage, total - offset);
  const rows = limit <= 0 ? [] : await listUsers(db, publisherId, nearestEnd({ sort: query.sort, order: query.order, search, offset, limit }, total));
  if (offset > total - offset - limit && limit > 0) rows.reverse();
  return {
    users: rows.map((row) => ({ ...row, first_seen: formatTimestamp(row.first_seen.getTime()), last_seen: formatTimestamp(row.last_seen.getTime()) })),
    total,
    has_more: offset + rows.length < total,
    page,
    per_page: perPage,
  };
}

type Page = Parameters<typeof listUsers>[2];

/** The last pages are counted from the end: skipping costs what is skipped. */
function nearestEnd(page: Page, total: number): Page {
  const fromEnd = total - page.offset - page.limit;
  return page.offset > fromEnd ? { ...page, order: page.order === 'asc' ? 'desc' : 'asc', offset: fromEnd } : page;
}

export async function reportUserCountries(db: Db, publisherId: string, query: CountriesQuery, unknown: string) {
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
