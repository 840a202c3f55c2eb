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

/** Of each key only the newest stay. A key that is gone meanwhile is left out. */
export async function addRequests(
  db: Db,
  rows: readonly KeyRequest[],
  keep: number,
): Promise<void> {
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
  await db.query(
    // Where each key's newest end is looked for once a key, not once a row that may go.
    `delete from key_requests r
     using unnest($1::uuid[]) as k (id)
     cross join lateral (
         select o.id
         from key_requests o
         where o.key_id = k.id
         order by o.id desc
         offset $2 limit 1
       ) last
     where r.key_id = k.id and r.id <= last.id`,
    [[...new Set(rows.map((row) => row.keyId))], keep],
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
