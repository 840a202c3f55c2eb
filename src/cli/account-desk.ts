import { resolve } from 'node:path';
import type { Config } from '../config.js';
import { recordAudit } from '../platform/audit.js';
import type { Db } from '../platform/db/db.js';
import { createMintId, type MintId } from '../platform/ids.js';
import { readAdminFile } from '../platform/auth/admin-token.js';
import { createSealer } from '../platform/secrets/sealer.js';
import { findMasterSecret } from '../platform/secrets/master-secret.js';
import { addTrackingKey } from '../platform/secrets/tracking-keys.js';
import { addKey } from '../surfaces/accounts/open-account.js';
import {
  type AccountWish,
  addWishedPerson,
  makePassword,
  openWished,
} from '../surfaces/accounts/open-for-person.js';
import { listKeys, revokeKeys } from '../surfaces/accounts/queries.js';
import { findAccountKind } from '../surfaces/accounts/team-queries.js';
import { isUuid } from '../domain/uuid.js';
import { listAccounts, setAdvertiser, setPublisher } from '../surfaces/operators/queries.js';
import { CommandFailure } from './command.js';
import { openStore } from './open-store.js';

export interface KeyLine {
  id: string;
  prefix: string;
  name: string;
  last_used_at: string | null;
}

/** What the command line does with accounts, by the running server or with the store itself. */
export interface AccountDesk {
  list(): Promise<{ kind: string; id: string; status: string; name: string }[]>;
  open(
    wish: AccountWish,
  ): Promise<{ id: string | null; api_key: string | null; password: string | null }>;
  /** False when there is no such account of that kind. */
  setStatus(kind: 'publisher' | 'advertiser', id: string, status: string): Promise<boolean>;
  keys(accountId: string): Promise<KeyLine[]>;
  regenerate(accountId: string): Promise<string>;
  rotateTracking(): Promise<number>;
  close(): Promise<void>;
}

/**
 * The server that runs on this data folder, if one does: the embedded store has one user at a time.
 * Else the store.
 */
export async function openDesk(config: Config): Promise<AccountDesk> {
  const running = config.DATABASE_URL === '' ? readAdminFile(resolve(config.DATA_DIR)) : null;
  if (running !== null && (await answers(running.address))) return remoteDesk(running);
  return storeDesk(config);
}

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(`${address}/health`, { signal: AbortSignal.timeout(3000) })).status < 600;
  } catch {
    // Nobody is there; the file is what a killed server left.
    return false;
  }
}

function remoteDesk({ address, token }: { address: string; token: string }): AccountDesk {
  async function call<T>(method: string, path: string, body?: object): Promise<T | null> {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === 404) return null;
    if (!response.ok) throw new CommandFailure(`the running server refused: ${text.slice(0, 300)}`);
    // Each path below names its answer.
    return (text === '' ? null : JSON.parse(text)) as T;
  }
  const need = <T>(answer: T | null, id: string): T => {
    if (answer === null) throw new CommandFailure(`there is no account ${id}`);
    return answer;
  };
  return {
    async list() {
      type Listed = { accounts: Awaited<ReturnType<AccountDesk['list']>> };
      return (await call<Listed>('GET', '/operator/accounts'))?.accounts ?? [];
    },
    async open(wish) {
      const body = {
        kind: wish.kind,
        email: wish.email,
        ...(wish.name === '' ? {} : { name: wish.name }),
        ...(wish.url === '' ? {} : { url: wish.url }),
        time_zone: wish.timeZone,
        billing_enabled: wish.billingEnabled,
        approved: wish.approved,
        invite: false,
      };
      type Opened = Awaited<ReturnType<AccountDesk['open']>>;
      return need(await call<Opened>('POST', '/operator/accounts', body), wish.email);
    },
    async setStatus(kind, id, status) {
      const path = `/operator/${kind}s/${encodeURIComponent(id)}`;
      return (await call('PATCH', path, { status })) !== null;
    },
    async keys(id) {
      const path = `/operator/accounts/${encodeURIComponent(id)}/keys`;
      return need(await call<{ keys: KeyLine[] }>('GET', path), id).keys;
    },
    async regenerate(id) {
      const path = `/operator/accounts/${encodeURIComponent(id)}/keys/regenerate`;
      return need(await call<{ api_key: string }>('POST', path), id).api_key;
    },
    async rotateTracking() {
      return need(await call<{ id: number }>('POST', '/operator/tracking-keys'), '').id;
    },
    close: async () => undefined,
  };
}

const actor = { kind: 'system', id: 'command line' } as const;

function audit(
  { tx, mintId, now }: { tx: Db; mintId: MintId; now: number },
  accountId: string,
  what: { action: string; entity: string; after: unknown },
): Promise<void> {
  return recordAudit(tx, mintId, now, {
    actor,
    accountId,
    entityId: accountId,
    before: null,
    ...what,
  });
}

async function storeDesk(config: Config): Promise<AccountDesk> {
  const store = await openStore(config);
  const { db } = store;
  const opening = { mintId: createMintId(), now: Date.now() };
  const kindOf = async (id: string): Promise<'advertiser' | 'publisher'> => {
    const kind = isUuid(id) ? await findAccountKind(db, id) : null;
    if (kind === null) throw new CommandFailure(`there is no account ${id}`);
    return kind;
  };
  return {
    list: () => listAccounts(db),
    async open(wish) {
      const { password, passwordHash } = await makePassword();
      return db.transaction(async (tx) => {
        const account = await openWished({ tx, ...opening }, wish, actor);
        await addWishedPerson({ tx, ...opening }, wish, account?.id ?? null, passwordHash);
        return { id: account?.id ?? null, api_key: account?.apiKey ?? null, password };
      });
    },
    async setStatus(kind, id, status) {
      if (!isUuid(id)) return false;
      return db.transaction(async (tx) => {
        const isThere =
          kind === 'publisher'
            ? await setPublisher(tx, id, { status, revenueShareBps: null, isNative: null })
            : await setAdvertiser(tx, id, { status, billingEnabled: null });
        if (isThere)
          await audit({ tx, ...opening }, id, {
            action: 'update',
            entity: kind,
            after: { status },
          });
        return isThere;
      });
    },
    async keys(id) {
      return (await listKeys(db, await kindOf(id), id)).map((key) => ({
        ...key,
        last_used_at: key.last_used_at?.toISOString() ?? null,
      }));
    },
    async regenerate(id) {
      const kind = await kindOf(id);
      return db.transaction(async (tx) => {
        await revokeKeys(tx, kind, id);
        await audit({ tx, ...opening }, id, {
          action: 'regenerate',
          entity: 'api_key',
          after: null,
        });
        return addKey({ tx, ...opening }, kind, id, 'default');
      });
    },
    async rotateTracking() {
      const { SECRET_KEY: secretKey, DATA_DIR: dataDir } = config;
      const secret = await findMasterSecret({ secretKey, dataDir, db });
      return (await addTrackingKey(db, createSealer(secret))) ?? 0;
    },
    close: () => store.close(),
  };
}
