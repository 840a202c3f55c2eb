import { channels } from '../channels.js';
import { createBoundedCache } from '../bounded-cache.js';
import type { Clock } from '../clock.js';
import type { Database } from '../db/db.js';
import { AppError } from '../errors.js';
import { follow } from '../follow.js';
import type { Log } from '../log.js';
import type { Vouching } from '../vouching.js';
import type { AccountKind } from './api-key.js';
import { hashSecret } from './api-key.js';
import {
  type AdvertiserAccount,
  type KeyRow,
  loadAdvertisers,
  loadKey,
  loadKeys,
  loadPublishers,
  type PublisherAccount,
  touchKeys,
} from './queries.js';

/** How long a key nobody has stays unknown without asking again, and how many such are kept. */
const unknownMs = 2000;
const mostHashes = 2000;
const mostUnknown = 10_000;

export interface KeyHolder {
  readonly keyId: string;
  readonly kind: AccountKind;
  readonly accountId: string;
  /** Null: everything the account may do. */
  readonly scopes: readonly string[] | null;
}

/**
 * Keys and accounts in memory, following changes of every node within milliseconds (NOTIFY) and,
 * should a notification be
 * lost, within seconds. The ad path must not ask the database who is calling.
 */
export interface AccountDirectory {
  /** Refuses with 503 while it cannot be known whether the key was revoked. */
  holderOf(key: string): Promise<KeyHolder | null>;
  /** Without I/O: only keys already known. */
  knownHolderOf(key: string): KeyHolder | null;
  /** Every change until then is known here, by `performance.now()`. */
  knownAt(): number;
  publisher(id: string): PublisherAccount | undefined;
  advertiser(id: string): AdvertiserAccount | undefined;
  refresh(): Promise<void>;
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

export async function createAccountDirectory(
  db: Database,
  log: Log,
  options: { resyncMs?: number; clock?: Clock; vouching?: Vouching } = {},
): Promise<AccountDirectory> {
  const clock = options.clock ?? Date.now;
  let keys = new Map<string, KeyRow>();
  let publishers = new Map<string, PublisherAccount>();
  let advertisers = new Map<string, AdvertiserAccount>();
  /** Keys asked for in vain, until when: strangers must not make us ask the database each time. */
  let unknown = createBoundedCache<string, number>(mostUnknown);
  const used = new Set<string>();
  const listeners: (() => void)[] = [];
  const { contact } = db;
  /** When what is here was read, and by which connection changes since then are told. */
  let read = { at: performance.now(), epoch: 0 };

  async function load(): Promise<void> {
    const started = { at: performance.now(), epoch: contact?.epoch ?? 0 };
    const [keyRows, publisherRows, advertiserRows] = [
      await loadKeys(db),
      await loadPublishers(db),
      await loadAdvertisers(db),
    ];
    keys = new Map(keyRows.map((row) => [row.keyHash, row]));
    publishers = new Map(publisherRows.map((row) => [row.id, row]));
    advertisers = new Map(advertiserRows.map((row) => [row.id, row]));
    unknown = createBoundedCache(mostUnknown);
    read = started;
    for (const listener of listeners) listener();
  }

  function knownAt(): number {
    return contact !== undefined && read.epoch === contact.epoch
      ? Math.max(read.at, contact.heardAt)
      : read.at;
  }

  const follower = await follow({
    db,
    log,
    what: 'accounts',
    channel: channels.accounts,
    load,
    resyncMs: options.resyncMs ?? 15_000,
    async resync() {
      const ids = [...used];
      used.clear();
      await touchKeys(db, ids);
      await follower.refresh();
    },
  });
  const { refresh } = follower;

  const holder = (row: KeyRow): KeyHolder => {
    used.add(row.id);
    return { keyId: row.id, kind: row.accountKind, accountId: row.accountId, scopes: row.scopes };
  };
  const hasEnded = (row: KeyRow): boolean =>
    row.expiresAt !== null && row.expiresAt.getTime() <= clock();

  // Of keys that are known: the same few call again and again, and each is hashed twice a request.
  const hashes = createBoundedCache<string, string>(mostHashes);
  const hashOf = (key: string): string => {
    const known = hashes.get(key);
    if (known !== undefined) return known;
    const hash = hashSecret(key);
    if (keys.has(hash)) hashes.set(key, hash);
    return hash;
  };

  return {
    knownHolderOf(key) {
      const row = keys.get(hashOf(key));
      return row === undefined || hasEnded(row) ? null : holder(row);
    },
    async holderOf(key) {
      if (options.vouching !== undefined && options.vouching.doubt(knownAt()) !== null)
        throw new AppError('temporarily_unavailable', { retryAfterSeconds: 5 });
      const hash = hashOf(key);
      const row = keys.get(hash);
      if (row !== undefined) return hasEnded(row) ? null : holder(row);
      // A key made a moment ago on another node.
      if ((unknown.get(hash) ?? 0) > performance.now()) return null;
      const fresh = await loadKey(db, hash);
      if (fresh === null) {
        unknown.set(hash, performance.now() + unknownMs);
        return null;
      }
      if (hasEnded(fresh)) return null;
      await refresh();
      return holder(fresh);
    },
    knownAt,
    publisher: (id) => publishers.get(id),
    advertiser: (id) => advertisers.get(id),
    refresh,
    onChange: (listener) => void listeners.push(listener),
    close: follower.close,
  };
}
