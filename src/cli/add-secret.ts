import { resolve } from 'node:path';
import type { Config } from '../config.js';
import type { Db } from '../platform/db/db.js';
import { keepForBackups } from '../platform/secrets/backup-secret.js';
import { findMasterSecret } from '../platform/secrets/master-secret.js';

/** Puts the secret, sealed, where the copy takes it along, or says what to keep beside the copy. */
export async function addSecret(
  db: Db,
  config: Config,
  print: (line: string) => void,
): Promise<void> {
  const { SECRET_KEY: secretKey, BACKUP_PASSPHRASE: passphrase } = config;
  if (passphrase === '') {
    if (secretKey !== '') print('keep SECRET_KEY too: without it the copy cannot be used');
    else if (db.engine === 'embedded')
      print(
        `keep ${resolve(config.DATA_DIR)}/secret.key too: without it the copy cannot be used. BACKUP_PASSPHRASE puts it into the copy, sealed.`,
      );
    return;
  }
  const dataDir = resolve(config.DATA_DIR);
  await keepForBackups(
    db,
    await findMasterSecret({ secretKey, dataDir, db, passphrase }),
    passphrase,
  );
}
