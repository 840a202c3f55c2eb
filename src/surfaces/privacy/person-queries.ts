import { announce, channels } from '../../platform/channels.js';
import type { Db } from '../../platform/db/db.js';

/** Somebody as a publisher knows them; every name is the one that is stored. */
export interface PublisherPerson {
  publisherId: string;
  users: readonly string[];
  sessions: readonly string[];
  /** Names beside searches: of user ids and of hashed e-mails. */
  searchers: readonly string[];
  /** Names by which hashed e-mails are linked, one for each advertiser. */
  viewers: readonly string[];
}

export async function listAccountIds(
  db: Db,
  table: 'advertisers' | 'publishers',
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    table === 'advertisers' ? `select id from advertisers` : `select id from publishers`,
  );
  return rows.map(({ id }) => id);
}

/** Users whom a publisher sent with one of these hashed e-mails: the same person. */
export async function findUsersLinked(
  tx: Db,
  { publisherId, viewers }: PublisherPerson,
): Promise<string[]> {
  if (viewers.length === 0) return [];
  const rows = await tx.query<{ user: string }>(
    `select distinct user_id as user
     from events
     where publisher_id = $1 and kind = 'win' and data ->> 'identity' = any($2::text[])
       and user_id <> 'anonymous'`,
    [publisherId, viewers],
  );
  return rows.map(({ user }) => user);
}

/**
 * Those of them who are known anywhere: everything is looked through once, not once for each of
 * many publishers.
 */
export async function keepKnown(
  db: Db,
  people: readonly PublisherPerson[],
): Promise<PublisherPerson[]> {
  const all = (of: (one: PublisherPerson) => readonly string[]): string[] => [
    ...new Set(people.flatMap((one) => of(one))),
  ];
  const names = [all((one) => one.users), all((one) => one.sessions)];
  const found = await db.query<{ id: string }>(
    `select publisher_id as id
     from events
     where publisher_id is not null
       and (
         user_id = any($1::text[]) or data ->> 'session' = any($2::text[])
         or data ->> 'identity' = any($4::text[])
       )
     union
     select publisher_id from publisher_users where user_id = any($1::text[])
     union
     select publisher_id from publisher_user_names where user_id = any($1::text[])
     union
     select publisher_id
     from ad_feedback
     where user_id = any($1::text[]) or session_id = any($2::text[])
     union
     select publisher_id
     from ad_dislikes
     where subject = any($1::text[]) or subject = any($2::text[])
     union
     select publisher_id
     from privacy_choices
     where subject = any($1::text[]) or subject = any($2::text[])
     union
     select publisher_id
     from shop_searches
     where user_hash = any($3::text[]) or email_hash = any($3::text[])
       or session_id = any($2::text[])
     union
     select publisher_id
     from tool_searches
     where user_hash = any($3::text[]) or email_hash = any($3::text[])
       or session_id = any($2::text[])`,
    [...names, all((one) => one.searchers), all((one) => one.viewers)],
  );
  const units = await db.query<{ unit: string }>(
    `select unit from experiment_units where unit = any($1::text[]) or unit = any($2::text[])`,
    names,
  );
  const publishers = new Set(found.map(({ id }) => id));
  const taking = new Set(units.map(({ unit }) => unit));
  return people.filter(
    ({ publisherId, users, sessions }) =>
      publishers.has(publisherId) || [...users, ...sessions].some((name) => taking.has(name)),
  );
}

/**
 * The events of a user without the user: nobody's from now on. Somebody who was not named and only
 * shares a session loses the session, not their name: their figures are still theirs. Which e-mails
 * they were linked by is told, so that the links can go too.
 */
export async function clearUserEvents(
  tx: Db,
  { publisherId, users, sessions, viewers }: PublisherPerson,
): Promise<{ events: number; serveIds: string[]; identities: string[] }> {
  const rows = await tx.query<{ id: string; kind: string; identity: string | null }>(
    `with found as (
         select day, id, kind, data ->> 'identity' as identity
         from events
         where publisher_id = $1
           and (
             user_id = any($2::text[]) or data ->> 'session' = any($3::text[])
             or data ->> 'identity' = any($4::text[])
           )
       )
     update events e
     set user_id = case when e.user_id = any($2::text[]) then 'anonymous' else e.user_id end,
       data = e.data - 'identity' - 'session' - 'unit'
     from found f
     where e.day = f.day and e.id = f.id and e.kind = f.kind
     returning e.id, e.kind, f.identity`,
    [publisherId, users, sessions, viewers],
  );
  return {
    events: rows.length,
    serveIds: rows.filter(({ kind }) => kind === 'win').map(({ id }) => id),
    identities: [...new Set(rows.flatMap(({ identity }) => identity ?? []))],
  };
}

/** Figures of the user are added to nobody's, so that every sum stays what it was. */
export async function mergeUserTotals(
  tx: Db,
  { publisherId, users }: PublisherPerson,
): Promise<number> {
  const rows = await tx.query(
    `with gone as (
         delete from publisher_users
         where publisher_id = $1 and user_id = any($2::text[])
         returning *
       ),
       merged as (
         insert into publisher_users as u (
             publisher_id, user_id, requests, ads_served, impressions, clicks, revenue_micros,
             first_seen, last_seen, countries
           )
         select publisher_id, 'anonymous', sum(requests), sum(ads_served), sum(impressions),
           sum(clicks), sum(revenue_micros), min(first_seen), max(last_seen), (
             select string_agg(distinct code collate "C", ' ' order by code collate "C")
             from gone g, unnest(string_to_array(g.countries, ' ')) code
           )
         from gone
         group by publisher_id
         on conflict (publisher_id, user_id) do update set requests = u.requests + excluded.requests,
           ads_served = u.ads_served + excluded.ads_served,
           impressions = u.impressions + excluded.impressions, clicks = u.clicks + excluded.clicks,
           revenue_micros = u.revenue_micros + excluded.revenue_micros,
           first_seen = least(u.first_seen, excluded.first_seen),
           last_seen = greatest(u.last_seen, excluded.last_seen),
           countries = (
             select string_agg(distinct code collate "C", ' ' order by code collate "C")
             from unnest(string_to_array(u.countries || ' ' || excluded.countries, ' ')) code
             where code <> ''
           )
       )
     select 1 from gone`,
    [publisherId, users],
  );
  return rows.length;
}

/** Experiments count on without them. */
export async function deleteUnits(
  tx: Db,
  { users, sessions }: PublisherPerson,
  identities: readonly string[],
): Promise<number> {
  const rows = await tx.query(
    `delete from experiment_units
     where unit = any($1::text[]) or unit = any($2::text[]) or viewer = any($3::text[])
     returning 1`,
    [users, sessions, identities],
  );
  return rows.length;
}

/** What the publisher calls a user, sealed. */
export async function findUserName(
  db: Db,
  publisherId: string,
  user: string,
): Promise<string | null> {
  const [row] = await db.query<{ sealed: string }>(
    `select name_sealed as sealed
     from publisher_users
     where publisher_id = $1 and user_id = $2 and name_sealed is not null
     union all
     select name_sealed
     from publisher_user_names
     where publisher_id = $1 and user_id = $2
     limit 1`,
    [publisherId, user],
  );
  return row?.sealed ?? null;
}

export async function deleteUserNames(
  tx: Db,
  { publisherId, users }: PublisherPerson,
): Promise<void> {
  await tx.query(
    `delete from publisher_user_names where publisher_id = $1 and user_id = any($2::text[])`,
    [publisherId, users],
  );
}

/** Votes stay as votes; who gave them and what they wrote goes. */
export async function clearFeedback(
  tx: Db,
  { publisherId, users, sessions }: PublisherPerson,
): Promise<number> {
  const rows = await tx.query(
    `update ad_feedback
     set user_id = null, session_id = '', comment = null, reasons = '{}'
     where publisher_id = $1
       and (user_id = any($2::text[]) or session_id = any($3::text[]))
     returning 1`,
    [publisherId, users, sessions],
  );
  return rows.length;
}

/**
 * What they chose not to see; that they want nothing personal is kept, or it would be forgotten.
 * Every node hears of it.
 */
export async function deleteChoices(
  tx: Db,
  { publisherId, users, sessions }: PublisherPerson,
): Promise<number> {
  for (const subject of [...users, ...sessions])
    await announce(tx, channels.choices, { publisherId, subject });
  const rows = await tx.query(
    `with disliked as (
         delete from ad_dislikes
         where publisher_id = $1 and (subject = any($2::text[]) or subject = any($3::text[]))
         returning 1
       ),
       chosen as (
         delete from privacy_choices
         where publisher_id = $1 and (subject = any($2::text[]) or subject = any($3::text[]))
           and choice <> 'no_personalisation'
         returning 1
       )
     select 1 from disliked union all select 1 from chosen`,
    [publisherId, users, sessions],
  );
  return rows.length;
}

export async function deletePublisherSearches(
  tx: Db,
  {
    publisherId,
    searchers,
    sessions,
  }: Pick<PublisherPerson, 'publisherId' | 'searchers' | 'sessions'>,
): Promise<number> {
  const rows = await tx.query(
    `with shop as (
         delete from shop_searches
         where publisher_id = $1
           and (user_hash = any($2::text[]) or email_hash = any($2::text[])
             or session_id = any($3::text[]))
         returning 1
       ),
       tool as (
         delete from tool_searches
         where publisher_id = $1
           and (user_hash = any($2::text[]) or email_hash = any($2::text[])
             or session_id = any($3::text[]))
         returning 1
       )
     select 1 from shop union all select 1 from tool`,
    [publisherId, searchers, sessions],
  );
  return rows.length;
}

export async function deleteViewerLinks(tx: Db, identities: readonly string[]): Promise<number> {
  const rows = await tx.query(
    `delete from viewer_links where identity = any($1::text[]) returning 1`,
    [identities],
  );
  return rows.length;
}

export function listLeadsOf(
  tx: Db,
  serveIds: readonly string[],
): Promise<{ id: string; advertiserId: string }[]> {
  return tx.query(
    `select id, advertiser_id as "advertiserId" from leads where serve_id = any($1::uuid[])`,
    [serveIds],
  );
}

export interface PrivacyRequestRow {
  id: string;
  at: Date;
  kind: 'erase' | 'access';
  accountKind: 'advertiser' | 'publisher' | 'operator';
  accountId: string | null;
  askedBy: string;
  subjectHash: string;
  found: Readonly<Record<string, number>>;
}

export async function insertRequest(tx: Db, row: PrivacyRequestRow): Promise<void> {
  await tx.query(
    `insert into privacy_requests (
         id, at, kind, account_kind, account_id, asked_by, subject_hash, found
       )
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      row.id,
      row.at,
      row.kind,
      row.accountKind,
      row.accountId,
      row.askedBy,
      row.subjectHash,
      JSON.stringify(row.found),
    ],
  );
}

/** The newest, of one account or (null) of all. */
export function listRequests(
  db: Db,
  accountId: string | null,
  limit: number,
): Promise<PrivacyRequestRow[]> {
  return db.query<PrivacyRequestRow>(
    `select id, at, kind, account_kind as "accountKind", account_id as "accountId",
       asked_by as "askedBy", subject_hash as "subjectHash", found
     from privacy_requests
     where $1::uuid is null or account_id = $1
     order by at desc, id desc
     limit $2`,
    [accountId, limit],
  );
}

const most = 1000;

/** What is kept of a publisher's user, to be shown to whoever may ask. */
export async function readPublisherPerson(
  db: Db,
  { publisherId, users, sessions, searchers }: PublisherPerson,
): Promise<Record<string, unknown[]>> {
  const by = [publisherId, users, sessions, most];
  return {
    figures: await db.query(
      `select requests, ads_served, impressions, clicks, first_seen, last_seen, countries
       from publisher_users
       where publisher_id = $1 and user_id = any($2::text[])`,
      [publisherId, users],
    ),
    events: await db.query(
      `select kind, at, placement, device, country, campaign_id
       from events
       where publisher_id = $1
         and (user_id = any($2::text[]) or data ->> 'session' = any($3::text[]))
       order by at desc limit $4`,
      by,
    ),
    feedback: await db.query(
      `select at, sentiment, reasons, comment, ad_id
       from ad_feedback
       where publisher_id = $1
         and (user_id = any($2::text[]) or session_id = any($3::text[]))
       order by at desc
       limit $4`,
      by,
    ),
    choices: await db.query(
      `select choice, value, at
       from privacy_choices
       where publisher_id = $1 and (subject = any($2::text[]) or subject = any($3::text[]))
       order by at desc
       limit $4`,
      by,
    ),
    product_searches: await db.query(
      `select at, query, filters, context, metadata
       from shop_searches
       where publisher_id = $1
         and (user_hash = any($2::text[]) or email_hash = any($2::text[])
           or session_id = any($3::text[]))
       order by at desc
       limit $4`,
      [publisherId, searchers, sessions, most],
    ),
    tool_searches: await db.query(
      `select t.at, t.query, t.slug
       from tool_searches s
       join tool_search_turns t on t.search_id = s.id
       where s.publisher_id = $1
         and (s.user_hash = any($2::text[]) or s.email_hash = any($2::text[])
           or s.session_id = any($3::text[]))
       order by t.at desc
       limit $4`,
      [publisherId, searchers, sessions, most],
    ),
  };
}

/** What is kept of somebody an advertiser knows; nil: any advertiser. */
export async function readAdvertiserPerson(
  db: Db,
  advertiserId: string,
  nil: string,
  {
    keys,
    marks,
    viewers,
  }: { keys: readonly string[]; marks: readonly string[]; viewers: readonly string[] },
): Promise<Record<string, unknown[]>> {
  return {
    conversions: await db.query(
      `select at, event_name, order_id, page_url, details
       from conversions
       where (advertiser_id = $1 or $1 = $3::uuid) and details is not null
         and exists (select from unnest($2::text[]) as mark
           where position(mark in details::text) > 0)
       limit $4`,
      [advertiserId, marks, nil, most],
    ),
    clicks: await db.query(
      `select serve_id, clicked_at
       from click_links
       where identity = any($2::uuid[]) and (advertiser_id = $1 or $1 = $3::uuid)
       limit $4`,
      [advertiserId, keys, nil, most],
    ),
    ads_seen: await db.query(
      `select click_id, clicked_at, view_id, viewed_at
       from viewer_links
       where identity = any($2::text[]) and (advertiser_id = $1 or $1 = $3::uuid)
       limit $4`,
      [advertiserId, viewers, nil, most],
    ),
    opt_outs: await db.query(
      `select source, at
       from opt_outs
       where identity = any($2::uuid[]) and (advertiser_id = $1 or advertiser_id = $3::uuid
         or $1 = $3::uuid)
       limit $4`,
      [advertiserId, keys, nil, most],
    ),
  };
}
