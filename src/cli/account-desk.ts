import { recordAudit } from '../platform/audit.js';
import type { Db } from '../platform/db/db.js';
import { createMintId, type MintId } from '../platform/ids.js';
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
import { findAccountKind } from '../surfaces/accounts/team/team-queries.js';
import { isUuid } from '../domain/uuid.js';
import { listAccounts, setAdvertiser, setPublisher } from '../surfaces/operators/queries.js';
import { CommandFailure, type CommandInput } from './command.js';

export interface KeyLine {
  id: string;
  prefix: string;
  name: string;
  last_used_at: string | null;
}

/** What the command line does with accounts. */
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

export async function openDesk({
  openStore,
  config,
}: Pick<CommandInput, 'openStore' | 'config'>): Promise<AccountDesk> {
  const store = await openStore();
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
    setStatus: (kind, id, status) => setStatus(db, opening, kind, id, status),
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
      const { SECRET_KEY: secretKey, DATA_DIR: dataDir, BACKUP_PASSPHRASE: passphrase } = config;
      const secret = await findMasterSecret({ secretKey, dataDir, db, passphrase });
      return (await addTrackingKey(db, createSealer(secret))) ?? 0;
    },
    close: () => store.close(),
  };
}

async function setStatus(
  db: Db,
  opening: { mintId: MintId; now: number },
  kind: Parameters<AccountDesk['setStatus']>[0],
  id: string,
  status: Parameters<AccountDesk['setStatus']>[2],
): Promise<boolean> {
  if (!isUuid(id)) return false;
  return db.transaction(async (tx) => {
    const stored =
      kind === 'publisher'
        ? await setPublisher(tx, id, { status, revenueShareBps: null, isNative: null })
        : await setAdvertiser(tx, id, { status, billingEnabled: null });
    if (stored !== null)
      await audit({ tx, ...opening }, id, {
        action: 'update',
        entity: kind,
        after: { status },
      });
    return stored !== null;
  });
}
