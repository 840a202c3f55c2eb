import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config.js';
import { readAdminFile } from '../platform/auth/admin-token.js';
import { analyzeNewTables } from '../platform/db/analyze-table.js';
import { DataDirInUse, inDataDir } from '../platform/db/data-dir-errors.js';
import { lockDataDir } from '../platform/db/data-dir-lock.js';
import type { Database } from '../platform/db/db.js';
import {
  databaseEncoding,
  hasMigrations,
  migrate,
  migrationsChecksum,
  readMigrations,
} from '../platform/db/migrate.js';
import { openEmbeddedDatabase } from '../platform/db/open-embedded-database.js';
import { openServerDatabase } from '../platform/db/open-server-database.js';
import { CommandFailure } from './command.js';
import { packageRoot } from './package-root.js';
import { refuseUnfinished } from './unfinished-restore.js';

export interface Store {
  db: Database;
  /** Where this process keeps what is its own: the journal. */
  nodeDir: string;
  /** Migrations this opening applied. */
  applied: string[];
  close(): Promise<void>;
}

interface Opening {
  /** Called when what remains is done by another thread or machine. */
  onElsewhere?: () => void;
  /** By the restore that is making it. */
  isRestored?: boolean;
  /** Where there is none, none is made: it would answer everything and be in the way. */
  mustExist?: boolean;
}

/** Opens the embedded store or the server, locked and migrated. */
export async function openStore(
  config: Config,
  { onElsewhere, isRestored = false, mustExist = false }: Opening = {},
): Promise<Store> {
  if (config.DATABASE_URL === '' && !isRestored) refuseUnfinished(resolve(config.DATA_DIR));
  if (mustExist) await refuseWithoutStore(config);
  const migrations = join(packageRoot(), 'migrations');
  const place =
    config.DATABASE_URL === ''
      ? await openEmbedded(config, migrations, onElsewhere)
      : await openServer(config, onElsewhere);
  try {
    const applied = await migrate(place.db, migrations);
    await analyzeNewTables(place.db);
    return { ...place, applied: applied.map((migration) => migration.name) };
  } catch (error) {
    await place.close();
    throw error;
  }
}

async function openEmbedded(
  config: Config,
  migrations: string,
  onElsewhere?: () => void,
): Promise<Omit<Store, 'applied'>> {
  const dataDir = resolve(config.DATA_DIR);
  await inDataDir(dataDir, async () => void mkdirSync(dataDir, { recursive: true }));
  const template = join(
    packageRoot(),
    'build',
    `template-${migrationsChecksum(await readMigrations(migrations))}.tar`,
  );
  const db = await openEmbeddedDatabase(join(dataDir, 'store'), {
    ...(existsSync(template) ? { template } : {}),
    ...(onElsewhere === undefined ? {} : { onThread: onElsewhere }),
  }).catch((error: unknown) => {
    const own = readAdminFile(dataDir)?.address;
    if (own === undefined || !(error instanceof DataDirInUse)) throw error;
    throw new DataDirInUse(`${error.message}: Sidelight already runs there, at ${own}`);
  });
  return { db, nodeDir: dataDir, close: () => db.close() };
}

/** Before anything is opened: the folder stays as it is, the database too. */
async function refuseWithoutStore(config: Config): Promise<void> {
  const makes = '"sidelight serve" makes one, "sidelight restore FILE" brings one back';
  if (config.DATABASE_URL === '') {
    if (existsSync(join(resolve(config.DATA_DIR), 'store'))) return;
    throw new CommandFailure(`there is no store in ${config.DATA_DIR}; ${makes}`);
  }
  const db = await openServerDatabase(config.DATABASE_URL, { maxConnections: 1 });
  const isThere = await hasMigrations(db).finally(() => db.close());
  if (isThere) return;
  const { host, pathname } = new URL(config.DATABASE_URL);
  throw new CommandFailure(`there is no store in the database ${host}${pathname}; ${makes}`);
}

/** Nodes that share a data folder each take the first numbered corner of it that is free. */
async function openServer(
  config: Config,
  onElsewhere?: () => void,
): Promise<Omit<Store, 'applied'>> {
  const dataDir = resolve(config.DATA_DIR);
  const connecting = openServerDatabase(config.DATABASE_URL, {
    maxConnections: config.DATABASE_CONNECTIONS,
    silenceMs: config.DATABASE_SILENCE_MS,
    onLate: sayOnce((error) => `${error.message}: it is slow to answer. Waiting for it.`),
  });
  onElsewhere?.();
  const db = await connecting;
  try {
    await refuseOtherLetters(db);
    for (let corner = 1; ; corner += 1) {
      const nodeDir = join(dataDir, 'nodes', String(corner));
      await inDataDir(dataDir, async () => void mkdirSync(nodeDir, { recursive: true }));
      try {
        const lock = await lockDataDir(nodeDir);
        return {
          db,
          nodeDir,
          async close() {
            await db.close();
            await lock.release();
          },
        };
      } catch (error) {
        if (!(error instanceof DataDirInUse) || corner >= 64) throw error;
      }
    }
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Before the first table is made: a name in letters it does not have would be lost later. */
async function refuseOtherLetters(db: Database): Promise<void> {
  const encoding = await databaseEncoding(db);
  if (encoding === 'UTF8' || (await hasMigrations(db))) return;
  throw new CommandFailure(
    `the database stores its letters as ${encoding}, which has no room for all of them. Make one that does: CREATE DATABASE sidelight ENCODING 'UTF8' TEMPLATE template0; and name it in DATABASE_URL.`,
  );
}

/** One line on the error output, however often it is true. */
function sayOnce(describe: (error: Error) => string): (error: Error) => void {
  let isSaid = false;
  return (error) => {
    if (!isSaid) process.stderr.write(`${describe(error)}\n`);
    isSaid = true;
  };
}
