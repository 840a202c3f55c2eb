import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from './db.js';

export interface Migration {
  version: number;
  name: string;
  sql: string;
  checksum: string;
}

export class DatabaseNewerThanCode extends Error {
  override readonly name = 'DatabaseNewerThanCode';
}

export class MigrationChanged extends Error {
  override readonly name = 'MigrationChanged';
}

export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed';
}

const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/;
/** Any fixed number: nodes that start together queue on it. */
const ADVISORY_LOCK = 7_236_112_045;

/** Reads `NNNN_name.sql` files in order; other files are ignored. */
export async function readMigrations(dir: string): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const file of (await readdir(dir)).sort()) {
    const [, version, name] = FILE_NAME.exec(file) ?? [];
    if (version === undefined || name === undefined) continue;
    const sql = await readFile(join(dir, file), 'utf8');
    migrations.push({
      version: Number(version),
      name,
      sql,
      checksum: createHash('sha256').update(sql).digest('hex'),
    });
  }
  const twice = migrations.find(
    (migration, at) => migrations[at - 1]?.version === migration.version,
  );
  if (twice) throw new MigrationChanged(`two migration files have the number ${twice.version}`);
  return migrations;
}

/** One value for a whole set of migrations, to name templates built from it. */
export function migrationsChecksum(migrations: readonly Migration[]): string {
  const all = migrations.map(({ version, checksum }) => `${version} ${checksum}`).join('\n');
  return createHash('sha256').update(all).digest('hex').slice(0, 16);
}

/**
 * Applies what is missing, one transaction a file; safe when several nodes start at once. Returns
 * the applied ones.
 */
export async function migrate(db: Db, dir: string): Promise<Migration[]> {
  const migrations = await readMigrations(dir);
  if ((await pendingMigrations(db, migrations)).length === 0) return [];
  const applied: Migration[] = [];
  for (const migration of migrations) {
    const ran = await db.transaction((tx) => applyOnce(tx, migrations, migration));
    if (ran) applied.push(migration);
  }
  return applied;
}

async function applyOnce(
  tx: Db,
  migrations: readonly Migration[],
  migration: Migration,
): Promise<boolean> {
  // Held to the end of the transaction; a node that waited here finds the file applied.
  await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
  await tx.script(`set local statement_timeout = 0;
    create table if not exists schema_migrations (
      version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`);
  const pending = await pendingMigrations(tx, migrations);
  if (!pending.some(({ version }) => version === migration.version)) return false;
  await tx.script(migration.sql).catch((cause: unknown) => {
    throw new MigrationFailed(
      `migration ${migration.version} (${migration.name}) failed: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  });
  await tx.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
    migration.version,
    migration.name,
    migration.checksum,
  ]);
  return true;
}

/** Whether this database ever was one of ours. */
export async function hasMigrations(db: Db): Promise<boolean> {
  const [table] = await db.query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  );
  return table?.exists === true;
}

/**
 * What the database lacks. Throws when it has what the code does not know, or knows differently.
 */
export async function pendingMigrations(
  db: Db,
  migrations: readonly Migration[],
): Promise<Migration[]> {
  if (!(await hasMigrations(db))) return [...migrations];
  const known = new Map(migrations.map((migration) => [migration.version, migration]));
  const applied = await db.query<{ version: number; name: string; checksum: string }>(
    'select version, name, checksum from schema_migrations order by version',
  );
  for (const { version, name, checksum } of applied) {
    const migration = known.get(version);
    if (!migration) {
      throw new DatabaseNewerThanCode(
        `the database has migration ${version} (${name}), which this version does not know; start a newer version`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new MigrationChanged(
        `migration ${version} (${name}) was changed after this database applied it; restore the file and add a new one`,
      );
    }
    known.delete(version);
  }
  return [...known.values()];
}

/** What the letters of this database are stored in; anything but UTF8 loses some. */
export async function databaseEncoding(db: Db): Promise<string> {
  const [row] = await db.query<{ name: string }>(`select getdatabaseencoding() as name`);
  return row?.name ?? '';
}
