import { announceAccountsChange } from '../../platform/auth/announce-accounts.js';
import { dayMs } from '../../domain/time/utc-day.js';
import type { Db } from '../../platform/db/db.js';

export async function hasOperator(db: Db): Promise<boolean> {
  const rows = await db.query(
    `select 1 from people where role = 'operator' and disabled_at is null limit 1`,
  );
  return rows.length > 0;
}

/** The accounts the playground acts for: those a demo install made, the oldest of each kind. */
export async function findDemoAccounts(
  db: Db,
): Promise<{ publisherId: string | null; advertiserId: string | null }> {
  const [row] = await db.query<{ publisherId: string | null; advertiserId: string | null }>(
    `select (
         select id
         from publishers
         where is_demo and status = 'approved'
         order by created_at, id limit 1
       ) as "publisherId",
       (
         select id
         from advertisers
         where is_demo and status = 'active'
         order by created_at, id limit 1
       ) as "advertiserId"`,
  );
  return row ?? { publisherId: null, advertiserId: null };
}

export interface SettingsRow {
  floorCpmMicros: number;
  minRelevance: number;
  excludedTopics: string[];
  blockedAdvertisers: string[];
}

const settingColumns = `floor_cpm_micros as "floorCpmMicros", min_relevance as "minRelevance",
  excluded_topics as "excludedTopics", blocked_advertisers as "blockedAdvertisers"`;

export async function loadSettings(db: Db, publisherId: string): Promise<SettingsRow | null> {
  const rows = await db.query<SettingsRow>(
    `select ${settingColumns} from publishers where id = $1`,
    [publisherId],
  );
  return rows[0] ?? null;
}

export async function saveSettings(tx: Db, publisherId: string, row: SettingsRow): Promise<void> {
  await tx.query(
    `update publishers
     set floor_cpm_micros = $2, min_relevance = $3, excluded_topics = $4,
       blocked_advertisers = $5::uuid[]
     where id = $1`,
    [publisherId, row.floorCpmMicros, row.minRelevance, row.excludedTopics, row.blockedAdvertisers],
  );
  await announceAccountsChange(tx);
}

export function findAdvertiserNames(
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return db.query(`select id, name from advertisers where id = any($1::uuid[]) order by name, id`, [
    ids,
  ]);
}

/**
 * Whose ads were seen at this publisher lately, so that it can block one without knowing its id.
 * Totals are read two days a statement: on the embedded engine everybody waits for it.
 */
export async function listSeenAdvertisers(
  db: Db,
  publisherId: string,
  { since, until }: { since: number; until: number },
): Promise<{ id: string; name: string; impressions: number }[]> {
  const seen = new Map<string, number>();
  for (let from = since; from <= until; from += 2 * dayMs)
    for (const { id, impressions } of await db.query<{ id: string; impressions: number }>(
      `select advertiser_id as id, sum(impressions)::bigint as impressions
       from totals
       where publisher_id = $1 and bucket >= $2 and bucket < $3
       group by 1`,
      [publisherId, new Date(from), new Date(from + 2 * dayMs)],
    ))
      seen.set(id, (seen.get(id) ?? 0) + impressions);
  const most = [...seen]
    .filter(([, impressions]) => impressions > 0)
    .sort(([, one], [, other]) => other - one)
    .slice(0, 200);
  const names = await findAdvertiserNames(
    db,
    most.map(([id]) => id),
  );
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return most.map(([id, impressions]) => ({ id, name: nameOf.get(id) ?? '', impressions }));
}

/** Where `decision-record` writes it, in millionths; all ones where nobody took part. */
const bestOfRecord = `(get_byte(record, 1) * 65536 + get_byte(record, 2) * 256 + get_byte(record, 3))::double precision`;

/**
 * How well the best candidate fitted, for the newest requests that had one. Former versions did not
 * say it: there relevance stands first in the rows of the record.
 */
export function listBestRelevances(
  db: Db,
  publisherId: string,
  since: Date,
  limit: number,
): Promise<{ best: number }[]> {
  return db.query(
    `select coalesce(${bestOfRecord} / 1e6, (data->>'best')::double precision / 1e6, (
         select max(coalesce((c->>0)::double precision / 1e6, (c->>'relevance')::double precision))
         from jsonb_array_elements(data->'candidates') c
       )) as best
     from events
     where kind = 'request' and publisher_id = $1 and day >= $2::date and not test
       and case when record is not null then ${bestOfRecord} < 16777215
         when jsonb_typeof(data->'candidates') = 'array'
         then jsonb_array_length(data->'candidates') > 0
         else data ? 'best' end
     order by id desc limit $3`,
    [publisherId, since, limit],
  );
}

export interface FeedbackRow {
  id: string;
  at: Date;
  sentiment: string;
  reasons: string[];
  comment: string | null;
  placement: string | null;
  campaign: string | null;
}

export function listFeedback(db: Db, publisherId: string, limit: number): Promise<FeedbackRow[]> {
  return db.query<FeedbackRow>(
    `select f.id, f.at, f.sentiment, f.reasons, f.comment, f.placement, c.name as campaign
     from ad_feedback f
     left join campaigns c on c.id = f.campaign_id
     where f.publisher_id = $1
     order by f.at desc, f.id desc
     limit $2`,
    [publisherId, limit],
  );
}

export async function countFeedback(
  db: Db,
  publisherId: string,
): Promise<{ up: number; down: number }> {
  const [row] = await db.query<{ up: number; down: number }>(
    `select count(*) filter (where sentiment = 'thumbs_up') as up,
       count(*) filter (where sentiment = 'thumbs_down') as down
     from ad_feedback
     where publisher_id = $1`,
    [publisherId],
  );
  return row ?? { up: 0, down: 0 };
}

export function listPixelEvents(
  db: Db,
  advertiserId: string,
  since: Date,
  limit: number,
): Promise<{ id: string; at: Date; eventType: string | null; domain: string | null }[]> {
  return db.query(
    `select id, at, data->>'event_type' as "eventType", data->>'domain' as domain
     from events
     where kind = 'pixel' and advertiser_id = $1 and day >= $2::timestamptz::date and at >= $2
     order by id desc limit $3`,
    [advertiserId, since, limit],
  );
}

export interface UnitRow {
  id: string;
  name: string;
  headline: string | null;
  description: string | null;
  landing_page: string | null;
  static_ad_text: string | null;
  static_cta: string | null;
  image_url: string | null;
  brand_name: string | null;
  source: string;
  status: string;
  review_status: string;
  review_reason: string | null;
  created_at: Date;
  campaigns: { id: string; name: string }[];
}

/** Ad units of an account with the campaigns that use them, newest first. */
export function listAdUnits(db: Db, advertiserId: string, limit: number): Promise<UnitRow[]> {
  return db.query<UnitRow>(
    `select u.id, u.name, u.headline, u.description, u.landing_page, u.static_ad_text, u.static_cta,
       u.image_url, u.brand_name, u.source, u.status, u.review_status, u.review_reason,
       u.created_at,
       coalesce(
         (
           select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.name, c.id)
           from campaign_ad_units l
           join campaigns c on c.id = l.campaign_id
           where l.ad_unit_id = u.id
         ), '[]'::jsonb
       ) as campaigns
     from ad_units u
     where u.advertiser_id = $1
     order by u.created_at desc, u.id desc
     limit $2`,
    [advertiserId, limit],
  );
}
