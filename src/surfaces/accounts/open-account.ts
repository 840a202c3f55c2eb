import { announceAccountsChange } from '../../platform/auth/announce-accounts.js';
import {
  hashSecret,
  keyPrefix,
  mintApiKey,
  type AccountKind,
} from '../../platform/auth/api-key.js';
import { hashPassword } from '../../platform/auth/password.js';
import type { TeamRole } from '../../platform/auth/team-role.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import { cleanEmail } from './people/clean-email.js';
import { insertPerson } from './people/person-queries.js';
import { insertAdvertiser, insertKey, insertPublisher } from './queries.js';

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

/** A key that may do everything, until it is revoked. */
export async function addKey(
  opening: Opening,
  kind: AccountKind,
  accountId: string,
  name: string,
): Promise<string> {
  return (await addLimitedKey(opening, kind, accountId, { name })).key;
}

export async function addLimitedKey(
  { tx, mintId, now }: Opening,
  kind: AccountKind,
  accountId: string,
  limits: { name: string; scopes?: readonly string[] | null; expiresAt?: Date | null },
): Promise<{ id: string; key: string }> {
  const key = mintApiKey(kind);
  const id = mintId(now);
  await insertKey(tx, {
    id,
    kind,
    accountId,
    keyHash: hashSecret(key),
    prefix: keyPrefix(key),
    name: limits.name,
    scopes: limits.scopes ?? null,
    expiresAt: limits.expiresAt ?? null,
  });
  await announceAccountsChange(tx);
  return { id, key };
}

export async function addPerson(
  { tx, mintId, now }: Opening,
  person: {
    email: string;
    password: string;
    role: 'advertiser' | 'publisher' | 'operator';
    accountId: string | null;
    teamRole?: TeamRole;
  },
): Promise<string> {
  const id = mintId(now);
  const isNew = await insertPerson(tx, {
    id,
    email: cleanEmail(person.email),
    passwordHash: await hashPassword(person.password),
    role: person.role,
    accountId: person.accountId,
    teamRole: person.teamRole ?? 'owner',
  });
  if (!isNew) throw new AppError('already_exists');
  return id;
}
