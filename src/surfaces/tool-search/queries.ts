import { billedAtList } from '../../platform/budgets/billing-sql.js';
import { announce, channels } from '../../platform/channels.js';
import type { NeedState } from '../../domain/tool-search/need-state.js';
import type { Db } from '../../platform/db/db.js';

export interface StoredTurn {
  searchId: string;
  turn: number;
  at: Date;
  query: string;
  answer: 'good' | 'weak' | 'none';
  slug: string | null;
  category: string | null;
  linkId: string | null;
}

export interface StoredSearch {
  id: string;
  publisherId: string;
  at: Date;
  state: NeedState;
  /** For attribution only. */
  sessionId: string | null;
  userHash: string | null;
  emailHash: string | null;
  metadata: Readonly<Record<string, unknown>> | null;
}

export async function insertSearches(tx: Db, searches: readonly StoredSearch[]): Promise<void> {
  await tx.query(
    `insert into tool_searches (
         id, publisher_id, started_at, asked_at, state, session_id, user_hash, email_hash, metadata
       )
     select id, "publisherId", at, at, state, "sessionId", "userHash", "emailHash", metadata
     from json_to_recordset($1::json) as s (
         id uuid, "publisherId" uuid, at timestamptz, state json, "sessionId" text, "userHash" text,
         "emailHash" text, metadata json
       )
     on conflict do nothing`,
    [JSON.stringify(searches)],
  );
}

export async function insertTurns(tx: Db, turns: readonly StoredTurn[]): Promise<void> {
  await tx.query(
    `insert into tool_search_turns (search_id, turn, at, query, answer, slug, category, link_id)
     select "searchId", turn, at, query, answer, slug, category, "linkId"
     from json_to_recordset($1::json) as t (
         "searchId" uuid, turn integer, at timestamptz, query text, answer text, slug text,
         category text, "linkId" uuid
       )
     on conflict do nothing`,
    [JSON.stringify(turns)],
  );
}

export async function findSearch(
  db: Db,
  id: string,
  publisherId: string,
): Promise<{ state: NeedState; turns: number } | null> {
  const [row] = await db.query<{ state: NeedState; turns: number }>(
    `select state, turns from tool_searches where id = $1 and publisher_id = $2`,
    [id, publisherId],
  );
  return row ?? null;
}

/** False when another turn came first. */
export async function updateSearch(
  tx: Db,
  search: { id: string; turns: number; state: NeedState; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update tool_searches
     set turns = turns + 1, state = $3::json, asked_at = $4
     where id = $1 and turns = $2
     returning turns`,
    [search.id, search.turns, JSON.stringify(search.state), search.at],
  );
  return rows.length > 0;
}

export interface Gap {
  query: string;
  answer: string;
  category: string | null;
  recommended: string | null;
  searches: number;
  lastAt: Date;
}

/** Searches without a good answer, the most frequent first. */
export function listGaps(db: Db, since: Date, limit: number): Promise<Gap[]> {
  return db.query<Gap>(
    `select min(query) as query, answer, category, slug as recommended, count(*) as searches,
       max(at) as "lastAt"
     from tool_search_turns
     where answer <> 'good' and at >= $1
     group by lower(query), answer, category, slug
     order by count(*) desc, max(at) desc
     limit $2`,
    [since, limit],
  );
}

/** What was asked goes; that something was asked, and what came of it, is counted. */
export async function countOldSearches(db: Db, before: Date): Promise<void> {
  await db.query(
    `with gone as (
         delete from tool_searches
         where asked_at < $1
         returning id, publisher_id
       )
     insert into search_days as d (publisher_id, day, kind, category, answer, searches)
     select g.publisher_id, (t.at at time zone 'UTC')::date, 'tool', coalesce(t.category, ''),
       t.answer, count(*)
     from gone g
     join tool_search_turns t on t.search_id = g.id
     group by 1, 2, 4, 5
     order by 1, 2, 4, 5
     on conflict (publisher_id, day, kind, category, answer)
       do update set searches = d.searches + excluded.searches`,
    [before],
  );
}

export interface CampaignLink {
  slug: string;
  campaignId: string;
  advertiserId: string;
  name: string;
  /** What a conversion pays; null unless the campaign is billed per conversion. */
  cpaMicros: number | null;
  isCpa: boolean;
  isLive: boolean;
  startsAt: Date | null;
  endsAt: Date | null;
}

export function loadCampaignLinks(db: Db): Promise<CampaignLink[]> {
  return db.query<CampaignLink>(
    `select t.slug, c.id as "campaignId", c.advertiser_id as "advertiserId", c.name,
       c.billing_model in ${billedAtList('conversion')} as "isCpa", case
       when c.billing_model in ${billedAtList('conversion')}
         then c.max_cpa_micros end as "cpaMicros", c.status = 'active'
       and c.is_active and not c.is_archived
       and (
         c.shows_approved or (c.review_status = 'approved' and c.deployment_status = 'deployed')
       ) and a.status = 'active' as "isLive",
       c.start_time as "startsAt", c.end_time as "endsAt"
     from tool_campaigns t
     join campaigns c on c.id = t.campaign_id
     join advertisers a on a.id = c.advertiser_id
     order by t.slug, c.max_cpa_micros desc nulls last, c.id`,
  );
}

export async function linkCampaign(
  tx: Db,
  slug: string,
  campaignId: string,
  at: Date,
): Promise<boolean> {
  const [campaign] = await tx.query(`select id from campaigns where id = $1`, [campaignId]);
  if (campaign === undefined) return false;
  await tx.query(
    `insert into tool_campaigns (slug, campaign_id, created_at)
     values ($1, $2, $3)
     on conflict do nothing`,
    [slug, campaignId, at],
  );
  await announce(tx, channels.toolCampaigns, null);
  return true;
}

export async function unlinkCampaign(tx: Db, slug: string, campaignId: string): Promise<boolean> {
  const rows = await tx.query(
    `delete from tool_campaigns where slug = $1 and campaign_id = $2 returning slug`,
    [slug, campaignId],
  );
  await announce(tx, channels.toolCampaigns, null);
  return rows.length > 0;
}

/**
 * Campaigns that could stand behind a tool: those that pay for results and are not put away, newest
 * first.
 */
export function listResultCampaigns(
  db: Db,
  limit: number,
): Promise<
  {
    campaign_id: string;
    name: string;
    advertiser: string;
    max_cpa: number | null;
    status: string;
    review_status: string;
  }[]
> {
  return db.query(
    `select c.id as campaign_id, c.name, a.name as advertiser,
       c.max_cpa_micros::double precision / 1000000 as max_cpa, c.status, c.review_status
     from campaigns c
     join advertisers a on a.id = c.advertiser_id
     where c.billing_model in ${billedAtList('conversion')} and not c.is_archived
     order by c.created_at desc, c.id desc
     limit $1`,
    [limit],
  );
}
