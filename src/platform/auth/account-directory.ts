import { channels } from '../channels.js';
import { type BoundedCache, createBoundedCache } from '../bounded-cache.js';
import type { Clock } from '../clock.js';
import type { Contact, Database } from '../db/db.js';
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
  /** The same, and null as well while it cannot be known whether the key was revoked. */
  vouchedHolderOf(key: string): KeyHolder | null;
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
  let accounts: Accounts = { keys: new Map(), publishers: new Map(), advertisers: new Map() };
  /** Keys asked for in vain, until when: strangers must not make us ask the database each time. */
  let unknown = createBoundedCache<string, number>(mostUnknown);
  const used = new Set<string>();
  const listeners: (() => void)[] = [];
  const reading = datedReading(db.contact);

  async function load(): Promise<void> {
    const started = reading.start();
    accounts = await loadAccounts(db);
    unknown = createBoundedCache(mostUnknown);
    reading.done(started);
    for (const listener of listeners) listener();
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

  const holder = (row: KeyRow | null | undefined): KeyHolder | null => {
    if (row == null || hasEnded(row, clock())) return null;
    used.add(row.id);
    return { keyId: row.id, kind: row.accountKind, accountId: row.accountId, scopes: row.scopes };
  };
  const hashOf = rememberHashes((hash) => accounts.keys.has(hash));

  const isInDoubt = (): boolean => (options.vouching?.doubt(reading.knownAt()) ?? null) !== null;
  const knownHolderOf = (key: string): KeyHolder | null => holder(accounts.keys.get(hashOf(key)));

  return {
    knownHolderOf,
    vouchedHolderOf: (key) => (isInDoubt() ? null : knownHolderOf(key)),
    async holderOf(key) {
      if (isInDoubt()) throw new AppError('temporarily_unavailable', { retryAfterSeconds: 5 });
      const hash = hashOf(key);
      const known = accounts.keys.get(hash);
      const found = holder(known ?? (await findFresh(db, hash, unknown)));
      if (found !== null && known === undefined) await follower.refresh();
      return found;
    },
    knownAt: reading.knownAt,
    publisher: (id) => accounts.publishers.get(id),
    advertiser: (id) => accounts.advertisers.get(id),
    refresh: follower.refresh,
    onChange: (listener) => void listeners.push(listener),
    close: follower.close,
  };
}

/**
 * Of keys that are known: the same few call again and again, and each is hashed twice a request.
 */
function rememberHashes(isKnown: (hash: string) => boolean): (key: string) => string {
  const hashes = createBoundedCache<string, string>(mostHashes);
  return (key) => {
    const known = hashes.get(key);
    if (known !== undefined) return known;
    const hash = hashSecret(key);
    if (isKnown(hash)) hashes.set(key, hash);
    return hash;
  };
}

interface Accounts {
  /** By the hash of the key. */
  keys: ReadonlyMap<string, KeyRow>;
  publishers: ReadonlyMap<string, PublisherAccount>;
  advertisers: ReadonlyMap<string, AdvertiserAccount>;
}

async function loadAccounts(db: Database): Promise<Accounts> {
  return {
    keys: new Map((await loadKeys(db)).map((row) => [row.keyHash, row])),
    publishers: new Map((await loadPublishers(db)).map((row) => [row.id, row])),
    advertisers: new Map((await loadAdvertisers(db)).map((row) => [row.id, row])),
  };
}

function hasEnded({ expiresAt }: KeyRow, now: number): boolean {
  return expiresAt !== null && expiresAt.getTime() <= now;
}

/** A key made a moment ago on another node. */
async function findFresh(
  db: Database,
  hash: string,
  unknown: BoundedCache<string, number>,
): Promise<KeyRow | null> {
  if ((unknown.get(hash) ?? 0) > performance.now()) return null;
  const fresh = await loadKey(db, hash);
  if (fresh === null) unknown.set(hash, performance.now() + unknownMs);
  return fresh;
}

interface Read {
  at: number;
  epoch: number;
}

/** When what is here was read, and by which connection changes since then are told. */
function datedReading(contact: Contact | undefined) {
  let read: Read = { at: performance.now(), epoch: 0 };
  return {
    start: (): Read => ({ at: performance.now(), epoch: contact?.epoch ?? 0 }),
    done: (started: Read): void => void (read = started),
    knownAt: (): number =>
      contact !== undefined && read.epoch === contact.epoch
        ? Math.max(read.at, contact.heardAt)
        : read.at,
  };
}
