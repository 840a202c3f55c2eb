import { binaryList, type ListType } from '../db/binary-list.js';
import type { UserRow } from './count-events.js';
import type { Slices } from './slices.js';

interface Column {
  readonly name: string;
  readonly type: ListType;
  readonly of: (row: UserRow) => string | number | null;
}

/** In the order of the parameters. */
const columns: readonly Column[] = [
  { name: 'publisher_id', type: 'uuid', of: ({ publisherId }) => publisherId },
  { name: 'user_id', type: 'text', of: ({ userId }) => userId },
  { name: 'impressions', type: 'bigint', of: ({ impressions }) => impressions },
  { name: 'clicks', type: 'bigint', of: ({ clicks }) => clicks },
  { name: 'revenue_micros', type: 'bigint', of: ({ revenueMicros }) => revenueMicros },
  { name: 'first_seen', type: 'timestamptz', of: ({ firstSeen }) => firstSeen },
  { name: 'last_seen', type: 'timestamptz', of: ({ lastSeen }) => lastSeen },
  { name: 'requests', type: 'bigint', of: ({ requests }) => requests },
  { name: 'ads_served', type: 'bigint', of: ({ adsServed }) => adsServed },
  { name: 'countries', type: 'text', of: ({ countries }) => countries },
  { name: 'name_sealed', type: 'text', of: ({ nameSealed }) => nameSealed },
];

/** Stored with the figures, but no figure: the first name that is told stays. */
export const userName = {
  column: 'name_sealed',
  update: 'name_sealed = coalesce(publisher_users.name_sealed, excluded.name_sealed)',
};

/** What a batch adds to `publisher_users`, as one list a column, in the order of the key. */
export async function userLists(rows: readonly UserRow[], slices: Slices): Promise<Buffer[]> {
  const sorted = [...rows].sort(byKey);
  const lists: Buffer[] = [];
  for (const { type, of } of columns) {
    if (slices.isLong()) await slices.next();
    lists.push(binaryList(type, sorted.map(of)));
  }
  return lists;
}

/** Where those lists are read from, and how many parameters they are. */
export function fromUserLists(first: number): { text: string; parameters: number } {
  const lists = columns.map(({ name, type }, at) => `unnest($${first + at}::${type}[]) as ${name}`);
  return {
    text: `(select ${lists.join(', ')}) r`,
    parameters: columns.length,
  };
}

/** In one order everywhere, or batches that meet would lock each other out. */
function byKey(one: UserRow, other: UserRow): number {
  if (one.publisherId !== other.publisherId) return one.publisherId < other.publisherId ? -1 : 1;
  return one.userId < other.userId ? -1 : 1;
}
