import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { Db } from '../db/db.js';
import { createSealer, type Sealer } from './sealer.js';

const mark = 'scrypt1';
const about = 'backup_secret';

/**
 * The master secret, sealed with the passphrase of backups, lies in the store itself: every copy of
 * the store, however it was made, can be opened by who knows the passphrase, and by nobody else.
 */
export async function keepForBackups(db: Db, secret: string, passphrase: string): Promise<void> {
  const kept = await readKept(db);
  if (kept !== null && (await openKept(kept, passphrase)) === secret) return;
  const salt = randomBytes(16).toString('base64url');
  const sealed = (await sealerOf(passphrase, salt)).seal(secret, about);
  await db.query(
    `insert into installation (name, value)
     values ('backup_secret', $1)
     on conflict (name) do update set value = excluded.value`,
    [`${mark}.${salt}.${sealed}`],
  );
}

/** What a backup brought along, if anything; null also where the passphrase is another. */
export async function readForBackups(db: Db, passphrase: string): Promise<string | null> {
  const kept = await readKept(db);
  return kept === null || passphrase === '' ? null : openKept(kept, passphrase);
}

async function readKept(db: Db): Promise<string | null> {
  const [row] = await db.query<{ value: string }>(
    `select value from installation where name = 'backup_secret'`,
  );
  return row?.value ?? null;
}

async function openKept(kept: string, passphrase: string): Promise<string | null> {
  const [found, salt = '', sealed = ''] = kept.split('.');
  if (found !== mark) return null;
  const sealer = await sealerOf(passphrase, salt);
  try {
    return sealer.open(sealed, about);
  } catch {
    return null;
  }
}

async function sealerOf(passphrase: string, salt: string): Promise<Sealer> {
  const derive = promisify<string, string, number, object, Buffer>(scrypt);
  const key = await derive(passphrase, salt, 32, { N: 1 << 15, r: 8, p: 1, maxmem: 64 << 20 });
  return createSealer(key.toString('base64url'));
}
