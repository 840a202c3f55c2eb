import type { Db } from '../../platform/db/db.js';
import { deliveryKinds } from '../../platform/events/event.js';
import { beaconsOf, factsIn, filledFrom } from '../../platform/events/event-facts.js';

export interface ExportFilter {
  account: 'advertiser' | 'publisher';
  accountId: string;
  kind: string | null;
  from: Date;
  to: Date;
}

/**
 * Columns each side may see: an advertiser no publisher's users and earnings, a publisher no
 * prices.
 */
export const exportColumns = {
  advertiser: {
    event_id: 'id',
    kind: 'kind',
    at: 'at',
    campaign_id: 'campaign_id',
    ad_group_id: 'ad_group_id',
    ad_id: 'ad_id',
    placement: 'placement',
    device: 'device',
    country: 'country',
    attribution: 'attribution',
    filtered_reason: 'invalid',
    unbilled_reason: 'unbilled',
    spend: 'spend_micros',
    conversion_value: 'value_micros',
  },
  publisher: {
    event_id: 'id',
    kind: 'kind',
    at: 'at',
    campaign_id: 'campaign_id',
    placement: 'placement',
    device: 'device',
    country: 'country',
    pub_user_id: 'user_id',
    filtered_reason: 'invalid',
    revenue: 'revenue_micros',
  },
} as const;

const exportedKinds = {
  advertiser: deliveryKinds,
  publisher: [
    'request',
    'win',
    'impression',
    'viewable',
    'disclosed',
    'click',
    'conversion',
    'impression_reversal',
    'viewable_reversal',
    'click_reversal',
    'conversion_reversal',
  ],
} as const;

/** Days that have stored events, oldest first, within the given ones. */
export async function listEventDays(db: Db, firstDay: string, lastDay: string): Promise<string[]> {
  const rows = await db.query<{ day: string }>(
    `select to_char(to_date(substr(c.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day
     from pg_inherits i
     join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'events'::regclass and c.relname ~ '^events_[0-9]{8}$'
       and substr(c.relname, 8) >= $1 and substr(c.relname, 8) <= $2
     order by 1`,
    [firstDay.replaceAll('-', ''), lastDay.replaceAll('-', '')],
  );
  return rows.map((row) => row.day);
}

export interface EventPage {
  /** Lines of CSV, each with its end; null without events. */
  lines: string | null;
  /** Rows the page was made of. */
  count: number;
  last: { id: string; kind: string } | null;
}

/** Around the pseudonym of a user in a line; nothing else in it can be this character. */
export const nameMark = '\u0001';

export function loadNames(
  db: Db,
  publisherId: string,
  users: readonly string[],
): Promise<{ userId: string; nameSealed: string }[]> {
  return db.query(
    `select user_id as "userId", name_sealed as "nameSealed"
     from publisher_user_names
     where publisher_id = $1 and user_id = any($2::text[])
     union all
     select user_id, name_sealed
     from publisher_users
     where publisher_id = $1 and user_id = any($2::text[]) and name_sealed is not null`,
    [publisherId, users],
  );
}

/**
 * A cell as `csvLine` would write it: made here, because a million rows of fourteen values cost the
 * driver far more than the query.
 */
function cellOf(column: string): string {
  if (column === 'id' || column === 'kind') return column;
  // A name takes its place, once it is opened: `nameMark` tells where.
  if (column === 'user_id') return `E'\\x01' || coalesce(user_id, '') || E'\\x01'`;
  if (column === 'at') return `to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS')`;
  if (column.endsWith('_id')) return `coalesce(${column}::text, '')`;
  if (column.endsWith('_micros'))
    return `case when ${column} = 0 then '0'
      else trim_scale(${column}::numeric / 1000000)::text end`;
  // Text that a spreadsheet would take for a formula gets an apostrophe; what would end its cell is
  // quoted.
  return `case when ${column} is null then '' when translate(${column}, E'",=+@-\\t\\r\\n',
    '') = ${column} then ${column}
    else '"' || replace(case when ${column} ~ E'^[=+@\\t\\r\\n-]' then '''' || ${column}
      else ${column} end, '"', '""') || '"' end`;
}

/**
 * The next events of one day after the given key, in the order they are stored, each ad with its
 * beacons. Those that are not asked for count too: a page is a bounded piece of work.
 */
export async function readEvents(
  db: Db,
  day: string,
  after: { id: string; kind: string },
  filter: ExportFilter,
  limit: number,
): Promise<EventPage> {
  const line = Object.values(exportColumns[filter.account]).map(cellOf).join(` || ',' || `);
  const [page] = await db.query<{ lines: string | null; count: number; last: string | null }>(
    `with page as materialized (
         select *
         from events
         where day = $1 and (id, kind) > ($2::uuid, $3) and ${filter.account}_id = $4
         order by id, kind
         limit $8
       ),
       found as (
         select ${factsIn('page')}
         from page
         union all
         select ${filledFrom('e', 'w')}
         from page w
         cross join lateral (${beaconsOf('w', (row) => `${row}.day = $1`)}) e
         where w.kind = 'win'
       )
     select (
         select string_agg(${line} || E'\\r\\n', '' order by id, kind)
         from found
         where not test and kind = any($5::text[]) and at >= $6 and at < $7
       ) as lines, count(*) as count, (array_agg(id || ' ' || kind order by id, kind))[count(*)] as last
     from page`,
    [
      day,
      after.id,
      after.kind,
      filter.accountId,
      filter.kind === null
        ? exportedKinds[filter.account]
        : exportedKinds[filter.account].filter((kind) => kind === filter.kind),
      filter.from,
      filter.to,
      limit,
    ],
  );
  const [id, kind] = page?.last?.split(' ') ?? [];
  return {
    lines: page?.lines ?? null,
    count: page?.count ?? 0,
    last: id === undefined || kind === undefined ? null : { id, kind },
  };
}
