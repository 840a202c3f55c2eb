import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Db } from '../platform/db/db.js';
import { backupDatabase, restoreDataDir } from '../platform/db/backup.js';
import { exportStore } from '../platform/db/export-store.js';
import { checkExport, isExport } from '../platform/db/check-export.js';
import { importStore } from '../platform/db/import-store.js';
import { StoreNotEmpty } from '../platform/db/store-not-empty.js';
import { BrokenTar } from '../platform/db/tar.js';
import { copyJournal } from '../platform/events/journal/copy-journal.js';
import { addSecret } from './add-secret.js';
import { loadPosition } from '../platform/events/journal/position-queries.js';
import { listSegments } from '../platform/events/journal/segment-files.js';
import {
  type Command,
  CommandFailure,
  type CommandInput,
  type CommandStore,
  parseOptions,
  UsageError,
} from './command.js';
import { replayJournal } from './replay-journal.js';
import { beginRestore, clearUnfinished } from './unfinished-restore.js';

export const backupCommand: Command = {
  help: [
    'Usage: sidelight backup FILE',
    '',
    'Writes everything to FILE, of one moment: the store with everything acknowledged before, by all',
    'processes of this data folder. A server that runs on it does it itself and goes on serving;',
    'statements of the embedded engine wait while its files are copied, and the copy needs as much room',
    'beside it for a while.',
    'With BACKUP_PASSPHRASE the secret goes along, sealed, and a start with the same BACKUP_PASSPHRASE',
    'opens what was restored; without, what to keep beside FILE is said.',
  ].join('\n'),
  async run({ args, config, openStore, cwd, print }) {
    const [named] = args;
    if (named === undefined) throw new UsageError('say where to: sidelight backup FILE');
    const file = resolve(cwd, named);
    const dir = join(resolve(config.DATA_DIR), 'store');
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
  const journal = join(nodeDir, 'journal');
  const applied = await appliedSegment(db, journal);
  await backupDatabase({ whileQuiet }, dir, file, async (folder) => {
    await copyJournal(journal, join(folder, 'journal'), applied);
    if (existsSync(join(nodeDir, 'node')))
      await copyFile(join(nodeDir, 'node'), join(folder, 'node'));
  });
}

async function appliedSegment(db: Db, journal: string): Promise<number> {
  const id = join(journal, 'id');
  if (!existsSync(id)) return 0;
  return (await loadPosition(db, readFileSync(id, 'utf8').trim()))?.segment ?? 0;
}

export const restoreCommand: Command = {
  help: [
    'Usage: sidelight restore FILE [--journal FOLDER [--until TIME]]',
    '',
    'Makes the store from a backup: of the embedded engine in DATA_DIR, where none may be; of a PostgreSQL',
    'server (or an export) in DATABASE_URL or DATA_DIR, which must be empty. Nothing is overwritten, and',
    'of a FILE that is not whole nothing is left behind.',
    '',
    'With --journal what came after the backup is applied from copies of the journals (JOURNAL_SHIP_DIR,',
    'or the journal of a node that is left), to the last, or to TIME: 2026-11-16T12:00:00Z.',
  ].join('\n'),
  async run(input) {
    const { config, openStore, cwd, print } = input;
    const { values, rest } = parseOptions(input.args, { values: ['journal', 'until'] });
    const [named] = rest;
    const replay = replayOf(values, cwd);
    if (named === undefined) throw new UsageError('name the backup: sidelight restore FILE');
    const file = resolve(cwd, named);
    if (!existsSync(file))
      throw new CommandFailure(`there is no file ${file}; nothing was changed`);
    const into = { named, file, replay, print, openStore };
    if (config.DATABASE_URL !== '') await restoreIntoServer(into, config.DATA_DIR);
    else await restoreIntoFolder(into, resolve(config.DATA_DIR));
    return 0;
  },
};

interface Restore extends Pick<CommandInput, 'openStore' | 'print'> {
  named: string;
  file: string;
  replay: Replay | null;
}

async function restoreIntoServer(restore: Restore, dataDir: string): Promise<void> {
  const { named, file, replay } = restore;
  if (!(await isExport(file)))
    throw new CommandFailure(
      `${named} is no backup of a PostgreSQL server; restore it without DATABASE_URL, then "sidelight export" and "sidelight import"; nothing was changed`,
    );
  await checkExport(file);
  if (replay !== null) refuseForeignJournals(dataDir);
  await restoreRows(restore);
}

async function restoreIntoFolder(restore: Restore, dataDir: string): Promise<void> {
  const { file } = restore;
  const rows = await isExport(file);
  if (rows) await checkExport(file);
  await clearUnfinished(dataDir);
  const store = join(dataDir, 'store');
  if (existsSync(store))
    throw new CommandFailure(`${store} exists; move it away first, nothing was changed`);
  const restoring = await beginRestore(dataDir, file);
  try {
    if (rows) await restoreRows(restore);
    else await restoreFiles(restore, store);
  } catch (error) {
    await restoring.undo();
    throw error;
  }
  await restoring.done();
}

async function restoreFiles(
  { named, file, replay, print, openStore }: Restore,
  store: string,
): Promise<void> {
  await restoreDataDir(file, store).catch((error: unknown) => {
    if (error instanceof StoreNotEmpty || !isDamage(error)) throw error;
    throw new CommandFailure(
      `${named} is not a whole backup: ${error instanceof Error ? error.message : 'unreadable'}; nothing was changed`,
    );
  });
  print(`restored into ${store}`);
  if (replay !== null) await withStore(openStore, (opened) => replayJournal(opened, replay, print));
}

interface Replay {
  folder: string;
  until: number;
}

function replayOf({ journal, until }: Record<string, string>, cwd: string): Replay | null {
  if (journal === undefined) {
    if (until !== undefined) throw new UsageError('--until needs --journal FOLDER');
    return null;
  }
  const folder = resolve(cwd, journal);
  if (!existsSync(folder)) throw new UsageError(`there is no folder ${journal}`);
  const at = until === undefined ? Infinity : Date.parse(until);
  if (Number.isNaN(at)) throw new UsageError('--until takes a time such as 2026-11-16T12:00:00Z');
  return { folder, until: at };
}

/** A start would apply what they hold, of whatever time. */
function refuseForeignJournals(dataDir: string): void {
  const nodes = join(resolve(dataDir), 'nodes');
  const corners = existsSync(nodes) ? readdirSync(nodes) : [];
  for (const corner of corners) {
    const journal = join(nodes, corner, 'journal');
    if (existsSync(journal) && listSegments(journal).length > 0)
      throw new CommandFailure(
        `${journal} holds events of the server before: move it away, or give it as --journal; nothing was changed`,
      );
  }
}

async function withStore<T>(
  openStore: CommandInput['openStore'],
  work: (store: CommandStore) => Promise<T>,
): Promise<T> {
  const store = await openStore({ isRestored: true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function restoreRows({ openStore, file, replay, print }: Restore): Promise<void> {
  return withStore(openStore, async (store) => {
    print(`restored ${await importStore(store.db, file)} rows`);
    if (replay !== null) await replayJournal(store, replay, print);
  });
}

function isDamage(error: unknown): boolean {
  if (error instanceof BrokenTar) return true;
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
