import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { buildDir, migrationsDir } from '../../../test/support/test-database.js';
import { DataDirInUse, DataDirUnwritable } from './data-dir-errors.js';
import { EmbeddedEngineCrashed } from './embedded-engine.js';
import { vacuumWornTables } from './embedded-maintenance.js';
import { exclusiveQueue, SessionWaitTimeout } from './exclusive-queue.js';
import { openEmbeddedDatabase } from './open-embedded-database.js';
import { ensureTemplate } from './template.js';

const CHILD = fileURLToPath(
  new URL('../../../test/support/commit-until-killed.js', import.meta.url),
);

describe('embedded database on disk', () => {
  let home: string;
  let template: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'sidelight-embedded-'));
    template = await ensureTemplate(buildDir, migrationsDir);
  });
  after(() => rm(home, { recursive: true, force: true }));

  const startChild = (
    dir: string,
    from = 0,
  ): { child: ChildProcess; lines: AsyncIterable<string> } => {
    const child = spawn(process.execPath, [CHILD, dir, template, String(from)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    assert(child.stdout);
    return { child, lines: createInterface({ input: child.stdout }) };
  };

  it('keeps every acknowledged row through kill -9, round after round', async () => {
    const dir = join(home, 'killed');
    const acknowledged: number[] = [];
    for (const commits of [40, 3, 75]) {
      const { child, lines } = startChild(dir, (acknowledged.at(-1) ?? -1) + 2);
      let left = commits;
      for await (const line of lines) {
        acknowledged.push(Number(line));
        left -= 1;
        // What is printed between the signal and the end was acknowledged too, so keep reading.
        if (left === 0) child.kill('SIGKILL');
      }
    }
    assert(acknowledged.length >= 118 && acknowledged.every(Number.isInteger));
    const db = await openEmbeddedDatabase(dir);
    const [stored] = await db.query<{ n: number }>(
      'select count(*) as n from acknowledged where id = any($1)',
      [acknowledged],
    );
    await db.close();
    assert.equal(stored?.n, acknowledged.length);
  });

  it('refuses a directory another process has open, and takes it when that process is gone', async () => {
    const dir = join(home, 'shared');
    const { child, lines } = startChild(dir);
    const reader = lines[Symbol.asyncIterator]();
    await reader.next();
    await assert.rejects(openEmbeddedDatabase(dir), DataDirInUse);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const db = await openEmbeddedDatabase(dir);
    await assert.rejects(openEmbeddedDatabase(dir), DataDirInUse);
    await db.close();
    assert.deepEqual(
      (await readdir(home)).filter((name) => name.startsWith('shared')),
      ['shared'],
    );
  });

  it('syncs to disk at least once for every commit', async () => {
    const db = await openEmbeddedDatabase(join(home, 'synced'), { template });
    await db.script('create table synced (id integer primary key)');
    for (let id = 0; id < 20; id += 1) {
      const before = db.syncs();
      await db.query('insert into synced values ($1)', [id]);
      assert(db.syncs() > before, `commit ${id} was not synced`);
    }
    await db.close();
  });

  it('recovers by itself when the engine stops, with everything acknowledged and its listeners', async () => {
    const db = await openEmbeddedDatabase(join(home, 'stopped'), { template });
    await db.script('create table kept (id integer primary key); insert into kept values (1)');
    const heard: string[] = [];
    await db.listen('news', (payload) => heard.push(payload));
    // As on a full disk: the next piece of the log cannot be created, and PostgreSQL panics.
    await rename(join(home, 'stopped', 'pg_wal'), join(home, 'away'));
    await assert.rejects(
      db.transaction(async (tx) => {
        await tx.query('insert into kept values (2)');
        await tx.query('select pg_switch_wal()');
        await tx.query('insert into kept values (3)');
      }),
      EmbeddedEngineCrashed,
    );
    await assert.rejects(db.query('select 1'));
    await rename(join(home, 'away'), join(home, 'stopped', 'pg_wal'));
    assert.deepEqual(await db.query('select id from kept'), [{ id: 1 }]);
    await db.query("select pg_notify('news', 'again')");
    assert.deepEqual(heard, ['', 'again']);
    await db.close();
    await assert.rejects(db.query('select 1'), /closed/);
  });

  it('gives memory back by starting again, with its rows, its listeners and who waits', async () => {
    const db = await openEmbeddedDatabase(join(home, 'again'), { template });
    const heard: string[] = [];
    await db.listen('news', (payload) => heard.push(payload));
    await db.query('create table notes (n integer primary key)');
    const [, , rows] = await Promise.all([
      db.query('insert into notes values (1)'),
      db.giveBack?.(),
      db.query<{ n: number }>('select n from notes'),
    ]);
    assert.deepEqual(rows, [{ n: 1 }]);
    await db.query(`notify news, 'after'`);
    assert.deepEqual(heard, ['after']);
    await db.close();
  });

  it('starts over when the process died while creating it', async () => {
    const dir = join(home, 'halfway');
    await mkdir(`${dir}.tmp`);
    await writeFile(join(`${dir}.tmp`, 'PG_VERSION'), 'half');
    const db = await openEmbeddedDatabase(dir, { template });
    assert.deepEqual(await db.query('select 1 as one'), [{ one: 1 }]);
    await db.close();
    assert.equal(existsSync(`${dir}.tmp`), false);
  });

  it('creates a database without a template', async () => {
    const db = await openEmbeddedDatabase(join(home, 'deep', 'er', 'fresh'));
    assert.deepEqual(
      await db.query(
        "select current_setting('fsync') as fsync, current_setting('wal_sync_method') as method",
      ),
      [{ fsync: 'on', method: 'fsync' }],
    );
    await db.close();
  });

  it('names a folder it cannot write to', async () => {
    await writeFile(join(home, 'file'), '');
    await assert.rejects(openEmbeddedDatabase(join(home, 'file', 'data')), DataDirUnwritable);
  });

  it('does not touch a folder that holds something else', async () => {
    const dir = join(home, 'photos');
    await mkdir(dir);
    await writeFile(join(dir, 'cat.jpg'), 'meow');
    await assert.rejects(openEmbeddedDatabase(dir, { template }));
    assert.deepEqual(await readdir(dir), ['cat.jpg']);
  });

  it('fails a statement that waits for its own transaction, instead of hanging', async () => {
    const db = await openEmbeddedDatabase(null, { template, stuckMs: 50 });
    await assert.rejects(
      db.transaction(async () => db.query('select 1')),
      SessionWaitTimeout,
    );
    assert.deepEqual(await db.query('select 1 as one'), [{ one: 1 }]);
    await db.close();
  });

  it('lets a statement wait as long as those before it end one after the other', async () => {
    const exclusive = exclusiveQueue(400);
    const rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
    const before = Array.from({ length: 12 }, () => exclusive(() => rest(50)));
    assert.equal(await exclusive(async () => 'had its turn'), 'had its turn');
    await Promise.all(before);
  });

  it('vacuums tables that have worn out', async () => {
    const db = await openEmbeddedDatabase(null, { template });
    await db.script(
      'create table worn (id integer primary key, n integer); insert into worn select i, 0 from generate_series(1, 1000) i',
    );
    await db.query('update worn set n = n + 1');
    await vacuumWornTables(db);
    const [state] = await db.query<{ tuples: number }>(
      "select reltuples as tuples from pg_class where relname = 'worn'",
    );
    assert.equal(state?.tuples, 1000);
    await db.close();
  });

  it('lets an index of ranges know the rows of a table that only grows', async () => {
    const db = await openEmbeddedDatabase(null, { template });
    await db.script(
      `create table grown (at integer, filling text);
       create index grown_at on grown using brin (at) with (pages_per_range = 4);
       insert into grown select i, repeat('x', 200) from generate_series(1, 20000) i`,
    );
    await vacuumWornTables(db);
    const [left] = await db.query<{ ranges: number }>(
      "select brin_summarize_new_values('grown_at') as ranges",
    );
    assert.equal(left?.ranges, 0);
    await db.close();
  });
});
