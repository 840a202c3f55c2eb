import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Db } from '../db/db.js';

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
       values ('master_secret', $1)
       on conflict (name) do nothing`,
      [kept ?? randomBytes(32).toString('base64url')],
    );
  }
  const [row] = await db.query<{ value: string }>(
    `select value from installation where name = 'master_secret'`,
  );
  if (row !== undefined) return row.value;
  if (kept !== null) return kept;
  const made = randomBytes(32).toString('base64url');
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
