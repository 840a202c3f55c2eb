import type { AccountKind } from '../../platform/auth/api-key.js';
import type { Db } from '../../platform/db/db.js';

export async function insertAdvertiser(
  tx: Db,
  row: {
    id: string;
    name: string;
    email: string;
    timeZone: string;
    billingEnabled: boolean;
    isDemo: boolean;
  },
): Promise<void> {
  await tx.query(
    `insert into advertisers (id, name, email, time_zone, billing_enabled, is_demo)
     values ($1, $2, $3, $4, $5, $6)`,
    [row.id, row.name, row.email, row.timeZone, row.billingEnabled, row.isDemo],
  );
}

export async function insertPublisher(
  tx: Db,
  row: {
    id: string;
    name: string;
    url: string;
    status: string;
    payoutModel: string;
    timeZone: string;
    isDemo: boolean;
  },
): Promise<void> {
  await tx.query(
    `insert into publishers (id, name, url, status, payout_model, time_zone, is_demo)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [row.id, row.name, row.url, row.status, row.payoutModel, row.timeZone, row.isDemo],
  );
}

export async function insertKey(
  tx: Db,
  row: {
    id: string;
    kind: AccountKind;
    accountId: string;
    keyHash: string;
    prefix: string;
    name: string;
    scopes: readonly string[] | null;
    expiresAt: Date | null;
  },
): Promise<void> {
  await tx.query(
    `insert into api_keys (
         id, account_kind, account_id, key_hash, prefix, name, scopes, expires_at
       )
     values ($1, $2, $3, $4, $5, $6, $7::text[], $8)`,
    [row.id, row.kind, row.accountId, row.keyHash, row.prefix, row.name, row.scopes, row.expiresAt],
  );
}

export interface KeyListing {
  id: string;
  name: string;
  prefix: string;
  scopes: string[] | null;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
}

export function listKeys(db: Db, kind: AccountKind, accountId: string): Promise<KeyListing[]> {
  return db.query<KeyListing>(
    `select id, name, prefix, scopes, created_at, expires_at, last_used_at
     from api_keys
     where account_kind = $1 and account_id = $2 and revoked_at is null
     order by created_at, id`,
    [kind, accountId],
  );
}

export interface KeyLimits {
  name: string;
  scopes: string[] | null;
  expiresAt: Date | null;
}

export async function revokeKey(
  tx: Db,
  kind: AccountKind,
  accountId: string,
  keyId: string,
): Promise<KeyLimits | null> {
  const rows = await tx.query<KeyLimits>(
    `update api_keys
     set revoked_at = now()
     where id = $3 and account_kind = $1 and account_id = $2 and revoked_at is null
     returning name, scopes, expires_at as "expiresAt"`,
    [kind, accountId, keyId],
  );
  return rows[0] ?? null;
}

export async function revokeKeys(tx: Db, kind: AccountKind, accountId: string): Promise<void> {
  await tx.query(
    `update api_keys
     set revoked_at = now()
     where account_kind = $1 and account_id = $2 and revoked_at is null`,
    [kind, accountId],
  );
}
