import type { Db } from '../../platform/db/db.js';

export interface KeyRequest {
  keyId: string;
  id: string;
  at: Date;
  method: string;
  route: string;
  status: number;
  reason: string | null;
  latencyMs: number;
}

/** A key that is gone meanwhile is left out. */
export async function addRequests(db: Db, rows: readonly KeyRequest[]): Promise<void> {
  if (rows.length === 0) return;
  await db.query(
    `insert into key_requests (key_id, id, at, method, route, status, reason, latency_ms)
     select r.*
     from unnest(
         $1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::smallint[],
         $7::text[], $8::real[]
       ) as r (key_id, id, at, method, route, status, reason, latency_ms)
     where exists (select 1 from api_keys k where k.id = r.key_id)
     order by 1, 2
     on conflict do nothing`,
    [
      rows.map((row) => row.keyId),
      rows.map((row) => row.id),
      rows.map((row) => row.at.toISOString()),
      rows.map((row) => row.method),
      rows.map((row) => row.route),
      rows.map((row) => row.status),
      rows.map((row) => row.reason),
      rows.map((row) => row.latencyMs),
    ],
  );
}

/**
 * Of a key only the newest stay, and of the others no more than `most` go at once. One key a
 * statement: whatever the planner thinks of the table, that is a short piece of its index.
 */
export async function trimRequests(
  db: Db,
  keyId: string,
  { keep, most }: { keep: number; most: number },
): Promise<void> {
  await db.query(
    `delete from key_requests
     where key_id = $1
       and id = any(
         array(
           select id
           from key_requests
           where key_id = $1
           order by id desc
           offset $2 limit $3
         )
       )`,
    [keyId, keep, most],
  );
}

/** The newest requests of an account's keys, or of one of them. */
export function listRequests(
  db: Db,
  account: { kind: 'advertiser' | 'publisher'; id: string },
  keyId: string | null,
  limit: number,
): Promise<(KeyRequest & { keyName: string })[]> {
  return db.query(
    `select r.key_id as "keyId", k.name as "keyName", r.id, r.at, r.method, r.route, r.status,
       r.reason, r.latency_ms as "latencyMs"
     from api_keys k
     join key_requests r on r.key_id = k.id
     where k.account_kind = $1 and k.account_id = $2 and ($3::uuid is null or k.id = $3)
     order by r.id desc
     limit $4`,
    [account.kind, account.id, keyId, limit],
  );
}
