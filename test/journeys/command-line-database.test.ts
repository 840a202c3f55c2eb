import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startSilentProxy } from '../support/silent-proxy.js';
import { openServerTestDatabase } from '../support/test-database.js';
import {
  askForAd,
  aMoment,
  complains,
  killedRestore,
  newFolder,
  removeFolders,
  start,
  untilShipped,
} from '../support/command-line.js';

describe('the command line and a database server', () => {
  after(removeFolders);

  it('waits for a database that does not answer and says so in one line, without its password', async () => {
    const { database, url } = await openServerTestDatabase();
    const proxy = await startSilentProxy(url);
    proxy.refuse();
    const address = new URL(proxy.url);
    address.password = 'hunter2';
    const server = start(['serve'], { DATABASE_URL: address.href, DATA_DIR: newFolder() });
    const complaint = await server.complained;
    assert.match(complaint, /cannot reach the database.*DATABASE_URL/);
    assert.doesNotMatch(complaint, /hunter2/);
    proxy.restore();
    await server.ready;
    server.child.kill('SIGTERM');
    const ended = await server.ended;
    assert.equal(ended.complaint.trim().split('\n').length, 1, ended.complaint);
    assert.equal(ended.code, 0);
    await proxy.close();
    await database.close();
  });

  it('does not wait for a database that refuses it', async () => {
    const { database, url } = await openServerTestDatabase();
    const nowhere = new URL(url);
    nowhere.pathname = '/no_such_database';
    await complains(
      ['serve'],
      { DATABASE_URL: nowhere.href, DATA_DIR: newFolder() },
      /cannot reach the database.*DATABASE_URL, or make it: CREATE DATABASE no_such_database/,
    );
    await database.close();
  });

  it('a database that takes no writes, or has not all letters, is refused with what to do', async () => {
    const { database, url } = await openServerTestDatabase({ migrated: false });
    const name = new URL(url).pathname.slice(1);
    const latin = `latin_${process.pid}`;
    await database.query(`alter database ${name} set default_transaction_read_only = on`);
    await database.query(
      `create database ${latin} encoding 'LATIN1' locale 'C' template template0`,
    );
    const letters = new URL(url);
    letters.pathname = `/${latin}`;
    for (const [address, said] of [
      [url, new RegExp(`takes no writes.*ALTER DATABASE ${name} SET default_transaction`)],
      [letters.href, /letters as LATIN1.*ENCODING 'UTF8' TEMPLATE template0/],
    ] as const)
      await complains(['serve'], { DATABASE_URL: address, DATA_DIR: newFolder() }, said);
    await database.query(`drop database ${latin}`);
    await database.close();
  });

  it('a role without rights is told what to grant', async () => {
    const { database, url } = await openServerTestDatabase();
    const role = `without_rights_${process.pid}`;
    await database.query(`create role ${role} login password 'none'`);
    const stranger = new URL(url);
    stranger.username = role;
    stranger.password = 'none';
    await complains(
      ['serve'],
      { DATABASE_URL: stranger.href, DATA_DIR: newFolder() },
      new RegExp(`GRANT USAGE, CREATE ON SCHEMA public TO ${role};`),
    );
    const name = stranger.pathname.slice(1);
    await database.query(`revoke connect on database ${name} from public`);
    // The role may stand behind the address, too.
    const other = new URL(stranger);
    [other.username, other.password] = ['', ''];
    other.searchParams.set('user', role);
    other.searchParams.set('password', 'none');
    for (const { href } of [stranger, other])
      await complains(
        ['serve'],
        { DATABASE_URL: href, DATA_DIR: newFolder() },
        new RegExp(`GRANT CONNECT ON DATABASE ${name} TO ${role};`),
      );
    await database.query(`drop role ${role}`);
    await database.close();
  });

  it('leaves a database made by a newer version alone', async () => {
    const { database, url } = await openServerTestDatabase();
    const [table] = await database.query<{ name: string }>(
      `select table_name as name
       from information_schema.columns
       where column_name = 'checksum' and table_schema = 'public'`,
    );
    assert.ok(table !== undefined);
    await database.query(
      `insert into ${table.name}
       select (
           jsonb_populate_record(
             m, '{"number": 9999, "version": 9999, "id": 9999, "name": "9999_future"}'
           )
         ).*
       from ${table.name} m
       limit 1`,
    );
    await complains(['serve'], { DATABASE_URL: url, DATA_DIR: newFolder() }, /newer/);
    await database.close();
  });

  it('starts several nodes at once on an empty database; one of them opens the demo accounts', async () => {
    const { database, url } = await openServerTestDatabase({ migrated: false });
    const folders = [newFolder(), newFolder(), newFolder()];
    const shipped = newFolder();
    const shipping = { JOURNAL_SHIP_DIR: shipped, JOURNAL_SHIP_SECONDS: '1' };
    const nodes = folders.map((DATA_DIR) =>
      start(['serve'], { DATABASE_URL: url, DATA_DIR, DEMO: 'accounts', ...shipping }),
    );
    const outcomes = await Promise.all(
      nodes.map(({ ready, ended }) =>
        Promise.race([ready.then(() => 'ready'), ended.then(({ complaint }) => complaint)]),
      ),
    );
    assert.deepEqual(outcomes, ['ready', 'ready', 'ready']);
    const file = join(newFolder(), 'backup.jsonl.gz');
    const passphrase = { BACKUP_PASSPHRASE: 'a passphrase for the test' };
    const settings = { DATABASE_URL: url, DATA_DIR: folders[0] ?? '', ...passphrase };
    const saved = await start(['backup', file], settings).ended;
    assert.deepEqual([saved.code, saved.complaint], [0, '']);
    const withDemo = folders.filter((folder) => existsSync(join(folder, 'demo.json')));
    assert.equal(withDemo.length, 1);
    // Each node has a journal of its own.
    // Written by the server just now.
    const { publisher } = JSON.parse(
      readFileSync(join(withDemo[0] ?? '', 'demo.json'), 'utf8'),
    ) as { publisher: { api_key: string } };
    const addresses = await Promise.all(nodes.map(({ ready }) => ready));
    const behind: string[] = [];
    for (const address of addresses) behind.push(await askForAd(address, publisher.api_key));
    const moment = await aMoment();
    const lateId = await askForAd(addresses[1] ?? '', publisher.api_key);
    for (const id of [...behind, lateId]) await untilShipped(shipped, id);
    for (const { child } of nodes) child.kill('SIGTERM');
    await Promise.all(nodes.map(({ ended }) => ended));

    const target = await openServerTestDatabase({ migrated: false });
    const toMoment = { DATABASE_URL: target.url, DATA_DIR: newFolder(), ...passphrase };
    const until = ['--journal', shipped, '--until', new Date(moment).toISOString()];
    const replayed = await start(['restore', file, ...until], toMoment).ended;
    assert.deepEqual([replayed.code, replayed.complaint], [0, '']);
    assert.match(replayed.out, /applied 3 events/);
    const requests = await target.database.query<{ id: string }>(
      `select id::text as id from events where kind = 'request' order by at`,
    );
    assert.deepEqual(
      requests.map(({ id }) => id),
      behind,
    );
    assert.match((await start(['verify'], toMoment).ended).out, /^ok .*limits/m);
    await target.database.close();
    // Their secret lies in the store; a sealed copy does not give it to who finds the file.
    const restored = { DATA_DIR: newFolder() };
    await complains(['restore', file], settings, /already has data/);
    assert.match((await start(['restore', file], restored).ended).out, /restored \d+ rows/);
    const killed = { DATA_DIR: await killedRestore(file) };
    await complains(['serve'], killed, /did not end: run it again/);
    assert.match((await start(['restore', file], killed).ended).out, /restored \d+ rows/);
    await complains(['keys', 'rotate-tracking'], restored, /BACKUP_PASSPHRASE/);
    const rotated = await start(['keys', 'rotate-tracking'], { ...restored, ...passphrase }).ended;
    assert.equal(rotated.code, 0, rotated.complaint);
    writeFileSync(`${file}.cut`, readFileSync(file).subarray(0, -200));
    const empty = newFolder();
    await complains(['restore', `${file}.cut`], { DATA_DIR: empty }, /not a whole export/);
    assert.deepEqual(readdirSync(empty), []);
    await database.close();
  });
});
