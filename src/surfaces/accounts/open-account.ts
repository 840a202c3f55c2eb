import { announceAccountsChange } from '../../platform/auth/announce-accounts.js';
import {
  hashSecret,
  keyPrefix,
  mintApiKey,
  type AccountKind,
} from '../../platform/auth/api-key.js';
import { hashPassword } from '../../platform/auth/password.js';
import type { Db } from '../../platform/db/db.js';
import type { MintId } from '../../platform/ids.js';
import { insertAdvertiser, insertKey, insertPerson, insertPublisher } from './queries.js';

export interface OpenedAccount {
  id: string;
  /** Shown now and never again. */
  apiKey: string;
}

interface Opening {
  tx: Db;
  mintId: MintId;
  now: number;
}

export async function openAdvertiser(
  { tx, mintId, now }: Opening,
  account: {
    name: string;
    email: string;
    timeZone?: string;
    billingEnabled?: boolean;
    isDemo?: boolean;
  },
): Promise<OpenedAccount> {
  const id = mintId(now);
  await insertAdvertiser(tx, {
    id,
    name: account.name,
    email: account.email,
    timeZone: account.timeZone ?? 'UTC',
    billingEnabled: account.billingEnabled ?? false,
    isDemo: account.isDemo ?? false,
  });
  return { id, apiKey: await addKey({ tx, mintId, now }, 'advertiser', id, 'default') };
}

export async function openPublisher(
  { tx, mintId, now }: Opening,
  account: {
    name: string;
    url?: string;
    status?: 'pending' | 'approved';
    payoutModel?: string;
    timeZone?: string;
    isDemo?: boolean;
  },
): Promise<OpenedAccount> {
  const id = mintId(now);
  await insertPublisher(tx, {
    id,
    name: account.name,
    url: account.url ?? '',
    status: account.status ?? 'pending',
    payoutModel: account.payoutModel ?? 'CPM',
    timeZone: account.timeZone ?? 'UTC',
    isDemo: account.isDemo ?? false,
  });
  return { id, apiKey: await addKey({ tx, mintId, now }, 'publisher', id, 'default') };
}

export async function addKey(
  { tx, mintId, now }: Opening,
  kind: AccountKind,
  accountId: string,
  name: string,
): Promise<string> {
  const key = mintApiKey(kind);
  await insertKey(tx, {
    id: mintId(now),
    kind,
    accountId,
    keyHash: hashSecret(key),
    prefix: keyPrefix(key),
    name,
  });
  await announceAccountsChange(tx);
  return key;
}

export async function addPerson(
  { tx, mintId, now }: Opening,
  person: {
    email: string;
    password: string;
    role: 'advertiser' | 'publisher' | 'operator';
    accountId: string | null;
  },
): Promise<string> {
  const id = mintId(now);
  await insertPerson(tx, {
    id,
    email: person.email.trim().toLowerCase(),
    passwordHash: await hashPassword(person.password),
    role: person.role,
    accountId: person.accountId,
  });
  return id;
}
