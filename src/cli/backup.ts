import { existsSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { backupDatabase, restoreDataDir } from '../platform/db/backup.js';
import { exportStore } from '../platform/db/export-store.js';
import { checkExport, isExport } from '../platform/db/check-export.js';
import { importStore } from '../platform/db/import-store.js';
import { StoreNotEmpty } from '../platform/db/store-not-empty.js';
import { BrokenTar } from '../platform/db/tar.js';
import { copyJournal } from '../platform/events/journal/copy-journal.js';
import { addSecret } from './add-secret.js';
import { type Command, CommandFailure, type CommandStore, UsageError } from './command.js';

export const backupCommand: Command = {
  help: [
    'Usage: sidelight backup FILE',
    '',
    'Writes everything to FILE, of one moment: the store with everything acknowledged before. A server',
    'that runs on this data folder does it itself and goes on serving; statements of the embedded engine',
    'wait while its files are copied, and the copy needs as much room beside it for a while.',
    'With BACKUP_PASSPHRASE the secret goes along, sealed, and a start with the same BACKUP_PASSPHRASE',
    'opens what was restored; without, what to keep beside FILE is said.',
  ].join('\n'),
  async run({ args, config, openStore, cwd, print }) {
    const [named] = args;
    if (named === undefined) throw new UsageError('say where to: sidelight backup FILE');
    const file = resolve(cwd, named);
    const dir = join(resolve(config.DATA_DIR), 'store');
    if (config.DATABASE_URL === '' && !existsSync(dir))
      throw new CommandFailure(`there is no store in ${config.DATA_DIR}`);
    const store = await openStore();
    try {
      // What the server acknowledged and had not stored yet belongs into the backup.
      await store.settle(print);
      await addSecret(store.db, config, print);
      await copyStore(store, { dir, file, isSealed: config.BACKUP_PASSPHRASE !== '' });
    } finally {
      await store.close();
    }
    print(`backed up to ${named}`);
    return 0;
  },
};

/** Its files where they are ours, with the journal that goes on behind them; else every row. */
async function copyStore(
  { db, nodeDir }: CommandStore,
  { dir, file, isSealed }: { dir: string; file: string; isSealed: boolean },
): Promise<void> {
  const { whileQuiet } = db;
  if (whileQuiet === undefined) return void (await exportStore(db, file, { isSealed }));
  await backupDatabase({ whileQuiet }, dir, file, async (folder) => {
    await copyJournal(join(nodeDir, 'journal'), join(folder, 'journal'));
    if (existsSync(join(nodeDir, 'node')))
      await copyFile(join(nodeDir, 'node'), join(folder, 'node'));
  });
}

export const restoreCommand: Command = {
  help: [
    'Usage: sidelight restore FILE',
    '',
    'Makes the store from a backup: of the embedded engine in DATA_DIR, where none may be; of a PostgreSQL',
    'server (or an export) in DATABASE_URL or DATA_DIR, which must be empty. Nothing is overwritten, and',
    'of a FILE that is not whole nothing is left behind.',
  ].join('\n'),
  async run({ args, config, openStore, cwd, print }) {
    const [named] = args;
    if (named === undefined || !existsSync(resolve(cwd, named)))
      throw new UsageError('name the backup: sidelight restore FILE');
    const file = resolve(cwd, named);
    const store = join(resolve(config.DATA_DIR), 'store');
    if (config.DATABASE_URL === '' && existsSync(store))
      throw new CommandFailure(`${store} exists; move it away first, nothing was changed`);
    if (await isExport(file)) {
      await checkExport(file);
      const isNew = config.DATABASE_URL === '';
      const rows = await restoreRows(openStore, file).catch(async (error: unknown) => {
        if (isNew) await rm(store, { recursive: true, force: true });
        throw error;
      });
      print(`restored ${rows} rows`);
      return 0;
    }
    if (config.DATABASE_URL !== '')
      throw new CommandFailure(
        `${named} is no backup of a PostgreSQL server; restore it without DATABASE_URL, then "sidelight export" and "sidelight import"; nothing was changed`,
      );
    await restoreDataDir(file, store).catch((error: unknown) => {
      if (error instanceof StoreNotEmpty || !isDamage(error)) throw error;
      throw new CommandFailure(
        `${named} is not a whole backup: ${error instanceof Error ? error.message : 'unreadable'}; nothing was changed`,
      );
    });
    print(`restored into ${store}`);
    return 0;
  },
};

async function restoreRows(openStore: () => Promise<CommandStore>, file: string): Promise<number> {
  const store = await openStore();
  try {
    return await importStore(store.db, file);
  } finally {
    await store.close();
  }
}

function isDamage(error: unknown): boolean {
  if (error instanceof BrokenTar) return true;
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
