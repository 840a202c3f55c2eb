import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { backupDataDir, restoreDataDir } from '../platform/db/backup.js';
import { BrokenTar } from '../platform/db/tar.js';
import { addSecret } from './add-secret.js';
import { applyJournal } from './apply-journal.js';
import { type Command, CommandFailure, UsageError } from './command.js';
import { openStore } from './open-store.js';

export const backupCommand: Command = {
  help: 'Usage: sidelight backup FILE\n\nWrites a consistent copy of the embedded store under DATA_DIR, with what its journal still held, to FILE. Stop the server first. With BACKUP_PASSPHRASE the secret goes along, sealed, and a start with the same BACKUP_PASSPHRASE opens what was restored. For a PostgreSQL server use its own tools, or "sidelight export".',
  async run({ args, config, print }) {
    const [file] = args;
    if (file === undefined) throw new UsageError('say where to: sidelight backup FILE');
    if (config.DATABASE_URL !== '')
      throw new CommandFailure(
        'DATABASE_URL is set: use pg_dump for a PostgreSQL server, or "sidelight export"',
      );
    const store = join(resolve(config.DATA_DIR), 'store');
    if (!existsSync(store)) throw new CommandFailure(`there is no store in ${config.DATA_DIR}`);
    // What the server acknowledged and had not stored yet belongs into the backup.
    const opened = await openStore(config);
    try {
      await applyJournal(opened, print);
      await addSecret(opened.db, config, print);
    } finally {
      await opened.close();
    }
    await backupDataDir(store, file);
    print(`backed up to ${file}`);
    return 0;
  },
};

export const restoreCommand: Command = {
  help: 'Usage: sidelight restore FILE\n\nUnpacks a backup into DATA_DIR. Refuses to overwrite a store that is there: move it away first.',
  async run({ args, config, print }) {
    const [file] = args;
    if (file === undefined || !existsSync(file))
      throw new UsageError('name the backup: sidelight restore FILE');
    const store = join(resolve(config.DATA_DIR), 'store');
    if (existsSync(store))
      throw new CommandFailure(`${store} exists; move it away first, nothing was changed`);
    await restoreDataDir(file, store).catch((error: unknown) => {
      if (!isDamage(error)) throw error;
      throw new CommandFailure(
        `${file} is not a whole backup: ${error instanceof Error ? error.message : 'unreadable'}; nothing was changed`,
      );
    });
    print(`restored into ${store}`);
    return 0;
  },
};

function isDamage(error: unknown): boolean {
  if (error instanceof BrokenTar) return true;
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
