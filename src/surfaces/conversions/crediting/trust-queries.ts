import type { Db } from '../../../platform/db/db.js';

/**
 * Which of a pixel's keys were not there, or only from before the window; each remembers the
 * conversion it will be stored as.
 */
export async function claimPixelKeys(
  tx: Db,
  advertiserId: string,
  claims: readonly { key: string; conversionId: string }[],
  now: number,
  windowMs: number,
): Promise<Set<string>> {
  if (claims.length === 0) return new Set();
  const rows = await tx.query<{ key: string }>(
    `insert into conversion_keys as k (advertiser_id, key, first_at, conversion_id)
     select $1, key, $4, id
     from unnest($2::uuid[], $3::uuid[]) as c (key, id)
     order by key
     on conflict (advertiser_id, key) do update set first_at = excluded.first_at,
       conversion_id = excluded.conversion_id
     where k.first_at <= $5
     returning replace(key::text, '-', '') as key`,
    [
      advertiserId,
      claims.map((claim) => claim.key),
      claims.map((claim) => claim.conversionId),
      new Date(now),
      new Date(now - windowMs),
    ],
  );
  return new Set(rows.map((row) => row.key));
}

/** Those of the keys whose conversion was credited to an ad. */
export async function findCreditedKeys(
  tx: Db,
  advertiserId: string,
  keys: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ key: string }>(
    `select replace(k.key::text, '-', '') as key
     from conversion_keys k
     join conversions c on c.advertiser_id = k.advertiser_id and c.id = k.conversion_id
     where k.advertiser_id = $1 and k.key = any($2::uuid[]) and c.attribution is not null`,
    [advertiserId, keys],
  );
  return new Set(rows.map((row) => row.key));
}

/** Those of the keys that are known since then. */
export async function findKeys(
  tx: Db,
  advertiserId: string,
  keys: readonly string[],
  since: number,
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await tx.query<{ key: string }>(
    `select replace(key::text, '-', '') as key
     from conversion_keys
     where advertiser_id = $1 and key = any($2::uuid[]) and first_at > $3`,
    [advertiserId, keys, new Date(since)],
  );
  return new Set(rows.map((row) => row.key));
}

/** The conversions a pixel told of under these keys since then. */
export async function findPixelTwins(
  tx: Db,
  advertiserId: string,
  keys: readonly string[],
  since: number,
): Promise<string[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<{ id: string }>(
    `select distinct conversion_id as id
     from conversion_keys
     where advertiser_id = $1 and key = any($2::uuid[]) and first_at > $3
       and conversion_id is not null`,
    [advertiserId, keys, new Date(since)],
  );
  return rows.map((row) => row.id);
}

/** No event has this name: theirs neither begin nor end with a space. */
export const lessonName = ' lesson';

export interface ChargeClaim {
  serveId: string;
  /**
   * In lower case; empty for the one conversion of a pixel that a click pays for, `lessonName` for
   * the one that teaches where conversions are not what is paid.
   */
  eventName: string;
  conversionId: string;
}

/** The conversions that are the first of their click and name, as `serve id, name, conversion`. */
export async function claimCharges(
  tx: Db,
  advertiserId: string,
  claims: readonly ChargeClaim[],
  at: Date,
): Promise<Set<string>> {
  if (claims.length === 0) return new Set();
  const rows = await tx.query<ChargeClaim>(
    `insert into conversion_charges (serve_id, event_name, conversion_id, at, advertiser_id)
     select serve, name, conversion, $4, $5
     from unnest($1::uuid[], $2::text[], $3::uuid[]) with ordinality as c (
         serve, name, conversion, place
       )
     order by serve, name, place
     on conflict do nothing
     returning serve_id as "serveId", event_name as "eventName", conversion_id as "conversionId"`,
    [
      claims.map((claim) => claim.serveId),
      claims.map((claim) => claim.eventName),
      claims.map((claim) => claim.conversionId),
      at,
      advertiserId,
    ],
  );
  return new Set(rows.map(claimKey));
}

export function claimKey({ serveId, eventName, conversionId }: ChargeClaim): string {
  return `${serveId} ${conversionId} ${eventName}`;
}

/**
 * A conversion that was taken back leaves its click free to pay for another. Returns those that had
 * taught something: a pixel's never did.
 */
export async function releaseCharges(
  tx: Db,
  conversionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (conversionIds.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(
    `with released as (
         delete
         from conversion_charges
         where conversion_id = any($1::uuid[])
         returning conversion_id, event_name
       )
     select conversion_id as id
     from released
     group by 1
     having bool_and(event_name <> '')`,
    [conversionIds],
  );
  return new Set(rows.map((row) => row.id));
}

export interface Terms {
  type: string | null;
  trust: string | null;
}

/** What campaigns pay conversions on now, for ads shown before that was written down with each. */
export async function loadTerms(
  tx: Db,
  campaignIds: readonly string[],
): Promise<Map<string, Terms>> {
  if (campaignIds.length === 0) return new Map();
  const rows = await tx.query<Terms & { id: string }>(
    `select id, conversion_type as type, cpa_trust as trust
     from campaigns
     where id = any($1::uuid[])`,
    [campaignIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
