import { isUuid } from '../../../domain/uuid.js';
import type { Db } from '../../../platform/db/db.js';

export interface Pixel {
  id: string;
  advertiserId: string;
  url: string;
}

export async function findPixel(db: Db, id: string): Promise<Pixel | null> {
  if (!isUuid(id)) return null;
  const [row] = await db.query<Pixel>(
    `select id, advertiser_id as "advertiserId", url from pixels where id = $1`,
    [id],
  );
  return row ?? null;
}

/** The names an advertiser's totals are kept by, those used most first. */
export async function loadPixelNames(
  db: Db,
  advertiserId: string,
  since: Date,
): Promise<{ eventTypes: string[]; domains: string[] }> {
  const names = async (column: 'event_type' | 'domain'): Promise<string[]> =>
    (
      await db.query<{ name: string }>(
        `select ${column} as name
         from pixel_totals
         where advertiser_id = $1 and bucket >= $2
         group by 1
         order by sum(events) desc
         limit 100`,
        [advertiserId, since],
      )
    ).map(({ name }) => name);
  return { eventTypes: await names('event_type'), domains: await names('domain') };
}

export interface SessionInput {
  advertiserId: string;
  visitor: string;
  /** The session the page believes in; null when it has none. */
  given: string | null;
  minted: string;
  now: number;
  idleMs: number;
  longestMs: number;
}

/** The visitor's session: the running one, the one the page has started meanwhile, or a new one. */
export async function upsertSession(db: Db, input: SessionInput): Promise<string> {
  const goesOn = `s.seen_at > $6 and s.started_at > $7 and ($3::text is null or $3 = s.session_id)`;
  const [row] = await db.query<{ id: string }>(
    `insert into pixel_sessions as s (advertiser_id, visitor, session_id, started_at, seen_at)
     values ($1, $2, coalesce($3::text, $4), $5, $5)
     on conflict (advertiser_id, visitor) do update set session_id = case
       when ${goesOn} then s.session_id when $3 <> s.session_id then $3 else $4 end,
       started_at = case when ${goesOn} then s.started_at else excluded.started_at end,
       seen_at = excluded.seen_at
     returning s.session_id as id`,
    [
      input.advertiserId,
      input.visitor,
      input.given,
      input.minted,
      new Date(input.now),
      new Date(input.now - input.idleMs),
      new Date(input.now - input.longestMs),
    ],
  );
  return row?.id ?? input.minted;
}

/** Keeps a session awake; written at most once a minute. */
export async function touchSession(
  tx: Db,
  advertiserId: string,
  visitor: string,
  sessionId: string,
  now: number,
): Promise<void> {
  await tx.query(
    `update pixel_sessions
     set seen_at = $4
     where advertiser_id = $1 and visitor = $2 and session_id = $3 and seen_at < $5`,
    [advertiserId, visitor, sessionId, new Date(now), new Date(now - 60_000)],
  );
}
