import type { Db } from '../db/db.js';

/** Where the rewriting of events has come to; null before it began. */
export interface EventPlace {
  day: string;
  id: string;
  kind: string;
}

const placeName = 'pseudonymised_events';
const finished = 'finished';

export async function findPlace(db: Db): Promise<EventPlace | 'finished' | null> {
  const [row] = await db.query<{ value: string }>(
    `select value from installation where name = $1`,
    [placeName],
  );
  if (row === undefined) return null;
  const [day = '', id = '', kind = ''] = row.value.split(' ');
  return row.value === finished ? 'finished' : { day, id, kind };
}

export async function storePlace(tx: Db, place: EventPlace | 'finished'): Promise<void> {
  const value = place === 'finished' ? finished : `${place.day} ${place.id} ${place.kind}`;
  await tx.query(
    `insert into installation (name, value)
     values ($1, $2)
     on conflict (name) do update set value = excluded.value`,
    [placeName, value],
  );
}

export interface PlainEvent extends EventPlace {
  publisherId: string | null;
  advertiserId: string | null;
  userId: string | null;
  session: string | null;
  identity: string | null;
  isPlain: boolean;
}

/**
 * A page of events in the order of their key: those with a plain name, and the last whatever it is.
 */
export function readEventPage(
  tx: Db,
  after: EventPlace | null,
  limit: number,
): Promise<PlainEvent[]> {
  return tx.query<PlainEvent>(
    `with page as (
         select to_char(day, 'YYYY-MM-DD') as day, id, kind, publisher_id as "publisherId",
           advertiser_id as "advertiserId", user_id as "userId", data ->> 'session' as session,
           data ->> 'identity' as identity,
           coalesce(user_id <> 'anonymous' and not starts_with(user_id, '~'), false)
             or coalesce(not starts_with(data ->> 'session', '~'), false)
             or coalesce(not starts_with(data ->> 'identity', '~'), false) as "isPlain",
           row_number() over (order by day desc, id desc, kind desc) as n
         from (
             select *
             from events
             where $1::date is null or (day, id, kind) > ($1::date, $2::uuid, $3)
             order by day, id, kind
             limit $4
           ) e
       )
     select *
     from page
     where "isPlain" or n = 1
     order by n desc`,
    [after?.day ?? null, after?.id ?? null, after?.kind ?? null, limit],
  );
}

export interface RewrittenEvent extends EventPlace {
  userId: string | null;
  session: string | null;
  identity: string | null;
}

export async function rewriteEvents(tx: Db, rows: readonly RewrittenEvent[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `update events e
     set user_id = r."userId",
       data = case when e.data is null then null
         else e.data || jsonb_strip_nulls(jsonb_build_object('session', r.session, 'identity', r.identity))
         end
     from json_to_recordset($1::json) as r (
         day date, id uuid, kind text, "userId" text, session text, identity text
       )
     where e.day = r.day and e.id = r.id and e.kind = r.kind`,
    [JSON.stringify(rows)],
  );
}

/** A plain name, the account it belongs to, and what is stored in its place. */
export interface Renamed {
  owner: string;
  plain: string;
  name: string;
}

export function readPlainUsers(tx: Db, limit: number): Promise<Omit<Renamed, 'name'>[]> {
  return tx.query(
    `select publisher_id as owner, user_id as plain
     from publisher_users
     where user_id <> 'anonymous' and not starts_with(user_id, '~')
     limit $1`,
    [limit],
  );
}

/** Figures go to the new name, added to what that has already. */
export async function renameUsers(
  tx: Db,
  rows: readonly (Renamed & { sealed: string })[],
): Promise<void> {
  const json = JSON.stringify(rows);
  await tx.query(
    `insert into publisher_user_names (publisher_id, user_id, name_sealed)
     select owner, name, sealed
     from json_to_recordset($1::json) as r (owner uuid, name text, sealed text)
     on conflict do nothing`,
    [json],
  );
  await tx.query(
    `with gone as (
         delete from publisher_users u
         using json_to_recordset($1::json) as r (owner uuid, plain text, name text)
         where u.publisher_id = r.owner and u.user_id = r.plain
         returning u.*, r.name
       )
     insert into publisher_users as u (
         publisher_id, user_id, requests, ads_served, impressions, clicks, revenue_micros,
         first_seen, last_seen, countries
       )
     select publisher_id, name, requests, ads_served, impressions, clicks, revenue_micros,
       first_seen, last_seen, countries
     from gone
     on conflict (publisher_id, user_id) do update set requests = u.requests + excluded.requests,
       ads_served = u.ads_served + excluded.ads_served,
       impressions = u.impressions + excluded.impressions, clicks = u.clicks + excluded.clicks,
       revenue_micros = u.revenue_micros + excluded.revenue_micros,
       first_seen = least(u.first_seen, excluded.first_seen),
       last_seen = greatest(u.last_seen, excluded.last_seen),
       countries = (
         select coalesce(string_agg(distinct code collate "C", ' ' order by code collate "C"), '')
         from unnest(string_to_array(u.countries || ' ' || excluded.countries, ' ')) code
         where code <> ''
       )`,
    [json],
  );
}

/** A column that held plain names, and under which kind of pseudonym it holds them now. */
export interface NameColumn {
  table: 'ad_feedback' | 'shop_searches' | 'tool_searches';
  column: 'user_id' | 'session_id' | 'user_hash' | 'email_hash';
}

export function readPlainNames(
  tx: Db,
  { table, column }: NameColumn,
  limit: number,
): Promise<(Omit<Renamed, 'name'> & { id: string })[]> {
  return tx.query(
    `select id, publisher_id as owner, ${column} as plain
     from ${table}
     where ${column} is not null and ${column} not in ('', 'anonymous')
       and not starts_with(${column}, '~')
     limit $1`,
    [limit],
  );
}

export async function renameColumn(
  tx: Db,
  { table, column }: NameColumn,
  rows: readonly { id: string; name: string }[],
): Promise<void> {
  await tx.query(
    `update ${table} t
     set ${column} = r.name
     from json_to_recordset($1::json) as r (id uuid, name text)
     where t.id = r.id`,
    [JSON.stringify(rows)],
  );
}

export function readPlainViewers(tx: Db, limit: number): Promise<Omit<Renamed, 'name'>[]> {
  return tx.query(
    `select advertiser_id as owner, identity as plain
     from viewer_links
     where not starts_with(identity, '~')
     limit $1`,
    [limit],
  );
}

/** Who was seen again since under the new name keeps that row. */
export async function renameViewers(tx: Db, rows: readonly Renamed[]): Promise<void> {
  await tx.query(
    `with gone as (
         delete from viewer_links v
         using json_to_recordset($1::json) as r (owner uuid, plain text, name text)
         where v.advertiser_id = r.owner and v.identity = r.plain
         returning v.*, r.name
       )
     insert into viewer_links (advertiser_id, identity, click_id, clicked_at, view_id, viewed_at)
     select advertiser_id, name, click_id, clicked_at, view_id, viewed_at
     from gone
     on conflict do nothing`,
    [JSON.stringify(rows)],
  );
}

export function readPlainDislikers(tx: Db, limit: number): Promise<Omit<Renamed, 'name'>[]> {
  return tx.query(
    `select distinct publisher_id as owner, subject as plain
     from ad_dislikes
     where not starts_with(subject, '~')
     limit $1`,
    [limit],
  );
}

/** Each plain name under all names it may stand for. */
export async function renameDislikers(tx: Db, rows: readonly Renamed[]): Promise<void> {
  await tx.query(
    `with renamed as (
         select *
         from json_to_recordset($1::json) as r (owner uuid, plain text, name text)
       ),
       kept as (
         insert into ad_dislikes (publisher_id, subject, ad_id, at)
         select d.publisher_id, r.name, d.ad_id, d.at
         from ad_dislikes d
         join renamed r on r.owner = d.publisher_id and r.plain = d.subject
         on conflict do nothing
       )
     delete from ad_dislikes d
     using renamed r
     where d.publisher_id = r.owner and d.subject = r.plain`,
    [JSON.stringify(rows)],
  );
}
