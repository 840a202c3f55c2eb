import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  migrationsDir,
  openServerTestDatabase,
  testEngines,
} from '../../../test/support/test-database.js';
import type { Database } from './db.js';
import {
  DatabaseNewerThanCode,
  migrate,
  MigrationChanged,
  MigrationFailed,
  readMigrations,
} from './migrate.js';
import { openServerDatabase } from './open-server-database.js';

async function migrationFolder(files: Record<string, string>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'sidelight-migrations-'));
  for (const [name, sql] of Object.entries(files)) await writeFile(join(dir, name), sql);
  return dir;
}

const FIRST = {
  '0001_first.sql': 'create table first (id integer primary key); insert into first values (1);',
};
const SECOND = { '0002_second.sql': 'create table second (id integer primary key);' };
const RESET = 'drop table if exists schema_migrations, first, second, third';

for (const engine of testEngines()) {
  describe(`migrations, ${engine.name}`, () => {
    let db: Database;
    before(async () => {
      db = await engine.open();
    });
    after(() => db.close());

    it('a test database is fully migrated', async () => {
      const versions = (await readMigrations(migrationsDir)).map(({ version }) => ({ version }));
      assert.deepEqual(
        await db.query('select version from schema_migrations order by version'),
        versions,
      );
    });

    it('apply once, in order, and only what is missing', async () => {
      await db.script(RESET);
      const one = await migrationFolder(FIRST);
      const two = await migrationFolder({ ...FIRST, ...SECOND, 'schema.sql': 'not a migration' });
      assert.deepEqual(
        (await migrate(db, one)).map(({ name }) => name),
        ['first'],
      );
      assert.deepEqual(
        (await migrate(db, two)).map(({ name }) => name),
        ['second'],
      );
      assert.deepEqual(await migrate(db, two), []);
      assert.deepEqual(await db.query('select count(*) as n from first'), [{ n: 1 }]);
      await assert.rejects(migrate(db, one), DatabaseNewerThanCode);
      const edited = await migrationFolder({
        ...FIRST,
        '0002_second.sql': 'create table second (id text primary key);',
      });
      await assert.rejects(migrate(db, edited), MigrationChanged);
      for (const dir of [one, two, edited]) await rm(dir, { recursive: true });
    });

    it('a failing file leaves nothing behind and names itself', async () => {
      await db.script(RESET);
      const dir = await migrationFolder({
        ...FIRST,
        '0002_broken.sql': 'create table third (id integer primary key); select 1 / 0;',
      });
      await assert.rejects(
        migrate(db, dir),
        (error) => error instanceof MigrationFailed && /0*2 \(broken\)/.test(error.message),
      );
      assert.deepEqual(
        await db.query(
          "select to_regclass('third') as third, count(*) as n from schema_migrations",
        ),
        [{ third: null, n: 1 }],
      );
      await rm(dir, { recursive: true });
    });
  });
}

describe('migrations on a shared server', () => {
  it('run once when several nodes start together', async () => {
    const { database, url } = await openServerTestDatabase({ migrated: false });
    const nodes = await Promise.all(Array.from({ length: 4 }, () => openServerDatabase(url)));
    const applied = await Promise.all(nodes.map((node) => migrate(node, migrationsDir)));
    const versions = (await readMigrations(migrationsDir)).map(({ version }) => version);
    assert.deepEqual(
      applied
        .flat()
        .map(({ version }) => version)
        .sort((a, b) => a - b),
      versions,
    );
    await Promise.all(nodes.map((node) => node.close()));
    await database.close();
  });
});
