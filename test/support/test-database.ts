import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Database } from '../../src/platform/db/db.js';
import { migrate, migrationsChecksum, readMigrations } from '../../src/platform/db/migrate.js';
import { openEmbeddedDatabase } from '../../src/platform/db/open-embedded-database.js';
import { openServerDatabase } from '../../src/platform/db/open-server-database.js';
import { sqlState } from '../../src/platform/db/session-db.js';
import { ensureTemplate } from '../../src/platform/db/template.js';
import { startPostgresServer } from './postgres-server.js';

// This file runs as build/test/support/test-database.js.
const root = fileURLToPath(new URL('../../../', import.meta.url));
/** SQLSTATE of a database that somebody is still connected to. */
const inUse = '55006';
export const migrationsDir = `${root}migrations`;
export const buildDir = `${root}build`;

export interface TestEngine {
  name: 'embedded' | 'server';
  /** A migrated, empty database of its own; closing it removes it. */
  open(): Promise<Database>;
}

/** Both engines, for `for (const engine of testEngines()) describe(engine.name, …)`. */
export function testEngines(): TestEngine[] {
  return [
    { name: 'embedded', open: openEmbeddedTestDatabase },
    { name: 'server', open: async () => (await openServerTestDatabase()).database },
  ];
}

export async function openEmbeddedTestDatabase(): Promise<Database> {
  return openEmbeddedDatabase(null, { template: await ensureTemplate(buildDir, migrationsDir) });
}

/** Also gives the address, for tests that need a second connection or node. */
export async function openServerTestDatabase(
  options: { migrated?: boolean } = {},
): Promise<{ database: Database; url: string }> {
  const server = await sharedServer();
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = options.migrated === false ? 'template0' : await serverTemplate(server.url);
  await asAdmin(server.url, (admin) => admin.query(`create database ${name} template ${template}`));
  const url = withDatabase(server.url, name);
  const database = await openServerDatabase(url, { maxConnections: 8 });
  const close = async (): Promise<void> => {
    await database.close();
    await asAdmin(server.url, (admin) => admin.query(`drop database ${name} with (force)`));
    await server.release();
  };
  return { database: { ...database, close }, url };
}

/**
 * The server `npm test` started for the whole run; for a file run by hand, one that lives as long
 * as the database.
 */
async function sharedServer(): Promise<{ url: string; release: () => Promise<void> }> {
  const url = process.env.SIDELIGHT_TEST_DATABASE_URL;
  if (url !== undefined) return { url, release: async () => undefined };
  const server = await startPostgresServer();
  return { url: server.url, release: server.stop };
}

/**
 * Migrates a template database once per server; the lock makes the other test processes wait for
 * it.
 */
async function serverTemplate(url: string): Promise<string> {
  const name = `sidelight_${migrationsChecksum(await readMigrations(migrationsDir))}`;
  await asAdmin(url, async (admin) => {
    await admin.query("select pg_advisory_lock(hashtext('sidelight test template'))");
    const ready = await admin.query('select from pg_database where datname = $1', [name]);
    if (ready.rowCount === 1) return;
    // Left by a process that was stopped on the way.
    await admin.query(`drop database if exists ${name}_new with (force)`);
    await admin.query(`create database ${name}_new template template0`);
    const database = await openServerDatabase(withDatabase(url, `${name}_new`), {
      maxConnections: 1,
    });
    await migrate(database, migrationsDir).finally(() => database.close());
    await renameWhenFree(admin, `${name}_new`, name);
  });
  return name;
}

/** On a busy machine the server's process behind a connection ends some time after the connection. */
async function renameWhenFree(admin: pg.Client, from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await admin.query(`alter database ${from} rename to ${to}`);
      return;
    } catch (error) {
      if (sqlState(error) !== inUse || attempt === 100) throw error;
      await sleep(50);
    }
}

async function asAdmin(url: string, work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

function withDatabase(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.href;
}
