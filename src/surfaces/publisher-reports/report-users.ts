import { percent } from '../../domain/report-ratios.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import type { Db } from '../../platform/db/db.js';
import type { Pseudonyms } from '../../platform/secrets/pseudonyms.js';
import {
  countUsers,
  listNames,
  listUserCountries,
  listUsers,
  sortUsers,
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

export interface UserReportDeps {
  db: Db;
  pseudonyms: Pick<Pseudonyms, 'open'>;
}

/** One page of the publisher's users, by any of their columns. */
export async function reportUsers(
  { db, pseudonyms }: UserReportDeps,
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
      : await searchUsers({ db, pseudonyms }, publisherId, search, asked);
  return {
    users: rows.map(({ userId, nameSealed, ...row }) => ({
      pub_user_id: nameOf(pseudonyms, publisherId, { userId, nameSealed }),
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

/** What the publisher calls its user; the pseudonym where nobody knows. */
function nameOf(
  pseudonyms: Pick<Pseudonyms, 'open'>,
  publisherId: string,
  { userId, nameSealed }: Pick<UserRow, 'userId' | 'nameSealed'>,
): string {
  return (nameSealed === null ? null : pseudonyms.open(publisherId, userId, nameSealed)) ?? userId;
}

/** So many names are opened before others have their turn. */
const namesAtOnce = 2000;

/** The users whose name holds the text. Names are sealed, so each is opened and looked at. */
async function searchUsers(
  { db, pseudonyms }: UserReportDeps,
  publisherId: string,
  text: string,
  page: UserPage,
): Promise<{ rows: UserRow[]; total: number }> {
  const wanted = text.toLowerCase();
  const found: string[] = [];
  let after = '';
  for (;;) {
    const users = await listNames(db, publisherId, after, namesAtOnce);
    for (const user of users)
      if (nameOf(pseudonyms, publisherId, user).toLowerCase().includes(wanted))
        found.push(user.userId);
    after = users.at(-1)?.userId ?? '';
    if (users.length < namesAtOnce) break;
  }
  const rows = found.length === 0 ? [] : await sortUsers(db, publisherId, page, found);
  return { rows, total: found.length };
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
