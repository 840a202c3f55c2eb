import type { Db } from '../db/db.js';
import type { AccountKind } from './api-key.js';

export interface KeyRow {
  id: string;
  keyHash: string;
  accountKind: AccountKind;
  accountId: string;
  scopes: string[] | null;
  expiresAt: Date | null;
}

export interface PublisherAccount {
  id: string;
  name: string;
  url: string;
  status: 'pending' | 'approved' | 'blocked';
  payoutModel: 'CPM' | 'CPC' | 'CPA';
  revenueShareBps: number;
  floorCpmMicros: number;
  minRelevance: number;
  excludedTopics: string[];
  blockedAdvertisers: string[];
  timeZone: string;
  /** An app or a terminal, whose beacons come from an HTTP library. */
  isNative: boolean;
}

export interface AdvertiserAccount {
  id: string;
  name: string;
  email: string;
  status: 'active' | 'blocked';
  timeZone: string;
  billingEnabled: boolean;
  isDemo: boolean;
}

const keyColumns = `id, key_hash as "keyHash", account_kind as "accountKind",
  account_id as "accountId",
       scopes, expires_at as "expiresAt"`;

export function loadKeys(db: Db): Promise<KeyRow[]> {
  return db.query<KeyRow>(`select ${keyColumns} from api_keys where revoked_at is null`);
}

export async function loadKey(db: Db, keyHash: string): Promise<KeyRow | null> {
  const rows = await db.query<KeyRow>(
    `select ${keyColumns} from api_keys where key_hash = $1 and revoked_at is null`,
    [keyHash],
  );
  return rows[0] ?? null;
}

export function loadPublishers(db: Db): Promise<PublisherAccount[]> {
  return db.query<PublisherAccount>(
    `select id, name, url, status, payout_model as "payoutModel",
       revenue_share_bps as "revenueShareBps", floor_cpm_micros as "floorCpmMicros",
       min_relevance as "minRelevance", excluded_topics as "excludedTopics",
       blocked_advertisers as "blockedAdvertisers", time_zone as "timeZone",
       is_native as "isNative"
     from publishers`,
  );
}

export function loadAdvertisers(db: Db): Promise<AdvertiserAccount[]> {
  return db.query<AdvertiserAccount>(
    `select id, name, email, status, time_zone as "timeZone", billing_enabled as "billingEnabled",
       is_demo as "isDemo"
     from advertisers`,
  );
}

export async function touchKeys(db: Db, keyIds: readonly string[]): Promise<void> {
  if (keyIds.length === 0) return;
  await db.query(`update api_keys set last_used_at = now() where id = any($1::uuid[])`, [keyIds]);
}
