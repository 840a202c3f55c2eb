import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../db/db.js';
import { readForBackups } from './backup-secret.js';

export class WrongSecretKey extends Error {}

/**
 * The secret that seals all others: SECRET_KEY when set; otherwise made once and kept in a file
 * beside the embedded store,
 * or in the shared database, where every node finds it. SECRET_KEY is what keeps it apart from the
 * data.
 */
export async function findMasterSecret(options: {
  secretKey: string;
  dataDir: string;
  db: Db;
  /** Opens what a backup brought along. */
  passphrase?: string;
}): Promise<string> {
  if (options.secretKey !== '') return options.secretKey;
  const { db } = options;
  const path = join(options.dataDir, 'secret.key');
  const kept = existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
  if (db.engine === 'server') {
    // The file is there when the data was moved from an embedded store: what it sealed must stay
    // readable.
    await db.query(
      `insert into installation (name, value)
       select 'master_secret', $1
       where not exists (select from installation where name = 'master_secret')
       on conflict (name) do nothing`,
      [kept ?? (await foundOrMade(db, options.passphrase))],
    );
  }
  const [row] = await db.query<{ value: string }>(
    `select value from installation where name = 'master_secret'`,
  );
  if (row !== undefined) return row.value;
  if (kept !== null) return kept;
  const made = await foundOrMade(db, options.passphrase);
  // Everything sealed from now on is lost without it.
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, `${made}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return made;
}

/** A store that holds sealed things was made with a secret; only an empty one gets a new one. */
async function foundOrMade(db: Db, passphrase = ''): Promise<string> {
  const found = await readForBackups(db, passphrase);
  if (found !== null) return found;
  const [sealed] = await db.query(
    `select
     from tracking_keys
     where not exists (select from installation where name = 'master_secret')
     limit 1`,
  );
  if (sealed === undefined) return randomBytes(32).toString('base64url');
  throw new WrongSecretKey(
    passphrase === ''
      ? 'this store was made with a secret that is not here; BACKUP_PASSPHRASE opens a backup that was made with one'
      : 'this store was made with a secret that is not here, and BACKUP_PASSPHRASE does not open it',
  );
}
