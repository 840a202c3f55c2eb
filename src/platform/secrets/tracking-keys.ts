import { announce, channels } from '../channels.js';
import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { Database, Db } from '../db/db.js';
import { follow } from '../follow.js';
import type { Log } from '../log.js';
import type { TrackingKey } from '../../domain/tracking-token.js';
import type { Sealer } from './sealer.js';
import { WrongSecretKey } from './master-secret.js';

/**
 * Keys that seal tracking tokens. The newest seals; all that were ever used still open live URLs.
 */
export interface TrackingKeys {
  current(): TrackingKey;
  find(id: number): KeyObject | undefined;
  close(): Promise<void>;
}

export async function createTrackingKeys(
  db: Database,
  sealer: Sealer,
  log: Log,
  options: { spreadMs?: number; resyncMs?: number } = {},
): Promise<TrackingKeys> {
  await addTrackingKey(db, sealer, { onlyIfNone: true });
  let keys: TrackingKey[] = [];
  let sealing: TrackingKey | undefined;
  let activation: NodeJS.Timeout | null = null;

  async function read(): Promise<TrackingKey[]> {
    const rows = await db.query<{ id: number; sealed: string }>(
      `select id, secret_sealed as sealed from tracking_keys order by created_at, id`,
    );
    try {
      return rows.map((row) => ({
        id: row.id,
        key: createSecretKey(Buffer.from(sealer.open(row.sealed, 'tracking_key'), 'base64url')),
      }));
    } catch (error) {
      throw new WrongSecretKey('the stored tracking keys were sealed under another SECRET_KEY', {
        cause: error,
      });
    }
  }

  async function load(): Promise<void> {
    const fresh = await read();
    const isNew = fresh.at(-1)?.id !== keys.at(-1)?.id;
    keys = fresh;
    if (sealing === undefined) sealing = keys.at(-1);
    else if (isNew) {
      // Other nodes must be able to open what this one seals: a key that turns up while running
      // waits until they know it too.
      if (activation !== null) clearTimeout(activation);
      activation = setTimeout(() => {
        sealing = keys.at(-1);
      }, options.spreadMs ?? 5_000).unref();
    }
  }

  const follower = await follow({
    db,
    log,
    what: 'tracking keys',
    channel: channels.trackingKeys,
    load,
    resyncMs: options.resyncMs ?? 15_000,
  });

  return {
    current() {
      if (sealing === undefined) throw new Error('no tracking key');
      return sealing;
    },
    find: (id) => keys.find((key) => key.id === id)?.key,
    async close() {
      if (activation !== null) clearTimeout(activation);
      await follower.close();
    },
  };
}

/**
 * The number is one byte of every token; after that many rotations the oldest key, long out of use,
 * gives its number away.
 */
const mostKeys = 255;

/** Adds a key that seals from now on. Returns its id. */
export async function addTrackingKey(
  db: Db,
  sealer: Sealer,
  options: { onlyIfNone?: boolean } = {},
): Promise<number | null> {
  const sealed = sealer.seal(randomBytes(32).toString('base64url'), 'tracking_key');
  return db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('sidelight.tracking_keys'))`);
    const rows = await tx.query<{ id: number }>(
      `insert into tracking_keys (id, secret_sealed, created_at)
       select coalesce((array_agg(id order by created_at desc, id desc))[1], 0) % $3::integer + 1,
         $1, clock_timestamp()
       from tracking_keys
       having $2::boolean is false or count(*) = 0
       on conflict (id) do update set secret_sealed = excluded.secret_sealed,
         created_at = excluded.created_at
       returning id`,
      [sealed, options.onlyIfNone ?? false, mostKeys],
    );
    await announce(tx, channels.trackingKeys, null);
    return rows[0]?.id ?? null;
  });
}
