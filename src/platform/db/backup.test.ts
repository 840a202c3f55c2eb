import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib';
import { createInterface } from 'node:readline';
import { buildDir, migrationsDir, testEngines } from '../../../test/support/test-database.js';
import { keepForBackups } from '../secrets/backup-secret.js';
import { findMasterSecret, WrongSecretKey } from '../secrets/master-secret.js';
import { createSealer } from '../secrets/sealer.js';
import { addTrackingKey } from '../secrets/tracking-keys.js';
import { backupDatabase, restoreDataDir, writeDurably } from './backup.js';
import type { Database } from './db.js';
import { exportedTables, exportStore } from './export-store.js';
import { importStore, ImportRefused } from './import-store.js';
import { openEmbeddedDatabase } from './open-embedded-database.js';
import { StoreNotEmpty } from './store-not-empty.js';
import { ensureTemplate } from './template.js';

/**
 * Tables beside the real ones: every awkward type, a cycle of references, a partition, more rows
 * than one batch.
 */
const AWKWARD = `
  create table awkward (
    id integer generated always as identity primary key, at timestamptz, day date, big bigint, amount numeric, ratio float8,
    words text[], doc jsonb, plain json, raw bytea, flag boolean, key uuid, twice integer generated always as (1 + 1) stored);
  create table hen (id integer primary key, egg integer);
  create table egg (id integer primary key, hen integer references hen (id));
  alter table hen add foreign key (egg) references egg (id);
  create table dated (day date, id integer, primary key (day, id)) partition by range (day)`;

const FILL = `
  insert into awkward (at, day, big, amount, ratio, words, doc, plain, raw, flag, key) values
    ('2026-03-04 05:06:07.123456+00', '2026-03-04', 9007199254740993, 0.10, 0.1::float8 + 0.2, '{a,"b,c",NULL,"d\\"e"}', 'null', '{"a": 1,  "a": 2}', '\\x00ff', false, gen_random_uuid()),
    (null, null, null, 'NaN', 'Infinity', '{}', '{"line":"a\\nb"}', null, null, null, null);
  insert into hen values (1, null); insert into egg values (1, 1); update hen set egg = 1;
  create table dated_one partition of dated for values from ('2026-01-01') to ('2026-01-02');
  insert into dated select '2026-01-01', i from generate_series(1, 5000) i`;

async function fingerprint(db: Database): Promise<unknown> {
  const tables = await exportedTables(db);
  const prints: unknown[] = [];
  for (const { table } of tables)
    prints.push([
      table,
      await db.query(
        `select count(*) as n, md5(string_agg(t::text, ',' order by t::text)) as sum from ${table} t`,
      ),
    ]);
  return prints;
}

describe('export and import', () => {
  let home: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'sidelight-backup-'));
  });
  after(() => rm(home, { recursive: true, force: true }));

  for (const source of testEngines()) {
    it(`moves everything from ${source.name} to the other engine and back the same`, async () => {
      const from = await source.open();
      await from.script(AWKWARD);
      await from.script(FILL);
      const file = join(home, `${source.name}.jsonl.gz`);
      const rows = await exportStore(from, file);
      const expected = await fingerprint(from);
      await from.close();
      assert(rows >= 5004);
      for (const target of testEngines()) {
        const to = await target.open();
        await to.script(AWKWARD);
        assert.equal(await importStore(to, file), rows);
        assert.deepEqual(await fingerprint(to), expected);
        await to.query('insert into awkward (big) values (1)');
        await assert.rejects(to.query('insert into egg values (2, 99)'), { code: '23503' });
        await assert.rejects(importStore(to, file), StoreNotEmpty);
        await to.close();
      }
    });
  }

  it('imports nothing from a file that is cut off or tampered with', async () => {
    const [engine] = testEngines();
    assert(engine);
    const from = await engine.open();
    await from.script(AWKWARD);
    const to = await engine.open();
    await to.script(AWKWARD);
    await from.script(FILL);
    const file = join(home, 'whole.jsonl.gz');
    await exportStore(from, file);
    const whole = await readFile(file);
    const lines = gunzipSync(whole).toString().trimEnd().split('\n');
    const variants = {
      cut: whole.subarray(0, whole.length - 100),
      short: gzipSync(lines.slice(0, -1).join('\n')),
      'row-lost': gzipSync(
        lines
          .toSpliced(
            lines.findIndex((line) => line.startsWith('[')),
            1,
          )
          .join('\n'),
      ),
      foreign: gzipSync('{"hello":"world"}\n'),
      plain: Buffer.from('not even gzip'),
      older: gzipSync(
        [JSON.stringify({ ...JSON.parse(lines[0] ?? ''), migrations: [] }), ...lines.slice(1)].join(
          '\n',
        ),
      ),
    };
    const empty = await fingerprint(to);
    for (const [name, bytes] of Object.entries(variants)) {
      await writeFile(join(home, name), bytes);
      await assert.rejects(importStore(to, join(home, name)), ImportRefused, name);
      assert.deepEqual(await fingerprint(to), empty);
    }
    await from.close();
    await to.close();
  });

  it('brings its secret along for who knows the passphrase, and for nobody else', async () => {
    const passphrase = 'a long enough passphrase';
    const folder = () => mkdtemp(join(home, 'secret-'));
    for (const source of testEngines()) {
      const from = await source.open();
      // A server without SECRET_KEY keeps its secret in the store; this one was given it.
      const secretKey = source.name === 'server' ? 'given by the operator, long enough' : '';
      const secret = await findMasterSecret({ secretKey, dataDir: await folder(), db: from });
      await addTrackingKey(from, createSealer(secret));
      for (const earlier of ['an earlier passphrase', passphrase])
        await keepForBackups(from, secret, earlier);
      const file = join(home, `${source.name}-sealed.jsonl.gz`);
      await exportStore(from, file);
      await from.close();
      const lines = gunzipSync(await readFile(file)).toString();
      assert.equal(lines.includes(secret), false);
      for (const target of testEngines()) {
        const db = await target.open();
        await importStore(db, file);
        for (const wrong of ['', 'an earlier passphrase'])
          await assert.rejects(
            findMasterSecret({ secretKey: '', dataDir: await folder(), db, passphrase: wrong }),
            WrongSecretKey,
          );
        const dataDir = await folder();
        assert.equal(await findMasterSecret({ secretKey: '', dataDir, db, passphrase }), secret);
        // From then on it is where it always is.
        assert.equal(await findMasterSecret({ secretKey: '', dataDir, db }), secret);
        await db.close();
      }
    }
  });

  it('writes one JSON value a line', async () => {
    const [engine] = testEngines();
    assert(engine);
    const db = await engine.open();
    const file = join(home, 'lines.jsonl.gz');
    await exportStore(db, file);
    await db.close();
    for await (const line of createInterface({
      input: createReadStream(file).pipe(createGunzip()),
    }))
      JSON.parse(line);
  });
});

describe('a file that is written durably', () => {
  it('is whole whoever writes to it at the same time, and nothing is left beside it', async () => {
    const home = await mkdtemp(join(tmpdir(), 'sidelight-backup-'));
    const file = join(home, 'backup.gz');
    await writeFile(`${file}.0123abcd.part`, 'left by one that was killed');
    await utimes(`${file}.0123abcd.part`, 1, 1);
    async function* lines(letter: string): AsyncGenerator<string> {
      for (let at = 0; at < 300; at += 1) {
        await new Promise(setImmediate);
        yield letter.repeat(1000);
      }
    }
    await Promise.all(['a', 'b', 'c'].map((letter) => writeDurably(file, lines(letter))));
    assert.match(gunzipSync(await readFile(file)).toString(), /^(a+|b+|c+)$/);
    assert.deepEqual(await readdir(home), ['backup.gz']);
    await rm(home, { recursive: true });
  });
});

describe('backup and restore of the embedded store', () => {
  it('brings back everything committed before the backup, and never overwrites a store', async () => {
    const home = await mkdtemp(join(tmpdir(), 'sidelight-backup-'));
    const db = await openEmbeddedDatabase(join(home, 'store'), {
      template: await ensureTemplate(buildDir, migrationsDir),
    });
    await db.script(
      'create table kept (id integer primary key); insert into kept select generate_series(1, 3000)',
    );
    await mkdir(join(home, 'store.backup-1-of-a-process-that-was-killed'));
    // Whoever asks again meanwhile gets a whole one too.
    await Promise.all(
      ['backup.tar.gz', 'backup.tar.gz'].map((name) =>
        backupDatabase(db, join(home, 'store'), join(home, name)),
      ),
    );
    assert.deepEqual((await readdir(home)).sort(), ['backup.tar.gz', 'store', 'store.lock']);
    await db.query('insert into kept values (0)');
    await db.close();
    await assert.rejects(
      restoreDataDir(join(home, 'backup.tar.gz'), join(home, 'store')),
      StoreNotEmpty,
    );
    await restoreDataDir(join(home, 'backup.tar.gz'), join(home, 'restored'));
    const restored = await openEmbeddedDatabase(join(home, 'restored'));
    assert.deepEqual(await restored.query('select count(*) as n, min(id) as first from kept'), [
      { n: 3000, first: 1 },
    ]);
    await restored.close();
    await rm(home, { recursive: true });
  });
});
