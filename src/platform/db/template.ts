import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from './db.js';
import { migrate, migrationsChecksum, readMigrations } from './migrate.js';
import { openEmbeddedDatabase } from './open-embedded-database.js';
import { withoutFiles } from './tar.js';
import { dayMs } from '../../domain/time/utc-day.js';

const LOG_FILE = /\/pg_wal\/([0-9A-F]{24})$/;
const FILE_NAME = /^template-[0-9a-f]{16}\.tar$/;

/** Where the template for these migrations lies, whether or not it is there yet. */
export async function templatePath(buildDir: string, migrationsDir: string): Promise<string> {
  return join(buildDir, `template-${migrationsChecksum(await readMigrations(migrationsDir))}.tar`);
}

/**
 * Makes the data directory a first start and the tests begin with: migrated and empty. Creating it
 * takes seconds, so it
 * is done once per set of migrations.
 */
export async function ensureTemplate(buildDir: string, migrationsDir: string): Promise<string> {
  const path = await templatePath(buildDir, migrationsDir);
  if (existsSync(path)) return path;
  const db = await openEmbeddedDatabase(null);
  try {
    await migrate(db, migrationsDir);
    // Nobody creates databases in here, and their templates are half of the bytes and files a first
    // start has to write.
    await db.query(
      "update pg_database set datistemplate = false where datname in ('template0', 'template1')",
    );
    for (const unused of ['template0', 'template1']) await db.query(`drop database ${unused}`);
    await db.query('vacuum analyze');
    const bytes = withoutFiles(await db.dump('none'), await isLogMadeAhead(db));
    await mkdir(buildDir, { recursive: true });
    // Under a name of its own first: another process may be reading or making the same file.
    const aside = join(buildDir, `.template-${randomUUID()}`);
    await writeFile(aside, bytes);
    await rename(aside, path);
  } finally {
    await db.close();
  }
  await removeOlder(buildDir, path);
  return path;
}

/**
 * A third of the bytes would be a log file nobody has written to yet: the engine makes it when it
 * must.
 */
async function isLogMadeAhead(db: Db): Promise<(path: string) => boolean> {
  const [row] = await db.query<{ name: string }>(
    'select pg_walfile_name(pg_current_wal_lsn()) as name',
  );
  return (path) => {
    const [, segment] = LOG_FILE.exec(path) ?? [];
    return segment !== undefined && segment > row!.name;
  };
}

/** Not those of today: another process may be about to read one. */
async function removeOlder(buildDir: string, keep: string): Promise<void> {
  for (const file of await readdir(buildDir)) {
    const path = join(buildDir, file);
    if (!FILE_NAME.test(file) || path === keep) continue;
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > dayMs) await rm(path, { force: true });
  }
}
