import { isEmailKey } from '../../domain/pii.js';
import { isUuid, nilUuid } from '../../domain/uuid.js';
import { announce, channels } from '../../platform/channels.js';
import type { Db } from '../../platform/db/db.js';

export async function findPixelOwner(db: Db, pixelId: string): Promise<string | null> {
  if (!isUuid(pixelId)) return null;
  const [row] = await db.query<{ id: string }>(
    `select advertiser_id as id from pixels where id = $1`,
    [pixelId],
  );
  return row?.id ?? null;
}

export async function insertOptOuts(
  tx: Db,
  advertiserId: string,
  identities: readonly string[],
  source: string,
  at: Date,
): Promise<void> {
  await tx.query(
    `insert into opt_outs (advertiser_id, identity, source, at)
     select $1, identity, $3, $4
     from unnest($2::uuid[]) as identity
     order by 2
     on conflict do nothing`,
    [advertiserId, identities, source, at],
  );
  // Serving asks for e-mails, which are the only ones it knows.
  for (const identity of identities)
    if (isEmailKey(identity)) await announce(tx, channels.choices, { advertiserId, identity });
}

/** `advertiserId` nil: of every advertiser. */
export async function deleteLinks(
  tx: Db,
  advertiserId: string,
  identities: readonly string[],
): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `with links as (
         delete from click_links
         where identity = any($2::uuid[]) and (advertiser_id = $1 or $1 = $3::uuid)
         returning 1
       ),
       sessions as (
         delete from pixel_sessions
         where visitor = any($2::uuid[]) and (advertiser_id = $1 or $1 = $3::uuid)
         returning 1
       )
     select (select count(*) from links) + (select count(*) from sessions) as count`,
    [advertiserId, identities, nilUuid],
  );
  return rows[0]?.count ?? 0;
}

/** Hashed e-mails that publishers sent with ad requests. */
export async function deleteViewers(
  tx: Db,
  advertiserId: string,
  viewers: readonly string[],
): Promise<number> {
  const rows = await tx.query(
    `delete from viewer_links
     where identity = any($2::text[]) and (advertiser_id = $1 or $1 = $3::uuid)
     returning 1`,
    [advertiserId, viewers, nilUuid],
  );
  return rows.length;
}

/** The counted facts stay; who it was goes. */
export async function clearConversions(
  tx: Db,
  advertiserId: string,
  marks: readonly string[],
): Promise<number> {
  const rows = await tx.query(
    `update conversions
     set details = null, page_url = null, event_id = ''
     where (advertiser_id = $1 or $1 = $3::uuid) and details is not null
       and exists (select from unnest($2::text[]) as mark where position(mark in details::text) > 0)
     returning 1`,
    [advertiserId, marks, nilUuid],
  );
  return rows.length;
}

export async function clearServedIdentities(
  tx: Db,
  advertiserId: string,
  viewers: readonly string[],
): Promise<number> {
  const rows = await tx.query(
    `update events
     set data = data - 'identity'
     where kind = 'win' and data ->> 'identity' = any($2::text[])
       and (advertiser_id = $1 or $1 = $3::uuid)
     returning 1`,
    [advertiserId, viewers, nilUuid],
  );
  return rows.length;
}

export interface SealedLead {
  id: string;
  advertiserId: string;
  fieldsSealed: string;
}

/** In the order of their ids, after one. */
export function listSealedLeads(
  db: Db,
  advertiserId: string,
  after: string | null,
  limit: number,
): Promise<SealedLead[]> {
  return db.query<SealedLead>(
    `select id, advertiser_id as "advertiserId", fields_sealed as "fieldsSealed"
     from leads
     where (advertiser_id = $1 or $1 = $2::uuid) and ($3::uuid is null or id > $3)
     order by id limit $4`,
    [advertiserId, nilUuid, after, limit],
  );
}

export async function clearLead(db: Db, id: string, emptySealed: string): Promise<void> {
  await db.query(`update leads set fields_sealed = $2, consent = null where id = $1`, [
    id,
    emptySealed,
  ]);
}
